package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.SampleIds;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Some of a dataset's samples, as `--subset` of every command spells them: `first:30%`,
/// `random:100`, `numbers:FILE`, `keys:FILE`. [Picks] finds them.
public sealed interface SubsetSpec {
  /// The first of each class by key, whatever the case of letters. So does "The Art of Losing to
  /// Win" bring a dataset into a budget of storage.
  ///
  /// @param amount of each class, rounded down
  record First(Amount amount) implements SubsetSpec {}

  /// Random ones of the whole, the same for every seed.
  ///
  /// @param amount of all samples, rounded to the nearest number
  record Random(Amount amount) implements SubsetSpec {}

  /// Those of some numbers.
  ///
  /// @param numbers in stored order from 0
  @SuppressWarnings("ArrayRecordComponent") // large, and never compared
  record Numbers(long[] numbers) implements SubsetSpec {}

  /// Those of some keys.
  record Keys(List<String> keys) implements SubsetSpec {
    /// Copies the list.
    public Keys {
      keys = List.copyOf(keys);
    }
  }

  /// How many samples, such as `30%` or `100`.
  ///
  /// @param percent above 0, at most 100; null if `count` says it
  /// @param count where there are so many
  record Amount(@Nullable BigDecimal percent, long count) {
    /// {@return how many are taken of so many}
    public long of(long samples, RoundingMode rounding) {
      return percent == null
          ? Math.min(count, samples)
          : percent
              .multiply(BigDecimal.valueOf(samples))
              .movePointLeft(2)
              .setScale(0, rounding)
              .longValueExact();
    }

    @Override
    public String toString() {
      return percent == null ? String.valueOf(count) : percent.toPlainString() + "%";
    }
  }

  /// {@return the subset that a text asks for}
  ///
  /// @param text `first:AMOUNT`, `random:AMOUNT`, an amount alone, `numbers:FILE` or `keys:FILE`, a
  ///     line each
  /// @param bare what an amount alone means
  /// @throws ConfigException if it makes no sense
  /// @throws IOException if a file cannot be read
  static SubsetSpec parse(String text, Function<Amount, SubsetSpec> bare) throws IOException {
    String spelt = text.strip();
    int colon = spelt.indexOf(':');
    String rest = spelt.substring(colon + 1);
    return switch (spelt.substring(0, Math.max(colon, 0))) {
      case "keys" -> new Keys(lines(rest));
      case "numbers" ->
          new Numbers(lines(rest).stream().mapToLong(line -> number(rest, line)).toArray());
      case "first" -> new First(amount(rest, text));
      case "random" -> new Random(amount(rest, text));
      default -> bare.apply(amount(spelt, text));
    };
  }

  private static Amount amount(String spelt, String text) {
    String digits = spelt.strip();
    try {
      if (digits.endsWith("%")) {
        var percent =
            new BigDecimal(digits.substring(0, digits.length() - 1).strip()).stripTrailingZeros();
        if (percent.signum() > 0 && percent.compareTo(BigDecimal.valueOf(100)) <= 0) {
          return new Amount(percent, 0);
        }
      } else if (Long.parseLong(digits) > 0) {
        return new Amount(null, Long.parseLong(digits));
      }
    } catch (NumberFormatException e) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static ConfigException wrong(String text) {
    return new ConfigException(
        ("subset '%s': expected a share such as 10%% or a number such as 100, also after first: (of"
                + " each class by name) or random:, or numbers:FILE or keys:FILE")
            .formatted(text));
  }

  /// {@return the lines of a file that say something}
  static List<String> lines(String file) throws IOException {
    return Files.readAllLines(Path.of(file)).stream().filter(line -> !line.isBlank()).toList();
  }

  private static long number(String file, String line) {
    try {
      long number = Long.parseLong(line.strip());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw Choice.notANumber(file, line, "whole ");
    }
    throw Choice.notANumber(file, line, "whole ");
  }

  /// {@return what it is, in words that tell it from any other}
  default String text() {
    return switch (this) {
      case First(var amount) -> "first:" + amount;
      case Random(Amount(var percent, var count)) ->
          percent == null
              ? "random:" + count
              : percent.movePointLeft(2).stripTrailingZeros().toPlainString();
      case Numbers(var numbers) -> digest(LongStream.of(numbers), numbers.length);
      case Keys(var keys) -> digest(keys.stream().mapToLong(SampleIds::of), keys.size());
    };
  }

  private static String digest(LongStream values, long count) {
    long digest = values.reduce(count, (before, value) -> CounterRandom.mix(before ^ value));
    return "%016x".formatted(digest);
  }

  /// {@return the rule by which samples are picked, in words}
  default String rule() {
    return switch (this) {
      case First(var amount) -> "the first " + amount + " of each class by name";
      case Random(var amount) -> "a random " + amount;
      case Numbers _ -> "a list of numbers, " + text();
      case Keys _ -> "a list of keys, " + text();
    };
  }
}
