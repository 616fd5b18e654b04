package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.INTS;
import static io.headrace.codec.jpeg.packed.PackedLayout.LANES;
import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;

/// Reads symbols that were dealt to four lanes in turn, so that four chains of look-ups run side by
/// side.
///
/// Damaged codes may lead beyond a lane's end, which [#end] finds: whoever hands over bytes has
/// room after them for as many as symbols can take.
final class Lanes {
  private static final int MASK = (1 << SymbolCode.LONGEST) - 1;

  /// Symbols of each lane that are looked up without another look at how many bits there are.
  private static final int AT_ONCE = 56 / SymbolCode.LONGEST;

  private byte[] in = new byte[0];
  private int lane0;
  private int lane1;
  private int lane2;
  private int lane3;

  /// Goes to the beginning.
  ///
  /// @param lengths of the lanes, in bytes, of which the first lies at the beginning of `in`
  /// @param at index of the first length
  void start(byte[] in, int[] lengths, int at) {
    this.in = in;
    lane0 = 0;
    lane1 = 8 * lengths[at];
    lane2 = lane1 + 8 * lengths[at + 1];
    lane3 = lane2 + 8 * lengths[at + 2];
  }

  /// {@return whether each lane has been read to its last byte, and not beyond}
  ///
  /// @param lengths as [#start] took them
  boolean end(int[] lengths, int at) {
    int end0 = 8 * lengths[at];
    int end1 = end0 + 8 * lengths[at + 1];
    int end2 = end1 + 8 * lengths[at + 2];
    int end3 = end2 + 8 * lengths[at + 3];
    int left = (end0 - lane0) | (end1 - lane1) | (end2 - lane2) | (end3 - lane3);
    return left >= 0 && left < 8;
  }

  /// Reads symbols.
  ///
  /// @param n how many
  /// @param out with room for three more
  void read(SymbolCode code, int n, byte[] out) {
    char[] look = code.look;
    byte[] from = in;
    int p0 = lane0;
    int p1 = lane1;
    int p2 = lane2;
    int p3 = lane3;
    int i = 0;
    for (; i + LANES * AT_ONCE <= n; i += LANES * AT_ONCE) {
      long w0 = (long) LONGS.get(from, p0 >>> 3) >>> (p0 & 7);
      long w1 = (long) LONGS.get(from, p1 >>> 3) >>> (p1 & 7);
      long w2 = (long) LONGS.get(from, p2 >>> 3) >>> (p2 & 7);
      long w3 = (long) LONGS.get(from, p3 >>> 3) >>> (p3 & 7);
      int s0 = 0; // sums of lengths, in the lowest byte
      int s1 = 0;
      int s2 = 0;
      int s3 = 0;
      for (int k = 0; k < AT_ONCE; k++) {
        int e0 = look[(int) w0 & MASK];
        int e1 = look[(int) w1 & MASK];
        int e2 = look[(int) w2 & MASK];
        int e3 = look[(int) w3 & MASK];
        w0 >>>= e0; // by the lowest six bits, in which there is the length alone
        w1 >>>= e1;
        w2 >>>= e2;
        w3 >>>= e3;
        s0 += e0;
        s1 += e1;
        s2 += e2;
        s3 += e3;
        INTS.set(out, i + LANES * k, four(e0, e1, e2, e3));
      }
      p0 += s0 & 255;
      p1 += s1 & 255;
      p2 += s2 & 255;
      p3 += s3 & 255;
    }
    for (; i < n; i += LANES) {
      int e0 = look[(int) ((long) LONGS.get(from, p0 >>> 3) >>> (p0 & 7)) & MASK];
      int e1 = look[(int) ((long) LONGS.get(from, p1 >>> 3) >>> (p1 & 7)) & MASK];
      int e2 = look[(int) ((long) LONGS.get(from, p2 >>> 3) >>> (p2 & 7)) & MASK];
      int e3 = look[(int) ((long) LONGS.get(from, p3 >>> 3) >>> (p3 & 7)) & MASK];
      INTS.set(out, i, four(e0, e1, e2, e3));
      p0 += e0 & 255;
      p1 += i + 1 < n ? e1 & 255 : 0;
      p2 += i + 2 < n ? e2 & 255 : 0;
      p3 += i + 3 < n ? e3 & 255 : 0;
    }
    lane0 = p0;
    lane1 = p1;
    lane2 = p2;
    lane3 = p3;
  }

  /// {@return four symbols, the first in the lowest byte}
  private static int four(int e0, int e1, int e2, int e3) {
    return (e0 >>> 8) | (e1 & 0xff00) | ((e2 & 0xff00) << 8) | ((e3 & 0xff00) << 16);
  }
}
