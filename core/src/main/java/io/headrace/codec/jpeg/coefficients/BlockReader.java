package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.jpeg.coefficients.Blocks.SHORT;
import static io.headrace.codec.jpeg.coefficients.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.coefficients.HuffmanTable.RESOLVED;
import static io.headrace.codec.jpeg.coefficients.HuffmanTable.extend;
import static io.headrace.codec.jpeg.coefficients.Markers.corrupt;
import static io.headrace.codec.jpeg.coefficients.Markers.truncated;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// Decodes blocks from coded data: the procedures of ITU-T T.81, F.2.2 and G.2.
///
/// Bits lie at the top of `bits`, `count` of them; 32 or more after a refill, which is enough for
/// one code and its extra bits. Reading on behind the end gives zeros: whoever reads blocks asks
/// [#requireData] after each.
final class BlockReader {
  /// Largest magnitude of a DC coefficient: any difference of two has at most 15 bits.
  private static final int MAX_DC = 16_383;

  /// What a position in the zigzag becomes where a coefficient cannot be.
  private static final int BAD = 1000;

  private final CodedBytes data = new CodedBytes();
  private long bits;
  private int count;
  private int next;

  /// Blocks still to come that have no new coefficient in this band.
  private int endRun;

  /// Takes the coded data from `at` on, up to the next marker.
  void load(MemorySegment jpeg, long at) throws DecodeException {
    data.load(jpeg, at);
    bits = 0;
    count = 0;
    next = 0;
    endRun = 0;
  }

  /// {@return offset of the marker that ends the data, its 0xff; -1 if the stream ends first}
  long marker() {
    return data.marker();
  }

  /// {@return whole bytes of the data that have not been read}
  long left() {
    return Math.max(0, 8L * data.length() - (8L * next - count)) / 8;
  }

  /// {@return whether the rest of the byte that was read last is as coders fill it up: with ones
  ///     (T.81, F.1.2.3), some with zeros}
  boolean padded() {
    int rest = count & 7; // whole bytes are taken in
    long value = bits >>> 1 >>> (63 - rest);
    return value == 0 || value == (1 << rest) - 1;
  }

  /// {@return whether a run of blocks without new coefficients has not come to its end}
  boolean runs() {
    return endRun > 0;
  }

  /// @throws DecodeException if more was read than there is
  void requireData() throws DecodeException {
    if (overrun()) {
      throw fail("");
    }
  }

  private boolean overrun() {
    return 8L * next - count > 8L * data.length();
  }

  private DecodeException fail(String what) {
    if (!overrun()) {
      return corrupt(what, data.position((8L * next - count) / 8));
    }
    if (data.marker() < 0) {
      return truncated("the coded data ends in a block, after byte " + data.end());
    }
    return corrupt("the coded data ends in a block", data.marker());
  }

  private void refill() {
    if (count < 32) {
      bits |= data.word(next) >>> count;
      next += (63 - count) >>> 3;
      count |= 56;
    }
  }

  private void drop(int n) {
    bits <<= n;
    count -= n;
  }

  /// {@return the next `n` bits, 1 to 16}
  private int take(int n) {
    int value = (int) (bits >>> (64 - n));
    drop(n);
    return value;
  }

  /// {@return the next symbol}
  private int symbol(HuffmanTable table) throws DecodeException {
    refill();
    int entry = table.find((int) (bits >>> 48));
    if (entry == 0) {
      throw fail("no such Huffman code");
    }
    drop(entry & 31);
    return entry >>> 8;
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
    long b = bits; // fields in registers: this loop is where reading spends its time
    int n = count;
    int p = next;
    int k = first;
    while (k <= last) {
      if (n < 32) {
        b |= data.word(p) >>> n;
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
    int k = first;
    while (k <= last && endRun == 0) {
      refill();
      int entry = table.look[(int) (bits >>> (64 - LOOK))];
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
      for (; k <= last; k++) {
        if (((known >>> k) & 1) != 0) {
          correct(planes, block + 2L * k, shift);
        } else if (run-- == 0) {
          break;
        }
      }
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
      long left = k > last ? 0 : known & Blocks.band(k, last);
      for (; left != 0; left &= left - 1) {
        correct(planes, block + 2L * Long.numberOfTrailingZeros(left), shift);
      }
    }
  }

  private void correct(MemorySegment planes, long at, int shift) {
    if (bit() == 1) {
      short old = planes.get(SHORT, at);
      planes.set(SHORT, at, (short) (old + ((old < 0 ? -1 : 1) << shift)));
    }
  }
}
