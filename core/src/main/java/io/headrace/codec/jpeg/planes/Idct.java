package io.headrace.codec.jpeg.planes;

import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The inverse DCT of a block, to samples: whole numbers only.
///
/// Whole blocks have the results of libjpeg-turbo's `jidctint.c`, single samples those of its
/// `jidctred.c`. Blocks that become 4 x 4 or 2 x 2 are the inverse DCT of so many points, of the
/// lowest of their coefficients: what a DCT of that size would have given, had the picture been
/// smaller (R. Dugad, N. Ahuja, "A fast scheme for image size change in the compressed domain",
/// 2001; libjpeg does so from version 7 on). libjpeg-turbo takes means of samples there instead,
/// for which it needs coefficients to the last, and whose results are farther from those of a
/// resize of the whole picture.
///
/// There are two kinds: [ScalarIdct] runs everywhere, and `VectorIdct` where the JVM was started
/// with `--add-modules jdk.incubator.vector`. Confined to one thread, and reused.
public abstract class Idct {
  /// Bits after the point of the constants.
  static final int CONST_BITS = 13;

  /// Bits after the point of what the first pass leaves to the second.
  static final int PASS_BITS = 2;

  /// Bits by which the second pass shifts its sums, for whole blocks.
  static final int LAST_BITS = CONST_BITS + PASS_BITS + 3;

  /// Half of what is lost by that, and what makes samples of differences.
  static final int BIAS = (1 << (LAST_BITS - 1)) + (128 << LAST_BITS);

  static final int F_0_298 = 2446;
  static final int F_0_390 = 3196;
  static final int F_0_541 = 4433;
  static final int F_0_765 = 6270;
  static final int F_0_899 = 7373;
  static final int F_1_175 = 9633;
  static final int F_1_501 = 12299;
  static final int F_1_847 = 15137;
  static final int F_1_961 = 16069;
  static final int F_2_053 = 16819;
  static final int F_2_562 = 20995;
  static final int F_3_072 = 25172;

  /// The largest number that the first pass leaves of what pixels gave is some 4,096 and what
  /// quantisation adds; sums of two of these still fit 16 bits.
  static final int MAX = 16_383;

  /// What the first pass leaves.
  final int[] work = new int[64];

  Idct() {}

  /// {@return the fastest of this JVM, once the JIT has compiled it}
  public static Idct fastest() {
    return Idcts.fastest();
  }

  /// {@return whether the JVM has vectors}
  public static boolean vectors() {
    return Idcts.vectors();
  }

  /// {@return the one in plain Java}
  public static Idct plain() {
    return new ScalarIdct();
  }

  /// Makes 8 x 8 samples of a block, and zeros of its coefficients.
  ///
  /// @param c coefficients in natural order
  /// @param q their factors
  /// @param last index in the zigzag of the last one that is not 0
  /// @param plane uint8
  /// @param offset of the block's first sample, in bytes
  /// @param stride from a row to the next, in bytes
  /// @return whether they are those of libjpeg-turbo: not so where sums leave its 16 bits, as they
  ///     do of coefficients that no pixels have
  public final boolean block(
      int[] c, int[] q, int last, MemorySegment plane, long offset, int stride) {
    if (last == 0) {
      flat(c[0] * q[0], 8, plane, offset, stride);
      c[0] = 0;
      return true;
    }
    int most = whole(c, q, last, plane, offset, stride);
    Arrays.fill(c, 0, 64, 0);
    return most <= MAX;
  }

  /// Makes the samples of a block that becomes 4 x 4 or 2 x 2, and zeros of its coefficients.
  ///
  /// @param c the [Corner] of its coefficients
  /// @param q their factors
  /// @param flat whether all but the first are 0
  /// @param edge samples across and down: 4 or 2
  /// @param plane uint8
  /// @param offset of the block's first sample, in bytes
  /// @param stride from a row to the next, in bytes
  public final void corner(
      int[] c, int[] q, boolean flat, int edge, MemorySegment plane, long offset, int stride) {
    if (flat) {
      flat(c[0] * q[0], edge, plane, offset, stride);
      c[0] = 0;
    } else if (edge == 4) {
      half(c, q, plane, offset, stride);
      Arrays.fill(c, 0, 16, 0);
    } else {
      quarter(c, q, plane, offset, stride);
      Arrays.fill(c, 0, 4, 0);
    }
  }

  private static void quarter(int[] c, int[] q, MemorySegment plane, long offset, int stride) {
    int a = c[0] * q[0] + 4 + (128 << 3);
    int across = c[1] * q[1];
    int down = c[2] * q[2];
    int both = c[3] * q[3];
    int left = clamp((a + across + down + both) >> 3);
    int right = clamp((a - across + down - both) >> 3);
    plane.set(U16, offset, (short) (left | (right << 8)));
    left = clamp((a + across - down - both) >> 3);
    right = clamp((a - across - down + both) >> 3);
    plane.set(U16, offset + stride, (short) (left | (right << 8)));
  }

  /// {@return the sample that a block is, or its mean}
  public static int sample(int dc) {
    return clamp(((dc + 4) >> 3) + 128);
  }

  private static void flat(int dc, int edge, MemorySegment plane, long offset, int stride) {
    long samples = sample(dc) * 0x0101_0101_0101_0101L;
    long at = offset;
    for (int row = 0; row < edge; row++) {
      switch (edge) {
        case 8 -> plane.set(U64, at, samples);
        case 4 -> plane.set(U32, at, (int) samples);
        default -> plane.set(U16, at, (short) samples);
      }
      at += stride;
    }
  }

  /// Makes 8 x 8 samples.
  ///
  /// @return more than [#MAX] if the first pass left more than that, of any sign
  abstract int whole(int[] c, int[] q, int last, MemorySegment plane, long offset, int stride);

  /// Makes 4 x 4 samples of a corner.
  abstract void half(int[] c, int[] q, MemorySegment plane, long offset, int stride);

  static int descale(int value, int bits) {
    return (value + (1 << (bits - 1))) >> bits;
  }

  static int clamp(int sample) {
    return Math.max(0, Math.min(255, sample));
  }
}
