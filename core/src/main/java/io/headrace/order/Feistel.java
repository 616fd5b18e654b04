package io.headrace.order;

import io.headrace.random.CounterRandom;
import java.util.Objects;

/// A permutation computed where it is asked for: an alternating Feistel network over the smallest
/// power of two that holds n, walked until it falls inside (Black and Rogaway, "Ciphers with
/// arbitrary finite domains", CT-RSA 2002). Fewer than two walks on average.
final class Feistel implements Permutation {
  private static final int ROUNDS = 8;

  private final long n;
  private final int lowBits;
  private final long lowMask;
  private final long highMask;
  private final long[] keys = new long[ROUNDS];

  Feistel(long n, long seed, long epoch) {
    this.n = n;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(n - 1);
    lowBits = bits / 2;
    lowMask = (1L << lowBits) - 1;
    highMask = (1L << (bits - lowBits)) - 1;
    var random = new CounterRandom();
    random.reset(seed, epoch, FisherYates.STREAM);
    for (int i = 0; i < ROUNDS; i++) {
      keys[i] = random.nextLong();
    }
  }

  @Override
  public long size() {
    return n;
  }

  @Override
  public long at(long position) {
    long x = Objects.checkIndex(position, n);
    do {
      x = encrypt(x);
    } while (x >= n);
    return x;
  }

  private long encrypt(long x) {
    long low = x & lowMask;
    long high = x >>> lowBits;
    for (int i = 0; i < ROUNDS; i += 2) {
      high ^= CounterRandom.mix(low ^ keys[i]) & highMask;
      low ^= CounterRandom.mix(high ^ keys[i + 1]) & lowMask;
    }
    return high << lowBits | low;
  }
}
