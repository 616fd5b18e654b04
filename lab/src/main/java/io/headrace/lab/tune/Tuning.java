package io.headrace.lab.tune;

import java.util.List;

/// Everything a tuning found.
///
/// @param results one a candidate, the original first
/// @param pick the choice and why
/// @param limits it was made under
/// @param sampled samples each candidate was measured on
/// @param samples in the whole dataset, -1 where that is not known
/// @param diskBytesPerSecond read rate of the disk the work folder is on
public record Tuning(
    List<Result> results,
    Pick pick,
    Limits limits,
    long sampled,
    long samples,
    double diskBytesPerSecond) {
  /// Copies the list.
  public Tuning {
    results = List.copyOf(results);
  }
}
