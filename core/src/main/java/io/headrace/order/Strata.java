package io.headrace.order;

import io.headrace.random.CounterRandom;
import java.util.Arrays;

/// Merges several kinds of samples, each shuffled, so that each has its share everywhere.
final class Strata {
  private Strata() {}

  static int[] merge(int[][] members, long seed, long epoch) {
    int kinds = members.length;
    var shuffles = new Permutation[kinds];
    for (int kind = 0; kind < kinds; kind++) {
      // a dataset of one kind comes in the order of a full shuffle
      long own = kind == 0 ? seed : CounterRandom.mix(seed + kind);
      shuffles[kind] = Permutation.of(members[kind].length, own, epoch);
    }
    int n = Arrays.stream(members).mapToInt(m -> m.length).sum();
    int[] given = new int[kinds];
    int[] order = new int[n];
    for (int p = 0; p < n; p++) {
      int kind = furthestBehind(members, n, p + 1L, given);
      order[p] = members[kind][(int) shuffles[kind].at(given[kind]++)];
    }
    return order;
  }

  /// {@return the kind that is furthest below its share of `total`, of those that have samples
  /// left}
  static int furthestBehind(int[][] members, int size, long total, int[] given) {
    int best = -1;
    long most = Long.MIN_VALUE;
    for (int kind = 0; kind < members.length; kind++) {
      long deficit = total * members[kind].length - (long) given[kind] * size;
      if (given[kind] < members[kind].length && deficit > most) {
        most = deficit;
        best = kind;
      }
    }
    return best;
  }
}
