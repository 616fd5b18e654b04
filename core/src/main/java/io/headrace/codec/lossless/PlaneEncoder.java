package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Encodes one plane of one tile, as [PlaneDecoder] reads it.
final class PlaneEncoder {
  /// Bits that one exception costs.
  private static final int EXCEPTION_BITS = 16;

  private static final int MAX_SAMPLES = Header.MAX_TILE_SAMPLES;

  /// One sample of 16, and bridges.
  private static final int MAX_EXCEPTIONS = MAX_SAMPLES / 16 + MAX_SAMPLES / 255 + 1;

  private final FrameEncoder frames;
  private final boolean signed;
  private final long[] lows = new long[MAX_SAMPLES / 16];
  private final long[] stored = new long[MAX_SAMPLES / 16];
  private final byte[] groups = new byte[MAX_SAMPLES + 7];
  private final int[] counts = new int[256];
  private final int[] widthPairs = new int[256];
  private final int[] high = new int[16];
  private final byte[] steps = new byte[MAX_EXCEPTIONS];
  private final byte[] residuals = new byte[MAX_EXCEPTIONS];
  private byte[] best = new byte[MAX_SAMPLES];
  private byte[] other = new byte[MAX_SAMPLES];
  private Filter filter = Filter.UP;
  private int width;
  private int rows;
  private int groupBytes;
  private boolean inPairs;

  /// @param signed whether samples are differences
  PlaneEncoder(FrameEncoder frames, boolean signed) {
    this.frames = frames;
    this.signed = signed;
  }

  /// {@return bytes that header, widths and body of a plane of so many samples never exceed}
  static long bound(int samples) {
    return PlaneDecoder.HEADER + 2L * samples;
  }

  /// Takes a plane and chooses how to encode it.
  ///
  /// @param samples `rows` of `width`, packed
  /// @param width a multiple of 8
  /// @param rows even
  /// @param columns that matter, up to `width`
  void open(byte[] samples, int width, int rows, int columns, LosslessLevel level) {
    this.width = width;
    this.rows = rows;
    boolean pairs = level.pairs() > 0 && width * rows / 2 >= FrameEncoder.MIN;
    double least = Double.POSITIVE_INFINITY;
    for (int code = 0; code < level.filters(); code++) {
      Filter candidate = Filter.of(code);
      candidate.apply(samples, width, rows, signed, other);
      fold(columns);
      double bits = groupBits();
      double pairBits = pairs ? pairBits() / level.pairs() : Double.POSITIVE_INFINITY;
      if (Math.min(bits, pairBits) < least) {
        least = Math.min(bits, pairBits);
        filter = candidate;
        inPairs = pairBits < bits;
        byte[] swap = best;
        best = other;
        other = swap;
      }
    }
  }

  private void fold(int columns) {
    for (int y = 0; y < rows; y++) {
      int end = y * width + columns;
      for (int i = y * width; i < end; i++) {
        other[i] = (byte) ((other[i] << 1) ^ (other[i] >> 7));
      }
      Arrays.fill(other, end, (y + 1) * width, (byte) 0);
    }
  }

  private double groupBits() {
    Arrays.fill(widthPairs, 0);
    long bytes = 0;
    for (int y = 0; y < rows; y += 2) {
      for (int i = y * width; i < (y + 1) * width; i += 8) {
        int even = Groups.width((long) Bytes8.IN_ARRAY.get(other, i));
        int odd = Groups.width((long) Bytes8.IN_ARRAY.get(other, i + width));
        bytes += even + odd;
        widthPairs[even | (odd << 4)]++;
      }
    }
    return 8.0 * bytes + bits(widthPairs, width * rows / 16);
  }

  private double pairBits() {
    count(other);
    return bits(counts, width * rows);
  }

  private void count(byte[] folded) {
    Arrays.fill(counts, 0);
    for (int i = 0; i < width * rows; i++) {
      counts[folded[i] & 0xff]++;
    }
  }

  /// {@return bits that an ideal coder of single symbols would need}
  private static double bits(int[] counts, int total) {
    double bits = 0;
    for (int count : counts) {
      if (count > 0) {
        bits += count * Math.log((double) total / count);
      }
    }
    return bits / Math.log(2);
  }

