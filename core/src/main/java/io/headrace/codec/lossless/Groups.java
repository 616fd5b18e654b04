package io.headrace.codec.lossless;

/// Folded residuals in groups of eight neighbours in a row: each group with as many bits a residual
/// as its largest one needs, its width, so that a group has `width` bytes.
///
///     width of 3:   bits 0–2 residual 0 | 3–5 residual 1 | … | 21–23 residual 7
///
/// Widths, 0 to 8, are kept apart, those of two rows in a byte:
///
///     byte x of pair row y:   bits 0–3 group x of row 2y | bits 4–7 group x of row 2y + 1
final class Groups {
  /// By width: a residual in every byte.
  private static final long[] RESIDUALS = new long[16];

  /// By width: the first four, two and one of the fields that a field is split to.
  private static final long[] FOUR = new long[16];

  private static final long[] TWO = new long[16];
  private static final long[] ONE = new long[16];

  static {
    for (int width = 0; width <= 8; width++) {
      RESIDUALS[width] = ((1L << width) - 1) * Bytes8.LOW_BITS;
      FOUR[width] = (1L << (4 * width)) - 1;
      TWO[width] = ((1L << (2 * width)) - 1) * 0x0000000100000001L;
      ONE[width] = ((1L << width) - 1) * 0x0001000100010001L;
    }
  }

  private Groups() {}

  /// {@return eight fields of `width` bits as eight bytes}
  static long expand(long fields, int width) {
    return Bmi2.FAST ? Long.expand(fields, RESIDUALS[width]) : expandInSteps(fields, width);
  }

  /// Halves the fields three times, as [#expand] does at once.
  static long expandInSteps(long fields, int width) {
    long four = FOUR[width];
    long two = TWO[width];
    long one = ONE[width];
    long fours = (fields & four) | ((fields << (32 - 4 * width)) & (four << 32));
    long twos = (fours & two) | ((fours << (16 - 2 * width)) & (two << 16));
    return (twos & one) | ((twos << (8 - width)) & (one << 8));
  }

  /// {@return eight bytes as fields of `width` bits, which they fit in}
  static long compress(long bytes, int width) {
    long fields = 0;
    for (int i = 0; i < 8; i++) {
      fields |= ((bytes >>> (8 * i)) & 0xff) << (width * i);
    }
    return fields;
  }

  /// {@return bits that the largest of eight bytes needs}
  static int width(long bytes) {
    long halves = bytes | (bytes >>> 32);
    long quarters = halves | (halves >>> 16);
    return 32 - Integer.numberOfLeadingZeros((int) (quarters | (quarters >>> 8)) & 0xff);
  }

  /// {@return bytes of the groups with those widths, or -1 if one is over 8}
  ///
  /// @param widths pairs, with room for seven bytes after the last
  /// @param from the first pair
  /// @param pairs how many
  static int bytes(byte[] widths, int from, int pairs) {
    int bytes = 0;
    long above = 0;
    for (int i = 0; i < pairs; i += 8) {
      long eight = (long) Bytes8.IN_ARRAY.get(widths, from + i);
      if (pairs - i < 8) {
        eight &= (1L << (8 * (pairs - i))) - 1;
      }
      long even = eight & Bytes8.LOW_HALVES;
      long odd = (eight >>> 4) & Bytes8.LOW_HALVES;
      bytes += (int) (((even + odd) * Bytes8.LOW_BITS) >>> 56); // at most 240
      above |= (even + 7 * Bytes8.LOW_BITS) | (odd + 7 * Bytes8.LOW_BITS);
    }
    return (above & (Bytes8.LOW_BITS << 4)) != 0 ? -1 : bytes;
  }

  /// Unpacks one row.
  ///
  /// @param data the groups, with room for eight bytes after the last
  /// @param from where those of the row start
  /// @param widths pairs
  /// @param pair of the first group
  /// @param shift 0 for an even row, 4 for an odd one
  /// @param folded takes residuals
  /// @param longs groups in the row
  /// @return where the next row's groups start
  static int unpack(
      byte[] data, int from, byte[] widths, int pair, int shift, long[] folded, int longs) {
    int at = from;
    for (int x = 0; x < longs; x++) {
      int width = (widths[pair + x] >> shift) & 0x0f;
      folded[x] = expand((long) Bytes8.IN_ARRAY.get(data, at), width);
      at += width;
    }
    return at;
  }
}
