package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;

/// What a paper says in one of its rows, and how data decide whether it holds here.
///
/// @param id of the row, such as `A34`
/// @param says it in a few words
/// @param paper its number; empty if it gives none
/// @param check computes the verdict; throws [ConfigException] if something was not measured
public record Claim(String id, String says, String paper, Check check) {
  /// Computes a verdict.
  @FunctionalInterface
  public interface Check {
    /// {@return the verdict}
    Verdict of(Data data);
  }

  /// {@return the verdict on some data; [Verdict.Outcome#OPEN] where they say nothing of it}
  public Verdict judge(Data data) {
    try {
      return check.of(data);
    } catch (ConfigException e) {
      return Verdict.open(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) { // one claim must not stop the others
      return Verdict.open("it failed: " + e);
    }
  }
}
