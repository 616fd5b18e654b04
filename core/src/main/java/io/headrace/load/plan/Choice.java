package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Which samples an epoch has, and how often each.
///
/// @param part which samples may come; null for all
/// @param weights how often each of them comes
/// @param samples of an epoch that is drawn by weights; 0 for as many as may come
public record Choice(@Nullable SubsetSpec part, Weights weights, long samples) {
  /// Every sample, once.
  public static final Choice ALL = new Choice(null, new Weights.Equal(), 0);

  /// How often samples come.
  public sealed interface Weights {
    /// Each once.
    record Equal() implements Weights {}

    /// Drawn with replacement, each class as often as any other.
    record Balanced() implements Weights {}

    /// Drawn with replacement.
    ///
    /// @param values one for each sample of the dataset, in stored order
    @SuppressWarnings("ArrayRecordComponent") // large, and never compared
    record Given(double[] values) implements Weights {}
  }

  /// {@return the choice that some texts ask for}
  ///
  /// @param part as [SubsetSpec] spells it, an amount alone being random; null for all
  /// @param weights `balanced`, or a file with a number in each line; null for none
  /// @param samples of an epoch drawn by weights, or null
  /// @throws ConfigException if they make no sense
  /// @throws IOException if a file cannot be read
  public static Choice parse(
      @Nullable String part, @Nullable String weights, @Nullable Long samples) throws IOException {
    if (samples != null && (weights == null || samples < 1)) {
      throw new ConfigException(
          "an epoch of %d samples: expected 1 or more, drawn by weights".formatted(samples));
    }
    if (part == null && weights == null) {
      return ALL;
    }
    return new Choice(
        part == null ? null : SubsetSpec.parse(part, SubsetSpec.Random::new),
        weights == null ? new Weights.Equal() : weights(weights),
        samples == null ? 0 : samples);
  }

  private static Weights weights(String text) throws IOException {
    return text.equals("balanced")
        ? new Weights.Balanced()
        : new Weights.Given(
            SubsetSpec.lines(text).stream().mapToDouble(line -> number(text, line)).toArray());
  }

  private static double number(String file, String line) {
    try {
      double value = Double.parseDouble(line.strip());
      if (value >= 0 && value < Double.POSITIVE_INFINITY) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw notANumber(file, line, "");
    }
    throw notANumber(file, line, "");
  }

  static ConfigException notANumber(String file, String line, String kind) {
    return new ConfigException(
        "%s: a line '%s': expected a %snumber of at least 0".formatted(file, line, kind));
  }

  /// {@return whether every sample comes once}
  public boolean all() {
    return part == null && weights instanceof Weights.Equal;
  }

  /// {@return whether samples are drawn with replacement}
  boolean drawn() {
    return !(weights instanceof Weights.Equal);
  }

  /// {@return what it is, in words that tell it from any other}
  String text() {
    String chosen = part == null ? "" : " subset=" + part.text();
    String often =
        switch (weights) {
          case Weights.Equal() -> "";
          case Weights.Balanced() -> " weights=balanced";
          case Weights.Given(var values) -> {
            long digest = values.length;
            for (double value : values) {
              digest = CounterRandom.mix(digest ^ Double.doubleToLongBits(value));
            }
            yield " weights=%016x".formatted(digest);
          }
        };
    return chosen + often + (samples == 0 ? "" : " samples=" + samples);
  }
}