  /// Packs the groups, if those were chosen.
  ///
  /// @param to takes widths
  /// @param at where
  /// @return where the widths end
  int writeWidths(byte[] to, int at) {
    if (inPairs) {
      return at;
    }
    groupBytes = 0;
    for (int y = 0; y < rows; y++) {
      int shift = (y & 1) << 2;
      for (int x = 0; x < width; x += 8) {
        long folded = (long) Bytes8.IN_ARRAY.get(best, y * width + x);
        int bits = Groups.width(folded);
        int pair = at + (((y >> 1) * width + x) >> 3);
        to[pair] = (byte) (shift == 0 ? bits : to[pair] | (bits << shift));
        Bytes8.IN_ARRAY.set(groups, groupBytes, Groups.compress(folded, bits));
        groupBytes += bits;
      }
    }
    return at + width * rows / 16;
  }

  /// Writes header and body.
  ///
  /// @param out takes at most [#bound] bytes
  /// @param header where that goes
  /// @param start of the body
  /// @return where the body ends
  long write(MemorySegment out, long header, long start) {
    if (inPairs) {
      return writePairs(out, header, start);
    }
    writeHeader(out, header, PlaneDecoder.GROUPS, 0, groupBytes);
    MemorySegment.copy(groups, 0, out, JAVA_BYTE, start, groupBytes);
    return start + groupBytes;
  }

  private long writePairs(MemorySegment out, long header, long start) {
    int count = width * rows;
    count(best);
    int low = chooseLow(count);
    int exceptions = split(low);
    int length = frames.write(count / 2, true, out, start);
    writeHeader(out, header, low, exceptions, length);
    long at = start + length;
    if (low > 0) {
      int lowLongs = Pairs.lowLongs(low, count / 16);
      Pairs.gather(lows, low, count / 16, stored);
      MemorySegment.copy(stored, 0, out, Bytes8.LAYOUT, at, lowLongs);
      at += 8L * lowLongs;
    }
    MemorySegment.copy(steps, 0, out, JAVA_BYTE, at, exceptions);
    MemorySegment.copy(residuals, 0, out, JAVA_BYTE, at + exceptions, exceptions);
    return at + 2L * exceptions;
  }

  private void writeHeader(MemorySegment out, long at, int packing, int exceptions, int length) {
    out.set(JAVA_BYTE, at, (byte) filter.code());
    out.set(JAVA_BYTE, at + 1, (byte) packing);
    out.set(Header.U16, at + 2, (short) exceptions);
    out.set(Header.U32, at + 4, length);
  }

  private int chooseLow(int count) {
    int chosen = 4;
    double least = Double.POSITIVE_INFINITY;
    for (int low = 0; low <= 4; low++) {
      Arrays.fill(high, 0);
      int exceptions = 0;
      for (int value = 0; value < 256; value++) {
        high[Math.min(15, value >> low)] += counts[value];
        exceptions += value >> low > 15 ? counts[value] : 0;
      }
      double bits = bits(high, count) + (double) low * count + EXCEPTION_BITS * exceptions;
      if (bits < least && exceptions <= count / 16) {
        least = bits;
        chosen = low;
      }
    }
    return chosen;
  }

  /// Splits `best` to pairs, `lows` and exceptions.
  ///
  /// @return exceptions found
  private int split(int low) {
    byte[] plain = frames.plain;
    Arrays.fill(lows, 0, width * rows / 16, 0);
    int exceptions = 0;
    int last = 0;
    long mask = (1L << low) - 1;
    for (int y = 0; y < rows; y++) {
      int shift = (y & 1) << 2;
      int keep = 0x0f & -(y & 1);
      int toPair = (y >> 1) * width - y * width;
      for (int i = y * width; i < (y + 1) * width; i++) {
        int folded = best[i] & 0xff;
        int top = folded >> low;
        if (top > 15) {
          for (; i - last > 255; last += 255) {
            exceptions = except(exceptions, 255, last + 255); // is none, but bridges the distance
          }
          exceptions = except(exceptions, i - last, i);
          last = i;
          top = 0;
        }
        int pair = i + toPair;
        plain[pair] = (byte) ((plain[pair] & keep) | (top << shift));
        lows[pair >> 3] |= (folded & mask) << (8 * (pair & 7) + shift);
      }
    }
    return exceptions;
  }

  private int except(int exceptions, int step, int sample) {
    steps[exceptions] = (byte) step;
    residuals[exceptions] = best[sample];
    return exceptions + 1;
  }
}
