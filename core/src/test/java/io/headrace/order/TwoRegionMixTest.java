package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.order.OrderSpec.DiskStart;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Liquid's buffers with several formats: each has two regions of its own, and all that holds of
/// one pair holds of each.
final class TwoRegionMixTest {
  /// Shares of the first format, or of the first two: the mixing ratios of the paper's evaluation.
  private static final double[][] RATIOS = {{0.3}, {0.7}, {0.6}, {0.9}, {0.8}, {0.5, 0.3}};

  static List<Arguments> grid() {
    List<Arguments> grid = new ArrayList<>();
    for (int n : new int[] {10_000, 9973, 1000}) {
      for (double h : new double[] {0.001, 0.01, 0.3, 0.9, 1}) {
        for (int batch : new int[] {7, 32, 100, 512}) {
          grid.add(Arguments.of(n, h, batch));
        }
      }
    }
    return grid;
  }

  /// {@return each format's samples, a random subset for each}
  private static int[][] members(int n, double[] shares, long seed) {
    var random = new CounterRandom();
    int[] formats = new int[n];
    for (int i = 0; i < n; i++) {
      random.reset(seed, 0, i);
      double drawn = random.nextDouble();
      while (formats[i] < shares.length && drawn >= shares[formats[i]]) {
        drawn -= shares[formats[i]++];
      }
    }
    return IntStream.rangeClosed(0, shares.length)
        .mapToObj(f -> IntStream.range(0, n).filter(i -> formats[i] == f).toArray())
        .toArray(int[][]::new);
  }

  /// Each format's memory, moved by what an epoch says.
  private static final class Playback {
    final int[][] members;
    final int[] formatOf;
    final int[] capacity;
    final boolean[] waiting;
    final boolean[] kept;
    final int[] inMemory;
    final int batch;

    Playback(int[][] members, int n, int batch) {
      this.members = members;
      this.batch = batch;
      formatOf = new int[n];
      for (int f = 0; f < members.length; f++) {
        for (int sample : members[f]) {
          formatOf[sample] = f;
        }
      }
      capacity = new int[members.length];
      waiting = new boolean[n];
      kept = new boolean[n];
      inMemory = new int[members.length];
    }

    void play(RegionEpoch epoch) {
      int n = formatOf.length;
      int formats = members.length;
      for (int i = 0; i < n; i++) {
        waiting[i] = kept[i];
        kept[i] = false;
      }
      int loaded = 0;
      int[] loads = new int[formats];
      int[] lastLoad = new int[formats];
      Arrays.fill(lastLoad, -1);
      for (; loaded < epoch.firstLoads(); loaded++) {
        int sample = epoch.load(loaded);
        waiting[sample] = true;
        int f = formatOf[sample];
        inMemory[f]++;
        loads[f]++;
        lastLoad[f] = sample;
      }
      if (epoch.number() == 0) {
        System.arraycopy(inMemory, 0, capacity, 0, formats);
      }
      boolean[] seen = new boolean[n];
      int[] done = new int[formats];
      boolean[] lastKept = new boolean[formats];
      Permutation order = epoch.order();
      for (int start = 0; start < n; start += batch) {
        int end = Math.min(n, start + batch);
        int[] before = done.clone();
        int[] keeps = new int[formats];
        for (int p = start; p < end; p++) {
          int sample = (int) order.at(p);
          int f = formatOf[sample];
          check(waiting[sample] && !seen[sample], "drawn from memory, once an epoch", p);
          seen[sample] = true;
          waiting[sample] = false;
          done[f]++;
          lastKept[f] = epoch.keeps(p);
          if (epoch.keeps(p)) {
            kept[sample] = true;
            keeps[f]++;
          } else {
            int load = epoch.load(loaded++);
            check(formatOf[load] == f, "its place is taken by one of its format", p);
            check(!waiting[load] && !kept[load], "which was not in memory", p);
            check(load > lastLoad[f], "the next in stored order", p);
            lastLoad[f] = load;
            loads[f]++;
            waiting[load] = true;
          }
        }
        for (int f = 0; f < formats; f++) {
          long size = members[f].length;
          long constant =
              done[f] * (long) capacity[f] / size - before[f] * (long) capacity[f] / size;
          check(keeps[f] == constant, "a batch keeps a format's share of what it draws", start);
          double due = end * (double) size / n;
          check(Math.abs(done[f] - due) < formats, "a batch has the mixing ratio", start);
        }
      }
      assertThat(loaded).isEqualTo(epoch.loads());
      for (int f = 0; f < formats; f++) {
        int held = 0;
        for (int sample : members[f]) {
          held += kept[sample] ? 1 : 0;
        }
        assertThat(held).as("next is full at the end").isEqualTo(capacity[f]);
        assertThat(loads[f])
            .isEqualTo(epoch.number() == 0 ? members[f].length : members[f].length - capacity[f]);
        assertThat(lastKept[f]).as("the last draw of a format is no eviction").isTrue();
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
  void eachFormatHasTwoRegionsOfItsOwn(int n, double h, int batch) {
    for (double[] shares : RATIOS) {
      int[][] members = members(n, shares, 41 + n);
      int capacity = Math.max(members.length, (int) Math.round(h * n));
      var order = new TwoRegion(members, capacity, batch, 17, new DiskStart.Stored());
      var playback = new Playback(members, n, batch);
      for (int number = 0; number < 2; number++) {
        playback.play(order.epoch(number));
      }
      assertThat(Arrays.stream(playback.capacity).sum()).isEqualTo(capacity);
      for (int f = 0; f < members.length; f++) {
        double share = (double) playback.capacity[f] / members[f].length;
        double rounding = Math.max(1.0, members.length - 1.0) / members[f].length;
        assertThat(Math.abs(share - (double) capacity / n))
            .as("formats hit alike")
            .isLessThanOrEqualTo(rounding);
      }
    }
  }

  /// The order of two formats, seven to three, as it was when this was written.
  @Test
  void theOrderOfAMixStaysWhatItIs() {
    int[][] members = members(20, new double[] {0.7}, 1);
    RegionEpoch epoch = new TwoRegion(members, 6, 5, 3, new DiskStart.Stored()).epoch(1);
    int[] order = IntStream.range(0, 20).map(p -> (int) epoch.order().at(p)).toArray();
    assertThat(order)
        .containsExactly(13, 15, 19, 11, 2, 4, 0, 3, 1, 7, 16, 8, 6, 5, 9, 10, 14, 17, 12, 18);
  }
}
