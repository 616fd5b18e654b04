package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Rows of planes to RGB, channels last. One per decoder: it has scratch rows.
///
/// Eight pixels at a time, as four fields of two bytes each: of even columns `r g`, of odd ones
/// `g b`, and between them `b r`, the blue of an even one and the red of the next.
final class Interleave {
  private static final int LONGS = Header.MAX_TILE_SAMPLES / 16;

  private final long[] rg = new long[LONGS];
  private final long[] br = new long[LONGS];
  private final long[] gb = new long[LONGS];
  private final long[] row = new long[3 * LONGS];

  /// Writes part of a row.
  ///
  /// @param green samples
  /// @param red differences to `green`
  /// @param blue differences to `green`
  /// @param first column
  /// @param end after the last column
  /// @param rgb takes `3 * (end - first)` bytes
  /// @param to where, in bytes
  void colour(
      long[] green, long[] red, long[] blue, int first, int end, MemorySegment rgb, long to) {
    pair(green, red, blue, (end + 7) >> 3);
    write(first, end, rgb, to);
  }

  /// Writes a plane's part of a row, whole longs of it.
  ///
  /// @param samples of a row
  /// @param differences to them, of the plane that is wanted, or null for the samples themselves
  /// @param from first long
  /// @param end after the last long
  /// @param to where, in bytes
  void plane(
      long[] samples,
      long @Nullable [] differences,
      int from,
      int end,
      MemorySegment memory,
      long to) {
    long[] plane = samples;
    if (differences != null) {
      add(samples, differences, rg, from, end);
      plane = rg;
    }
    MemorySegment.copy(plane, from, memory, Bytes8.LAYOUT, to, end - from);
  }

  private static void add(long[] samples, long[] differences, long[] out, int from, int end) {
    for (int i = from; i < end; i++) {
      out[i] = Bytes8.add(differences[i], samples[i]);
    }
  }

  /// Writes part of a row as three equal channels.
  void grey(long[] samples, int first, int end, MemorySegment rgb, long to) {
    pair(samples, (end + 7) >> 3);
    write(first, end, rgb, to);
  }

  private void pair(long[] green, long[] red, long[] blue, int longs) {
    pair(green, red, blue, rg, br, gb, longs);
  }

  private static void pair(
      long[] green, long[] red, long[] blue, long[] rg, long[] br, long[] gb, int longs) {
    for (int i = 0; i < longs; i++) {
      long g = green[i];
      long r = Bytes8.add(red[i], g);
      long b = Bytes8.add(blue[i], g);
      rg[i] = (r & Bytes8.EVEN) | ((g & Bytes8.EVEN) << 8);
      br[i] = (b & Bytes8.EVEN) | (r & ~Bytes8.EVEN);
      gb[i] = ((g >>> 8) & Bytes8.EVEN) | (b & ~Bytes8.EVEN);
    }
  }

  private void pair(long[] samples, int longs) {
    for (int i = 0; i < longs; i++) {
      long even = samples[i] & Bytes8.EVEN;
      long odd = (samples[i] >>> 8) & Bytes8.EVEN;
      rg[i] = even | (even << 8);
      br[i] = samples[i];
      gb[i] = odd | (odd << 8);
    }
  }

  private void write(int first, int end, MemorySegment rgb, long to) {
    int whole = Math.min(end, (first + 7) & ~7);
    int last = Math.max(whole, end & ~7);
    single(first, whole, rgb, to);
    eights(rg, br, gb, whole >> 3, last >> 3, row);
    MemorySegment.copy(
        row,
        3 * (whole >> 3),
        rgb,
        Bytes8.LAYOUT,
        to + 3L * (whole - first),
        3 * ((last >> 3) - (whole >> 3)));
    single(last, end, rgb, to + 3L * (last - first));
  }

  private void single(int first, int end, MemorySegment rgb, long to) {
    long at = to;
    for (int x = first; x < end; x++) {
      int field = (x & 6) << 3;
      long front = (x & 1) == 0 ? rg[x >> 3] >>> field : br[x >> 3] >>> field >>> 8;
      long back = (x & 1) == 0 ? br[x >> 3] >>> field : gb[x >> 3] >>> field >>> 8;
      long middle = (x & 1) == 0 ? front >>> 8 : gb[x >> 3] >>> field;
      rgb.set(JAVA_BYTE, at, (byte) front);
      rgb.set(JAVA_BYTE, at + 1, (byte) middle);
      rgb.set(JAVA_BYTE, at + 2, (byte) back);
      at += 3;
    }
  }

  private static void eights(long[] rg, long[] br, long[] gb, int from, int end, long[] row) {
    for (int i = from; i < end; i++) {
      long a = rg[i];
      long b = br[i];
      long c = gb[i];
      row[3 * i] = (a & 0xffffL) | ((b & 0xffffL) << 16) | ((c & 0xffffL) << 32) | (a >>> 16 << 48);
      row[3 * i + 1] =
          ((b >>> 16) & 0xffffL)
              | (c & 0xffff0000L)
              | (a & 0xffff00000000L)
              | ((b & 0xffff00000000L) << 16);
      row[3 * i + 2] =
          ((c >>> 32) & 0xffffL) | (a >>> 48 << 16) | (b >>> 48 << 32) | (c & 0xffff000000000000L);
    }
  }
}
