package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.order.OrderSpec.DiskStart;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The invariants of Liquid's buffers, checked by playing epochs back.
final class TwoRegionTest {
  private static final DiskStart STORED = new DiskStart.Stored();

  static List<Arguments> grid() {
    List<Arguments> grid = new ArrayList<>();
    for (int n : new int[] {10_000, 9973, 1000}) {
      for (double h : new double[] {0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999, 1}) {
        for (int batch : new int[] {7, 32, 100, 512}) {
          grid.add(Arguments.of(n, Math.max(1, (int) Math.round(h * n)), batch));
        }
      }
    }
    return grid;
  }

  /// Memory as a set of samples, moved by what an epoch says.
  private static final class Playback {
    final int n;
    final int capacity;
    final int batch;
    final int formats;
    final BitSet waiting = new BitSet();
    final BitSet next = new BitSet();

    Playback(int n, int capacity, int batch) {
      this(n, capacity, batch, 1);
    }

    Playback(int n, int capacity, int batch, int formats) {
      this.formats = formats;
      this.n = n;
      this.capacity = capacity;
      this.batch = batch;
    }

    void play(RegionEpoch epoch) {
      waiting.or(next);
      next.clear();
      var seen = new BitSet(n);
      int loaded = 0;
      for (; loaded < epoch.firstLoads(); loaded++) {
        waiting.set(epoch.load(loaded));
      }
      assertThat(waiting.cardinality()).as("current at the start").isEqualTo(capacity);
      int fewest = Integer.MAX_VALUE;
      int most = 0;
      Permutation order = epoch.order();
      for (int start = 0; start < n; start += batch) {
        int before = loaded;
        for (int p = start; p < Math.min(n, start + batch); p++) {
          int sample = (int) order.at(p);
          check(epoch.dueAt(p) == loaded, "one load for each eviction before", p);
          check(waiting.get(sample), "a sample is drawn from memory", p);
          check(!seen.get(sample), "and once an epoch", p);
          seen.set(sample);
          waiting.clear(sample);
          if (epoch.keeps(p)) {
            next.set(sample);
          } else {
            int load = epoch.load(loaded++);
            check(epoch.isLoaded(load), "what is loaded is known to be", p);
            check(!waiting.get(load) && !next.get(load), "what is loaded was not in memory", p);
            waiting.set(load);
          }
          check(
              waiting.cardinality() + next.cardinality() == capacity,
              "memory is as full as ever",
              p);
          check(!waiting.intersects(next), "a sample is held in one region", p);
        }
        if (start + batch <= n) {
          fewest = Math.min(fewest, loaded - before);
          most = Math.max(most, loaded - before);
        }
      }
      assertThat(loaded).as("all that is listed is loaded").isEqualTo(epoch.loads());
      assertThat(seen.cardinality()).isEqualTo(n);
      assertThat(waiting.cardinality()).as("current at the end").isZero();
      assertThat(next.cardinality()).as("next at the end").isEqualTo(capacity);
      assertThat(most - fewest)
          .as("loads a batch are constant")
          .isLessThanOrEqualTo(2 * formats - 1);
      assertThat(epoch.loads()).isEqualTo(epoch.number() == 0 ? n : n - capacity);
      for (int p = 0; p < n; p++) {
        check(next.get((int) order.at(p)) == epoch.keeps(p), "next holds what was kept", p);
      }
    }

