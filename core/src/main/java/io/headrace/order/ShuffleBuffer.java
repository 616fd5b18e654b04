package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/// Computes orders that pass through a buffer, from which each next sample is drawn.
final class ShuffleBuffer {
  private static final long STREAM = 0x627566666572L;
  private static final int RUNS_A_LANE = 8;

  private ShuffleBuffer() {}

  static Permutation of(OrderSpec.Buffer spec, long n, long seed, long epoch) {
    int[] stored = {0};
    return draw(size(n, spec), spec.fill(), seed, epoch, () -> stored[0]++);
  }

  static Permutation of(OrderSpec.Interleave spec, long n, long seed, long epoch) {
    var lanes = new Lanes(size(n, spec), spec.lanes(), seed, epoch);
    return draw((int) n, spec.fill(), seed, epoch, lanes::next);
  }

  static int size(long n, OrderSpec spec) {
    if (n > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for the order %s".formatted(n, spec));
    }
    return (int) n;
  }

  private static Permutation draw(int n, int fill, long seed, long epoch, IntSupplier source) {
    var random = new CounterRandom();
    random.reset(seed, epoch, STREAM);
    int[] held = new int[Math.min(n, fill)];
    for (int i = 0; i < held.length; i++) {
      held[i] = source.getAsInt();
    }
    int count = held.length;
    int[] order = new int[n];
    for (int p = 0; p < n; p++) {
      int drawn = random.nextInt(count);
      order[p] = held[drawn];
      if (p + held.length < n) {
        held[drawn] = source.getAsInt();
      } else {
        held[drawn] = held[--count];
      }
    }
    return new Listed(order);
  }

  /// Runs of neighbours, several read in turn.
  private static final class Lanes {
    private final int n;
    private final int runs;
    private final Permutation permutation;

    /// Next sample and end of each open lane.
    private final List<int[]> open = new ArrayList<>();

    private int turn;
    private int at;

    Lanes(int n, int lanes, long seed, long epoch) {
      this.n = n;
      runs = Math.clamp((long) lanes * RUNS_A_LANE, 1, Math.max(1, n));
      permutation = Permutation.of(runs, seed, epoch);
      for (int i = 0; i < Math.min(lanes, runs); i++) {
        open.add(run());
      }
    }

    private int[] run() {
      long number = permutation.at(turn++);
      return new int[] {(int) (number * n / runs), (int) ((number + 1) * n / runs)};
    }

    int next() {
      at %= open.size();
      int[] lane = open.get(at);
      int sample = lane[0]++;
      if (lane[0] < lane[1]) {
        at++;
      } else if (turn < runs) {
        open.set(at++, run());
      } else {
        open.remove(at);
      }
      return sample;
    }
  }
}
