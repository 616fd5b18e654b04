package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.jpeg.coefficients.Blocks.SHORT;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.RESOLVED;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.extend;

import io.headrace.codec.jpeg.entropy.CodedBits;
import io.headrace.codec.jpeg.entropy.HuffmanTable;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// Decodes blocks from coded data: the procedures of ITU-T T.81, F.2.2 and G.2.
final class BlockReader extends CodedBits {
  /// Largest magnitude of a DC coefficient: any difference of two has at most 15 bits.
  private static final int MAX_DC = 16_383;

  /// What a position in the zigzag becomes where a coefficient cannot be.
  private static final int BAD = 1000;

  /// Blocks still to come that have no new coefficient in this band.
  private int endRun;

  /// Takes the coded data from `at` on, up to the next marker.
  void start(MemorySegment jpeg, long at) {
    load(jpeg, at);
    endRun = 0;
  }

  /// Takes the coded data after a marker.
  void restart(long at) {
    load(at);
    endRun = 0;
  }

  /// {@return whether a run of blocks without new coefficients has not come to its end}
  boolean runs() {
    return endRun > 0;
  }

  /// {@return the DC coefficient, shifted left by `shift`}
  ///
  /// @param predicted that of the block before, not shifted
  int dc(HuffmanTable table, int predicted, int shift) throws DecodeException {
    refill();
    int entry = table.look[(int) (bits >>> (64 - LOOK))];
    int difference;
    if ((entry & RESOLVED) != 0 && (entry & 0xf000) == 0) {
      drop(entry & 31);
      difference = entry >> 16;
    } else {
      int size = symbol(table);
      if (size > 15) {
        throw fail("DC difference of %d bits".formatted(size));
      }
      difference = size == 0 ? 0 : extend(take(size), size);
    }
    int value = predicted + difference;
    if (Math.abs((long) value << shift) > MAX_DC) {
      throw fail("DC coefficient %d".formatted((long) value << shift));
    }
    return value;
  }

  /// {@return the next bit}
  int bit() {
    refill();
    return take(1);
  }

  /// Reads the AC coefficients of a sequential scan (T.81, F.2.2.2).
  void ac(HuffmanTable table, MemorySegment planes, long block) throws DecodeException {
    acBand(table, planes, block, 1, 63, 0, true);
  }

  /// Reads a band of AC coefficients for the first time in a progressive scan (T.81, G.1.2.2).
  ///
  /// @param shift the point transform, Al
  void acFirst(HuffmanTable table, MemorySegment planes, long block, int first, int last, int shift)
      throws DecodeException {
    if (endRun > 0) {
      endRun--;
    } else {
      acBand(table, planes, block, first, last, shift, false);
    }
  }

  private void acBand(
      HuffmanTable table,
      MemorySegment planes,
      long block,
      int first,
      int last,
      int shift,
      boolean sequential)
      throws DecodeException {
    int[] look = table.look;
    byte[] bytes = this.bytes;
    long b = bits; // fields in registers: this loop is where reading spends its time
    int n = count;
    int p = next;
    int k = first;
    while (k <= last) {
      if (n < 32) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56;
      }
      int entry = look[(int) (b >>> (64 - LOOK))];
      if (entry == 0) {
        entry = table.find((int) (b >>> 48));
      }
      int length = entry & 31;
      b <<= length;
      n -= length;
      int run = (entry >>> 12) & 15;
      int size = (entry >>> 8) & 15;
      k += run;
      int value = entry >> 16;
      if ((entry & RESOLVED) == 0) {
        if (size == 0) {
          if (run == 15) {
            k++;
            continue;
          }
          bits = b;
          count = n;
          next = p;
          endOfBand(entry, run, sequential);
          return;
        }
        value = extend((int) (b >>> (64 - size)), size);
        b <<= size;
        n -= size;
      }
      int shifted = value << shift;
      if (k > last || shifted != (short) shifted || shifted == Short.MIN_VALUE) {
        k = BAD;
        break;
      }
      planes.set(SHORT, block + 2L * k, (short) shifted);
      k++;
    }
    bits = b;
    count = n;
    next = p;
    if (k > last + 1) {
      throw fail(k == BAD ? "AC coefficient out of range" : "run of zeros leaves the block");
    }
  }

  private void endOfBand(int entry, int run, boolean sequential) throws DecodeException {
    if (entry == 0 || (sequential && run != 0)) {
      throw fail("no such Huffman code");
    }
    endRun = run == 0 ? 0 : (1 << run) - 1 + take(run);
  }

  /// Reads one more bit of a band of AC coefficients (T.81, G.1.2.3).
  ///
  /// @param shift the point transform, Al
  void acRefine(
      HuffmanTable table, MemorySegment planes, long block, int first, int last, int shift)
      throws DecodeException {
    long known = Blocks.nonzero(planes, block);
    int[] look = table.look;
    int k = first;
    while (k <= last && endRun == 0) {
      refill();
      int entry = look[(int) (bits >>> (64 - LOOK))];
      int run = (entry >>> 12) & 15;
      int size = (entry >>> 8) & 15;
      int value = (entry >> 16) << shift;
      if ((entry & RESOLVED) != 0) {
        drop(entry & 31);
      } else {
        int symbol = symbol(table);
        run = symbol >>> 4;
        size = symbol & 15;
        value = size == 0 ? 0 : extend(take(1), 1) << shift;
      }
      if (size > 1) {
        throw fail("new AC coefficient of %d bits".formatted(size));
      }
      if (size == 0 && run < 15) {
        endRun = (1 << run) + (run == 0 ? 0 : take(run));
        break;
      }
      long zeros = ~known & Blocks.band(k, 63);
      for (; run > 0; run--) {
        zeros &= zeros - 1;
      }
      int to = Math.min(last + 1, Long.numberOfTrailingZeros(zeros));
      if (to > k) {
        correct(planes, block, known & Blocks.band(k, to - 1), shift);
      }
      k = to;
      if (value != 0) {
        if (k > last) {
          throw fail("run of zeros leaves the block");
        }
        planes.set(SHORT, block + 2L * k, (short) value);
      }
      k++;
    }
    if (endRun > 0) {
      endRun--;
      if (k <= last) {
        correct(planes, block, known & Blocks.band(k, last), shift);
      }
    }
  }

  /// Reads a bit more of each of some coefficients.
  private void correct(MemorySegment planes, long block, long which, int shift) {
    byte[] bytes = this.bytes;
    long b = bits;
    int n = count;
    int p = next;
    for (long left = which; left != 0; left &= left - 1) {
      if (n == 0) {
        b = (long) WORDS.get(bytes, p);
        p += 7;
        n = 56;
      }
      if (b < 0) {
        long at = block + 2L * Long.numberOfTrailingZeros(left);
        short old = planes.get(SHORT, at);
        planes.set(SHORT, at, (short) (old + ((old < 0 ? -1 : 1) << shift)));
      }
      b <<= 1;
      n--;
    }
    bits = b;
    count = n;
    next = p;
  }
}