    private static void check(boolean holds, String law, int position) {
      if (!holds) {
        throw new AssertionError(law + ", but not at position " + position);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("grid")
  void invariants(int n, int capacity, int batch) {
    var order = new TwoRegion(n, capacity, batch, 17, STORED);
    var playback = new Playback(n, capacity, batch);
    for (int number = 0; number < 3; number++) {
      playback.play(order.epoch(number));
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void invariantsForAnySizes(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    int n = 1 + random.nextInt(random.nextInt(3) == 0 ? 9 : 2000);
    int capacity = 1 + random.nextInt(n);
    int batch = 1 + random.nextInt(300);
    DiskStart start =
        switch (random.nextInt(3)) {
          case 0 -> STORED;
          case 1 -> new DiskStart.Rotated();
          default -> new DiskStart.Blocks(1 + random.nextInt(100));
        };
    var order = new TwoRegion(n, capacity, batch, seed, start);
    var playback = new Playback(n, capacity, batch);
    for (int number = 0; number < 3; number++) {
      playback.play(order.epoch(number));
    }
  }

  /// N = 1000, C = 300, B = 32: drawing a whole batch first would find 22 samples at position 928.
  /// One at a time there is always one, the last draw is kept, and 22 or 23 of a batch are loaded.
  @Test
  void theEpochsEndIsNoTrap() {
    var order = new TwoRegion(1000, 300, 32, 3, STORED);
    RegionEpoch epoch = order.epoch(1);
    int keptBefore = (int) IntStream.range(0, 928).filter(epoch::keeps).count();
    assertThat(300 - keptBefore).as("waiting at 928").isEqualTo(22);
    assertThat(epoch.loads() - epoch.dueAt(928)).as("still on disk").isPositive();
    assertThat(epoch.keeps(999)).isTrue();
    new Playback(1000, 300, 32).play(new TwoRegion(1000, 300, 32, 3, STORED).epoch(0));
    for (int p = 0; p + 32 < 928; p += 32) {
      assertThat(epoch.dueAt(p + 32) - epoch.dueAt(p)).isIn(22, 23);
    }
  }

  @Test
  void anEpochIsTheSameHoweverItIsComeBy() {
    var one = new TwoRegion(500, 100, 16, 3, STORED);
    long[] third = positions(one.epoch(3));
    assertThat(positions(one.epoch(3))).isEqualTo(third);
    long[] first = positions(one.epoch(1));
    assertThat(positions(new TwoRegion(500, 100, 16, 3, STORED).epoch(1))).isEqualTo(first);
    assertThat(positions(new TwoRegion(500, 100, 16, 4, STORED).epoch(1))).isNotEqualTo(first);
    assertThat(positions(one.epoch(2))).isNotEqualTo(first);
  }

  private static long[] positions(RegionEpoch epoch) {
    Permutation order = epoch.order();
    return IntStream.range(0, (int) order.size()).mapToLong(order::at).toArray();
  }

  @Test
  void disksAreReadInSequence() {
    RegionEpoch epoch = new TwoRegion(5000, 1500, 32, 3, STORED).epoch(2);
    for (int i = 1; i < epoch.loads(); i++) {
      assertThat(epoch.load(i)).isGreaterThan(epoch.load(i - 1));
    }
    RegionEpoch rotated = new TwoRegion(5000, 1500, 32, 3, new DiskStart.Rotated()).epoch(2);
    int falls = 0;
    for (int i = 1; i < rotated.loads(); i++) {
      falls += rotated.load(i) < rotated.load(i - 1) ? 1 : 0;
    }
    assertThat(falls).isLessThanOrEqualTo(1);
  }

  /// How far an epoch is from a full shuffle, as the simulation behind the requirements found it:
  /// correlation with disk order in the first epoch and a later one, and between two later ones.
  @ParameterizedTest
  @CsvSource({"0.3,0.86,0.54,0.29", "0.01,1,0.98,0.96", "1,0,0,0"})
  void randomnessAsMeasured(double h, double first, double later, double between) {
    int n = 10_000;
    var order = new TwoRegion(n, (int) (h * n), 32, 5, STORED);
    Permutation e0 = order.epoch(0).order();
    Permutation e3 = order.epoch(3).order();
    Permutation e4 = order.epoch(4).order();
    assertThat(ShuffleQuality.diskCorrelation(n, e0::at)).isCloseTo(first, within(0.03));
    assertThat(ShuffleQuality.diskCorrelation(n, e3::at)).isCloseTo(later, within(0.03));
    assertThat(ShuffleQuality.epochCorrelation(n, e4::at, e3::at)).isCloseTo(between, within(0.05));
  }

  /// The remedies: another start spreads the correlation over the epochs, blocks remove it.
  @Test
  void remediesStrengthenTheMixing() {
    int n = 10_000;
    double stored = 0;
    double rotated = 0;
    double blocks = 0;
    var a = new TwoRegion(n, 3000, 32, 5, STORED);
    var b = new TwoRegion(n, 3000, 32, 5, new DiskStart.Rotated());
    var c = new TwoRegion(n, 3000, 32, 5, new DiskStart.Blocks(64));
    for (int e = 1; e < 9; e++) {
      stored += Math.abs(ShuffleQuality.diskCorrelation(n, a.epoch(e).order()::at)) / 8;
      rotated += Math.abs(ShuffleQuality.diskCorrelation(n, b.epoch(e).order()::at)) / 8;
      blocks += Math.abs(ShuffleQuality.diskCorrelation(n, c.epoch(e).order()::at)) / 8;
    }
    assertThat(stored).isCloseTo(0.54, within(0.03));
    assertThat(rotated).isLessThan(0.35);
    assertThat(blocks).isLessThan(0.1);
  }

  /// Two formats, three and seven tenths: each batch has both, by their shares, and each format's
  /// regions hold the same share of it.
  @Test
  void eachFormatHasItsRegionsAndItsShareOfEveryBatch() {
    int n = 10_000;
    var random = new CounterRandom();
    int[][] members = {
      IntStream.range(0, n).filter(i -> isRaw(random, i)).toArray(),
      IntStream.range(0, n).filter(i -> !isRaw(random, i)).toArray()
    };
    var order = new TwoRegion(members, 3000, 32, 5, STORED);
    var playback = new Playback(n, 3000, 32, 2);
    for (int number = 0; number < 3; number++) {
      RegionEpoch epoch = order.epoch(number);
      playback.play(epoch);
      Permutation permutation = epoch.order();
      int kept = 0;
      for (int start = 0; start + 32 <= n; start += 32) {
        int raw = 0;
        for (int p = start; p < start + 32; p++) {
          if (isRaw(random, (int) permutation.at(p))) {
            raw++;
            kept += epoch.keeps(p) ? 1 : 0;
          }
        }
        assertThat((double) raw).isCloseTo(32.0 * members[0].length / n, within(1.0));
      }
      assertThat((double) kept).isCloseTo(0.3 * members[0].length, within(10.0));
    }
  }

  private static boolean isRaw(CounterRandom random, int sample) {
    random.reset(1, 2, sample);
    return random.nextDouble() < 0.3;
  }

  @Test
  void capacitiesOutsideTheDatasetAreRefused() {
    assertThatThrownBy(() -> new TwoRegion(10, 11, 4, 0, STORED))
        .isInstanceOf(ConfigException.class)
        .hasMessage("two regions for 11 of 10 samples in batches of 4: expected 1 to all");
    assertThatThrownBy(() -> new TwoRegion(10, 0, 4, 0, STORED))
        .isInstanceOf(ConfigException.class);
  }
}
