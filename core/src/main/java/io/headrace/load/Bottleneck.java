package io.headrace.load;

import java.util.Locale;

/// What an epoch's rate was bound by.
public enum Bottleneck {
  /// Getting bytes: decode workers starved.
  READ,
  /// Turning bytes into pixels: decode workers were busy, mostly decoding.
  DECODE,
  /// Resizing and packing pixels: decode workers were busy, mostly transforming.
  TRANSFORM,
  /// The consumer: batches waited for it.
  CONSUMER;

  /// {@return the name in reports}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Names the bound from where time was lost.
  ///
  /// The consumer, if it waited less than a tenth of the epoch; else reading, if decode workers
  /// spent more than half of their time waiting for bytes; else whichever of decoding and
  /// transforming took longer.
  ///
  /// @param seconds the epoch's length
  /// @param stalled of these, the consumer's waiting
  /// @param starved decode workers' waiting, over all `threads`
  /// @param decode decoding, over all threads
  /// @param transform transforming, over all threads
  static Bottleneck of(
      double seconds,
      double stalled,
      double starved,
      double decode,
      double transform,
      int threads) {
    if (stalled < 0.1 * seconds) {
      return CONSUMER;
    }
    if (starved > 0.5 * threads * seconds) {
      return READ;
    }
    return decode >= transform ? DECODE : TRANSFORM;
  }
}
