package io.headrace.codec.lossless;

/// Folded residuals split in two: `low` bits, which are as good as random
/// and stored as they are, and up to four above them, of which two rows share a byte.
///
///     byte x of pair row y:   bits 0–3 of column x in row 2y | bits 4–7 of it in row 2y + 1
///
/// An entropy coder sees half as many symbols, and sees what neighbours in a column have in common.
/// The low bits go in pairs of rows too, then 4 / `low` of those bytes into one: the first `low`
/// bits of each half are of the first part of all pairs, the next ones of the second part, and so
/// on. Three bits are stored as the lower two, then the third.
final class Pairs {
  private static final long TWO_BITS = 0x3333333333333333L;
  private static final long ONE_BIT = 0x1111111111111111L;

  private Pairs() {}

  /// {@return longs that the low bits of `pairs` longs of pairs are stored in}
  static int lowLongs(int low, int pairs) {
    return switch (low) {
      case 0 -> 0;
      case 1 -> part(pairs, 4);
      case 2 -> part(pairs, 2);
      case 3 -> part(pairs, 2) + part(pairs, 4);
      default -> pairs;
    };
  }

  private static int part(int pairs, int parts) {
    return (pairs + parts - 1) / parts;
  }

  /// Spreads stored low bits to one pair a byte.
  ///
  /// @param stored holds [#lowLongs] longs
  /// @param from where they start
  /// @param low 1 to 4
  /// @param pairs longs
  /// @param to takes that many
  static void spread(byte[] stored, int from, int low, int pairs, long[] to) {
    switch (low) {
      case 1 -> add(stored, from, ONE_BIT, 4, 0, pairs, to);
      case 2 -> add(stored, from, TWO_BITS, 2, 0, pairs, to);
      case 3 -> {
        add(stored, from, TWO_BITS, 2, 0, pairs, to);
        add(stored, from + 8 * part(pairs, 2), ONE_BIT, 4, 2, pairs, to);
      }
      default -> add(stored, from, -1, 1, 0, pairs, to);
    }
  }

  /// Adds to pairs the bits that are stored for each of so many parts; at `above` 0 sets them.
  private static void add(
      byte[] stored, int from, long mask, int parts, int above, int pairs, long[] to) {
    int part = part(pairs, parts);
    int step = 4 / parts;
    for (int i = 0; i < parts; i++) {
      int start = Math.min(pairs, i * part);
      int end = Math.min(pairs, start + part);
      add(stored, from, i * step, mask, above, start, end, to);
    }
  }

  private static void add(
      byte[] stored, int from, int shift, long mask, int above, int start, int end, long[] to) {
    long keep = above == 0 ? 0 : -1;
    for (int i = start; i < end; i++) {
      long bits = (long) Bytes8.IN_ARRAY.get(stored, from + 8 * (i - start)) >>> shift;
      to[i] = (to[i] & keep) | ((bits & mask) << above);
    }
  }

  /// Gathers one pair a byte to stored low bits: undoes [#spread].
  static void gather(long[] pairsOfLow, int low, int pairs, long[] to) {
    if (low == 4) {
      System.arraycopy(pairsOfLow, 0, to, 0, pairs);
      return;
    }
    int end = 0;
    if (low >= 2) {
      end = gather(pairsOfLow, 0, TWO_BITS, 2, pairs, to, 0);
    }
    if (low != 2) {
      gather(pairsOfLow, low - 1, ONE_BIT, 4, pairs, to, end);
    }
  }

  private static int gather(
      long[] from, int shift, long mask, int parts, int pairs, long[] to, int at) {
    int part = part(pairs, parts);
    for (int i = 0; i < part; i++) {
      long stored = 0;
      for (int j = 0; j < parts && j * part + i < pairs; j++) {
        stored |= ((from[j * part + i] >>> shift) & mask) << (j * 4 / parts);
      }
      to[at + i] = stored;
    }
    return at + part;
  }

  /// Joins pairs that have no low bits.
  ///
  /// @param pairs high parts, `8 * longs` bytes to a pair of rows
  /// @param folded takes residuals, `2 * rowPairs` rows
  static void join(byte[] pairs, int longs, int rowPairs, long[] folded) {
    for (int y = 0; y < rowPairs; y++) {
      joinRows(pairs, y * longs, longs, folded, 2 * y * longs);
    }
  }

  private static void joinRows(byte[] pairs, int from, int longs, long[] folded, int to) {
    for (int i = 0; i < longs; i++) {
      long pair = (long) Bytes8.IN_ARRAY.get(pairs, 8 * (from + i));
      folded[to + i] = pair & Bytes8.LOW_HALVES;
      folded[to + longs + i] = (pair >>> 4) & Bytes8.LOW_HALVES;
    }
  }

  /// Joins pairs and their low bits.
  ///
  /// @param lows pairs of low parts, as many
  /// @param low bits of those, 1 to 4
  static void join(byte[] pairs, long[] lows, int low, int longs, int rowPairs, long[] folded) {
    for (int y = 0; y < rowPairs; y++) {
      joinRows(pairs, lows, low, y * longs, longs, folded, 2 * y * longs);
    }
  }

  private static void joinRows(
      byte[] pairs, long[] lows, int low, int from, int longs, long[] folded, int to) {
    for (int i = 0; i < longs; i++) {
      long pair = (long) Bytes8.IN_ARRAY.get(pairs, 8 * (from + i));
      long rest = lows[from + i];
      folded[to + i] = ((pair & Bytes8.LOW_HALVES) << low) | (rest & Bytes8.LOW_HALVES);
      folded[to + longs + i] =
          (((pair >>> 4) & Bytes8.LOW_HALVES) << low) | ((rest >>> 4) & Bytes8.LOW_HALVES);
    }
  }
}
