package io.headrace.load;

import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.util.List;
import java.util.Locale;

/// The bottleneck of an epoch.
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

  /// Names the bottleneck between two readings of an epoch's stages.
  ///
  /// @param before what [io.headrace.meter.Meters#readAll] said then
  /// @param after what it says now
  /// @param seconds between the two
  /// @param threads decode workers
  public static Bottleneck between(
      List<StageReading> before, List<StageReading> after, double seconds, int threads) {
    return of(
        seconds,
        lost(before, after, Stage.STALL),
        lost(before, after, Stage.STARVE),
        lost(before, after, Stage.DECODE),
        lost(before, after, Stage.TRANSFORM),
        threads);
  }

  private static double lost(List<StageReading> before, List<StageReading> after, Stage stage) {
    return secondsOf(after, stage) - secondsOf(before, stage);
  }

  private static double secondsOf(List<StageReading> readings, Stage stage) {
    for (StageReading reading : readings) {
      if (reading.stage() == stage) {
        return reading.seconds();
      }
    }
    return 0;
  }

  /// Names the bottleneck from where time was lost.
  ///
  /// The consumer, if it waited less than a tenth of the epoch; else reading, if decode workers
  /// spent more than half of their time waiting for bytes; else whichever of decoding and
  /// transforming took longer.
  ///
  /// @param seconds the epoch's length
  /// @param stalled those in which the consumer waited
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
