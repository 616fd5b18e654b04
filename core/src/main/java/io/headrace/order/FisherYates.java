package io.headrace.order;

import io.headrace.random.CounterRandom;

/// The exact shuffle (Durstenfeld's form: Communications of the ACM 7(7), 1964, algorithm 235).
final class FisherYates implements Permutation {
  static final long STREAM = 0x6f72646572L; // apart from the draws of any sample

  private final int[] order;

  FisherYates(int n, long seed, long epoch) {
    order = new int[n];
    var random = new CounterRandom();
    random.reset(seed, epoch, STREAM);
    for (int i = 0; i < n; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }

  @Override
  public long size() {
    return order.length;
  }

  @Override
  public long at(long position) {
    return order[Math.toIntExact(position)];
  }
}
