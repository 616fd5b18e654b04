package io.headrace.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Damages bytes the way fuzzers do: the same seed and corpus give the same damage.
public final class Mutator {
  private static final int MAX_AT_ONCE = 4;

  /// Numbers that are typical of wrong lengths and counts.
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffffff,
    0x80000000L,
    0xfffffff0L,
    0xffffffffL
  };

  private final List<byte[]> corpus;
  private final Random random;
  private final int mostBytes;

  /// @param corpus what is damaged; not empty, and neither is any of it
  /// @param seed of all choices
  /// @param mostBytes that a result may have
  public Mutator(List<byte[]> corpus, long seed, int mostBytes) {
    this.corpus = List.copyOf(corpus);
    random = new Random(seed);
    this.mostBytes = mostBytes;
  }

  /// {@return one of the corpus after one to four kinds of damage}
  public byte[] next() {
    byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
    int times = 1 + random.nextInt(MAX_AT_ONCE);
    for (int i = 0; i < times && bytes.length > 0; i++) {
      bytes = damage(bytes);
    }
    return bytes.length > mostBytes ? Arrays.copyOf(bytes, mostBytes) : bytes;
  }

  private byte[] damage(byte[] bytes) {
    int at = position(bytes.length);
    return switch (random.nextInt(8)) {
      case 0 -> Corrupter.flipBit(bytes, 8L * at + random.nextInt(8));
      case 1 -> set(bytes, at, (byte) random.nextInt());
      case 2 -> Corrupter.cut(bytes, at);
      case 3 -> number(bytes, at, 2);
      case 4 -> number(bytes, at, 4);
      case 5 -> splice(bytes, at);
      case 6 -> without(bytes, at);
      default -> twice(bytes, at);
    };
  }

  /// Half of all damage is done to the first bytes, where headers are.
  private int position(int length) {
    return random.nextInt(random.nextBoolean() ? Math.min(64, length) : length);
  }

  private static byte[] set(byte[] bytes, int at, byte value) {
    bytes[at] = value;
    return bytes;
  }

  /// Overwrites a number of some bytes, in either byte order.
  private byte[] number(byte[] bytes, int at, int width) {
    long value =
        random.nextInt(4) == 0 ? bytes.length - at : NUMBERS[random.nextInt(NUMBERS.length)];
    boolean big = random.nextBoolean();
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (value >> (8 * (big ? width - 1 - i : i)));
    }
    return bytes;
  }

  /// {@return the beginning of `bytes` and the end of another of the corpus}
  private byte[] splice(byte[] bytes, int at) {
    byte[] other = corpus.get(random.nextInt(corpus.size()));
    int from = random.nextInt(other.length);
    byte[] both = Arrays.copyOf(bytes, at + other.length - from);
    System.arraycopy(other, from, both, at, other.length - from);
    return both;
  }

  private byte[] without(byte[] bytes, int at) {
    int count = Math.min(bytes.length - at, 1 + random.nextInt(32));
    byte[] rest = Arrays.copyOf(bytes, bytes.length - count);
    System.arraycopy(bytes, at + count, rest, at, rest.length - at);
    return rest;
  }

  private byte[] twice(byte[] bytes, int at) {
    int count = Math.min(bytes.length - at, 1 + random.nextInt(256));
    byte[] more = Arrays.copyOf(bytes, bytes.length + count);
    System.arraycopy(bytes, at, more, at + count, bytes.length - at);
    return more;
  }
}
