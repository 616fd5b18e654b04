package io.headrace.load.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.Permutation;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Predictions against caches of one page a value, so that a share of the values is a share of the
/// pages.
final class HitRatesTest {
  private static final int VALUES = 20_000;

  /// {@return the share of hits in the last of some epochs}
  private static double measure(ByteCache cache, int epochs, boolean shuffled)
      throws DecodeException {
    MemorySegment value = MemorySegment.ofArray(new byte[512]);
    double rate = 0;
    try (cache;
        var block = new Block(MemoryBudget.unbounded())) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        Permutation permutation = Permutation.of(VALUES, 7, epoch);
        LongUnaryOperator order = shuffled ? permutation::at : p -> p;
        long hits = 0;
        for (long p = 0; p < VALUES; p++) {
          long key = order.applyAsLong(p);
          if (cache.get(key, block) >= 0) {
            hits++;
          } else {
            boolean _ = cache.put(key, value);
          }
        }
        rate = (double) hits / VALUES;
      }
    }
    return rate;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.2, 0.5, 0.9, 1})
  void lruUnderNewShufflesIsAsPredicted(double share) throws DecodeException {
    var cache = new LruCache(Math.round(share * VALUES) * 512, VALUES);
    assertThat(measure(cache, 3, true)).isCloseTo(HitRates.lruShuffled(share), within(0.01));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.99, 1})
  void lruUnderSequentialReadingIsAllOrNothing(double share) throws DecodeException {
    var cache = new LruCache(Math.round(share * VALUES) * 512, VALUES);
    assertThat(measure(cache, 3, false)).isEqualTo(HitRates.lruSequential(share));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9, 1})
  void minIoHitsTheShareThatFits(double share) throws DecodeException {
    long chosen = (long) (share * VALUES);
    var cache = new MinIoCache(chosen * 512, VALUES, chosen, 5);
    assertThat(measure(cache, 2, true)).isEqualTo(HitRates.fixed(share));
  }

  /// The memory limits of "The Art of Losing to Win", Fig. 2: page cache in GiB, and what is read
  /// of 145.7 GiB an epoch by the formula.
  @ParameterizedTest
  @CsvSource({
    "1.8,145.7",
    "17.4,144.6",
    "33.2,141.6",
    "48.8,136.4",
    "64.2,128.8",
    "80.0,118.0",
    "95.9,103.3",
    "111.9,83.2",
    "127.9,55.2",
    "143.4,11.8"
  })
  void readingOfTheArtOfLosing(double cache, double read) {
    assertThat(145.7 * (1 - HitRates.lruShuffled(cache / 145.7))).isCloseTo(read, within(0.15));
  }

  @Test
  void sharesOutsideTheRangeAreClamped() {
    assertThat(HitRates.lruShuffled(1.5)).isEqualTo(1);
    assertThat(HitRates.lruShuffled(0)).isZero();
    assertThat(HitRates.fixed(3)).isEqualTo(1);
  }
}
