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
  /// @param stored [#lowLongs] longs
  /// @param low 1 to 4
  /// @param pairs longs
  /// @param to takes that many
  static void spread(long[] stored, int low, int pairs, long[] to) {
    if (low == 4) {
      System.arraycopy(stored, 0, to, 0, pairs);
      return;
    }
    if (low == 1) {
      spreadBits(stored, 0, pairs, to);
      return;
    }
    int part = part(pairs, 2);
    for (int i = 0; i < part; i++) {
      to[i] = stored[i] & TWO_BITS;
    }
    for (int i = part; i < pairs; i++) {
      to[i] = (stored[i - part] >>> 2) & TWO_BITS;
    }
    if (low == 3) {
      addBits(stored, part, pairs, to);
    }
  }

  private static void spreadBits(long[] stored, int from, int pairs, long[] to) {
    int part = part(pairs, 4);
    for (int shift = 0, start = 0; shift < 4; shift++, start += part) {
      int end = Math.min(pairs, start + part);
      for (int i = start; i < end; i++) {
        to[i] = (stored[from + i - start] >>> shift) & ONE_BIT;
      }
    }
  }

  private static void addBits(long[] stored, int from, int pairs, long[] to) {
    int part = part(pairs, 4);
    for (int shift = 0, start = 0; shift < 4; shift++, start += part) {
      int end = Math.min(pairs, start + part);
      for (int i = start; i < end; i++) {
        to[i] |= ((stored[from + i - start] >>> shift) & ONE_BIT) << 2;
      }
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
