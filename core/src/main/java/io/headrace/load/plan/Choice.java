package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.SampleIds;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which samples an epoch has, and how often each.
///
/// @param part which samples may come
/// @param weights how often each of them comes
/// @param samples of an epoch that is drawn by weights; 0 for as many as may come
public record Choice(Part part, Weights weights, long samples) {
  /// Every sample, once.
  public static final Choice ALL = new Choice(new Part.All(), new Weights.Equal(), 0);

  /// Samples that may come.
  public sealed interface Part {
    /// All.
    record All() implements Part {}

    /// A random share, the same for every seed.
    ///
    /// @param share above 0, at most 1
    record Share(BigDecimal share) implements Part {}

    /// Those of some numbers, in that order.
    @SuppressWarnings("ArrayRecordComponent") // large, and never compared
    record Numbers(long[] numbers) implements Part {}

    /// Those of some keys, in that order.
    record Keys(List<String> keys) implements Part {
      /// Copies the list.
      public Keys {
        keys = List.copyOf(keys);
      }
    }
  }

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
  /// @param part `10%`, `numbers:FILE` or `keys:FILE`, a line each; null for all
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
        part == null ? new Part.All() : part(part),
        weights == null ? new Weights.Equal() : weights(weights),
        samples == null ? 0 : samples);
  }

  private static Part part(String text) throws IOException {
    if (text.startsWith("keys:")) {
      return new Part.Keys(lines(text.substring("keys:".length())));
    }
    if (text.startsWith("numbers:")) {
      String file = text.substring("numbers:".length());
      return new Part.Numbers(
          lines(file).stream().mapToLong(line -> (long) number(file, line, true)).toArray());
    }
    try {
      if (text.endsWith("%")) {
        BigDecimal share = new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(2);
        if (share.signum() > 0 && share.compareTo(BigDecimal.ONE) <= 0) {
          return new Part.Share(share);
        }
      }
    } catch (NumberFormatException e) {
      throw unknownPart(text);
    }
    throw unknownPart(text);
  }

  private static ConfigException unknownPart(String text) {
    return new ConfigException(
        "subset '%s': expected a share such as 10%%, numbers:FILE or keys:FILE".formatted(text));
  }

  private static Weights weights(String text) throws IOException {
    return text.equals("balanced")
        ? new Weights.Balanced()
        : new Weights.Given(
            lines(text).stream().mapToDouble(line -> number(text, line, false)).toArray());
  }

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(Path.of(file)).stream().filter(line -> !line.isBlank()).toList();
  }

  private static double number(String file, String line, boolean whole) {
    try {
      double value = whole ? Long.parseLong(line.strip()) : Double.parseDouble(line.strip());
      if (value >= 0 && value < (whole ? 0x1p53 : Double.POSITIVE_INFINITY)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw notANumber(file, line, whole);
    }
    throw notANumber(file, line, whole);
  }

  private static ConfigException notANumber(String file, String line, boolean whole) {
    return new ConfigException(
        "%s: a line '%s': expected a %snumber of at least 0"
            .formatted(file, line, whole ? "whole " : ""));
  }

  /// {@return whether every sample comes once}
  public boolean all() {
    return part instanceof Part.All && weights instanceof Weights.Equal;
  }

  /// {@return whether samples are drawn with replacement}
  boolean drawn() {
    return !(weights instanceof Weights.Equal);
  }

  /// {@return what it is, in words that tell it from any other}
  String text() {
    String chosen =
        switch (part) {
          case Part.All() -> "";
          case Part.Share(var share) -> " subset=" + share.stripTrailingZeros().toPlainString();
          case Part.Numbers(var numbers) -> {
            long digest = numbers.length;
            for (long number : numbers) {
              digest = CounterRandom.mix(digest ^ number);
            }
            yield " subset=%016x".formatted(digest);
          }
          case Part.Keys(var keys) -> {
            long digest = keys.size();
            for (String key : keys) {
              digest = CounterRandom.mix(digest ^ SampleIds.of(key));
            }
            yield " subset=%016x".formatted(digest);
          }
        };
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
