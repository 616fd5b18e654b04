package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;

/// What happens to the samples that ranks cannot share equally; they are fewer than the ranks.
public enum RanksTail {
  /// No rank gets them: all have the same number, and so the same number of batches.
  DROP,
  /// Ranks that come out one short repeat the epoch's last sample, outside the mask: all have the
  /// same number of batches, and nothing is left out.
  PAD,
  /// The first ranks get one more, and perhaps one batch more. A trainer whose ranks wait for each
  /// other in every step would hang in the last one.
  UNEVEN;

  /// {@return the one of that name}
  ///
  /// @throws ConfigException if there is none
  public static RanksTail of(String name) {
    return Spec.choice("tail of ranks", values(), name);
  }

  /// {@return the name users type}
  public String label() {
    return Spec.word(this);
  }
}
