package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import java.util.Locale;

/// How many bad samples an epoch may have before it fails, even if they are skipped or substituted.
public sealed interface BadLimit {
  /// Any number.
  record None() implements BadLimit {
    @Override
    public String toString() {
      return "none";
    }
  }

  /// So many, in each rank's epoch.
  ///
  /// @param samples at least 0
  record Count(long samples) implements BadLimit {
    /// Checks the range.
    public Count {
      if (samples < 0) {
        throw new ConfigException(
            "limit of %d bad samples: expected at least 0".formatted(samples));
      }
    }

    @Override
    public String toString() {
      return Long.toString(samples);
    }
  }

  /// A share of the rank's epoch. Where only reading tells the epoch's length, it is a share of the
  /// samples so far; one bad sample is always allowed until the end.
  ///
  /// @param share 0 to 1
  record Share(double share) implements BadLimit {
    /// Checks the range.
    public Share {
      if (!(share >= 0 && share <= 1)) {
        throw new ConfigException(
            String.format(
                Locale.ROOT, "limit of %s %% bad samples: expected 0 to 100", 100 * share));
      }
    }

    @Override
    public String toString() {
      return 100 * share + "%";
    }
  }

  /// No limit.
  BadLimit NONE = new None();

  /// Understands `none`, a number of samples, or a share such as `0.1%`.
  ///
  /// @throws ConfigException if it is none of these
  static BadLimit parse(String text) {
    String word = text.strip();
    try {
      if (word.equals("none")) {
        return NONE;
      }
      return word.endsWith("%")
          ? new Share(Double.parseDouble(word.substring(0, word.length() - 1)) / 100)
          : new Count(Long.parseLong(word));
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "limit of bad samples '%s': expected none, a number or a share such as 0.1%%"
              .formatted(text));
    }
  }

  /// {@return bad samples that are allowed by now}
  ///
  /// @param total samples in the rank's epoch, or -1 if not known yet
  /// @param seen samples that have come so far, the bad ones included
  static long allowed(BadLimit limit, long total, long seen) {
    return switch (limit) {
      case None() -> Long.MAX_VALUE;
      case Count(long samples) -> samples;
      case Share(double share) ->
          total >= 0 ? (long) (share * total) : Math.max(1, (long) (share * seen));
    };
  }
}
