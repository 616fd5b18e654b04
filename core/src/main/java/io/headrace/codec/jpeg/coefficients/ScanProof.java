package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.jpeg.entropy.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.RESOLVED;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.CodedBits;
import io.headrace.codec.jpeg.entropy.EntropyTables;
import io.headrace.codec.jpeg.entropy.HuffmanTable;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Reads scans of a progressive JPEG without restarts (ITU-T T.81, G.1.2), and looks whether each
/// brings bits of a picture. Where all do, and none is left out, the JPEG holds that picture.
/// Blocks that only pad it must be as [ScanTokens] makes them.
final class ScanProof extends CodedBits implements AutoCloseable {
  private static final ValueLayout.OfLong MASK = ValueLayout.JAVA_LONG_UNALIGNED;

  private final JpegCoefficients picture;

  /// By block: the coefficients that earlier scans have brought, as far as they go; bit k for the
  /// k-th of the zigzag.
  private final Block block;

  private MemorySegment known = MemorySegment.NULL;
  private final McuRow mcus = new McuRow();

  // By component:
  private final HuffmanTable[] dcTables = new HuffmanTable[4];
  private final int[] predicted = new int[4];
  private ScanHeader scan = new ScanHeader();
  private int endRun;

  /// @param picture that is looked for
  /// @param budget for 8 bytes a block
  ScanProof(JpegCoefficients picture, MemoryBudget budget) {
    this.picture = picture;
    block = new Block(budget);
  }

  /// Takes up the picture as it is now.
  void begin() throws DecodeException {
    long bytes = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      bytes = Math.max(bytes, place(component, component.paddedRows()));
    }
    known = block.ensure(bytes);
    known.asSlice(0, bytes).fill((byte) 0);
  }

  private static long place(JpegComponent component, int row) {
    return component.block(row, 0) / Blocks.BYTES * Long.BYTES;
  }

  /// {@return whether all coefficients but the first of each block have come}
  boolean complete() {
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      for (int y = 0; y < component.rows(); y++) {
        BlockRow row = picture.row(c, y);
        long place = place(component, y);
        for (int x = 0; x < component.columns(); x++, place += Long.BYTES) {
          if (known.get(MASK, place) != (row.masks[x] & ~1L)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /// Reads a scan.
  ///
  /// @param start offset of the coded data
  /// @return offset of the marker after it; -1 if it is not one of that picture
  long read(ScanHeader header, EntropyTables tables, MemorySegment jpeg, long start)
      throws DecodeException {
    scan = header;
    if (tables.restartInterval() > 0) {
      return -1;
    }
    load(jpeg, start);
    Arrays.fill(predicted, 0);
    endRun = 0;
    boolean same = scan.count() == 1 ? single(tables) : interleaved(tables);
    return same && endRun == 0 && ready() && finished() ? marker() : -1;
  }

  private boolean single(EntropyTables tables) throws DecodeException {
    int c = scan.component(0);
    JpegComponent component = picture.component(c);
    HuffmanTable dc = tables.dc(scan.dcTable(0));
    HuffmanTable ac = tables.ac(scan.acTable(0));
    for (int y = 0; y < component.rows(); y++) {
      BlockRow row = picture.row(c, y);
      long place = place(component, y);
      for (int x = 0; x < component.columns(); x++, place += Long.BYTES) {
        boolean same =
            scan.first() == 0
                ? dc(dc, 0, row.first(x))
                : scan.high() == 0 ? acFirst(ac, row, x, place) : acRefine(ac, row, x, place);
        if (!same || !ready()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean interleaved(EntropyTables tables) throws DecodeException {
    for (int row = 0; row < picture.mcuRows(); row++) {
      mcus.clear();
      for (int i = 0; i < scan.count(); i++) {
        mcus.add(picture, scan.component(i), row);
        dcTables[scan.component(i)] = tables.dc(scan.dcTable(i));
      }
      int[] firsts = mcus.firsts(picture.mcuColumns());
      int at = 0;
      for (int mcu = 0; mcu < picture.mcuColumns(); mcu++) {
        for (int b = 0; b < mcus.count(); b++) {
          int c = mcus.components[b];
          if (!dc(dcTables[c], c, firsts[at++])) {
            return false;
          }
        }
        if (!ready()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean dc(HuffmanTable table, int c, int value) throws DecodeException {
    int expected = value >> scan.low();
    if (scan.high() > 0) {
      refill();
      return take(1) == (expected & 1);
    }
    refill();
    int entry = table.look[(int) (bits >>> (64 - LOOK))];
    if ((entry & RESOLVED) != 0 && (entry & 0xf000) == 0) {
      drop(entry & 31);
      predicted[c] += entry >> 16;
    } else {
      int size = symbol(table);
      if (size > 15) {
        return false;
      }
      predicted[c] += size == 0 ? 0 : HuffmanTable.extend(take(size), size);
    }
    return predicted[c] == expected;
  }

  private boolean acFirst(HuffmanTable table, BlockRow row, int x, long place)
      throws DecodeException {
    if (endRun > 0) {
      endRun--;
      return true;
    }
    int low = scan.low();
    int last = scan.last();
    int[] look = table.look;
    byte[] bytes = this.bytes;
    long b = bits; // fields in registers
    int n = count;
    int p = next;
    long mask = row.masks[x];
    long found = 0;
    int k = scan.first();
    while (k <= last) {
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      int entry = look[(int) (b >>> (64 - LOOK))];
      if (entry == 0) {
        entry = table.find((int) (b >>> 48));
      }
      int run = (entry >>> 12) & 15;
      int size = (entry >>> 8) & 15;
      int length = entry & 31;
      int value = entry >> 16;
      b <<= length;
      n -= length;
      if (size == 0) {
        if (run == 15) {
          k += 16;
          continue;
        }
        if (entry == 0) {
          return false;
        }
        endRun = (1 << run) - 1 + (int) (b >>> 1 >>> (63 - run));
        b <<= run;
        n -= run;
        break;
      }
      if ((entry & RESOLVED) == 0) {
        value = HuffmanTable.extend((int) (b >>> (64 - size)), size);
        b <<= size;
        n -= size;
      }
      k += run;
      long bit = 1L << k;
      if (k > last || (mask & bit) == 0) {
        return false;
      }
      int whole = row.values[row.index(x, bit)];
      if (value != (whole < 0 ? -(-whole >> low) : whole >> low)) {
        return false;
      }
      found |= bit;
      k++;
    }
    bits = b;
    count = n;
    next = p;
    known.set(MASK, place, known.get(MASK, place) | found);
    return true;
  }

  private boolean acRefine(HuffmanTable table, BlockRow row, int x, long place)
      throws DecodeException {
    long old = known.get(MASK, place);
    long band = Blocks.band(scan.first(), scan.last());
    long expected = next(row, x, old & band);
    int left = Long.bitCount(old & band); // of the expected bits
    if (endRun == 0) {
      int low = scan.low();
      int[] look = table.look;
      byte[] bytes = this.bytes;
      long b = bits; // fields in registers
      int n = count;
      int p = next;
      long fresh = row.masks[x] & ~old & band;
      long to = band; // coefficients still to come
      long found = old;
      while (to != 0) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56; // enough for a symbol and 32 bits
        int entry = look[(int) (b >>> (64 - LOOK))];
        if (entry == 0) {
          entry = table.find((int) (b >>> 48));
        }
        int run = (entry >>> 12) & 15;
        int size = (entry >>> 8) & 15;
        int length = (entry & 31) - ((entry & RESOLVED) == 0 ? 0 : size);
        b <<= length;
        n -= length;
        if (size == 0 && run < 15) {
          if (entry == 0) {
            return false;
          }
          endRun = (1 << run) + (int) (b >>> 1 >>> (63 - run));
          b <<= run;
          n -= run;
          break;
        }
        long zeros = to & ~old;
        long bit;
        if (size == 0) {
          for (int i = 0; i < 15; i++) {
            zeros &= zeros - 1;
          }
          bit = zeros & -zeros;
        } else {
          int value;
          do {
            bit = fresh & -fresh;
            fresh ^= bit;
            value = bit == 0 ? 0 : row.values[row.index(x, bit)];
          } while (bit != 0 && Math.abs(value) >> low == 0);
          int sign = b < 0 ? 1 : -1;
          b <<= 1;
          n--;
          if (size > 1 || (value * sign) >> low != 1 || Long.bitCount(zeros & (bit - 1)) != run) {
            return false;
          }
          found |= bit;
        }
        if (bit == 0) {
          return false;
        }
        int more = Long.bitCount(to & old & (bit - 1));
        if (more > 32) {
          bits = b;
          count = n;
          next = p;
          if (!is(expected >>> (left - more), more)) {
            return false;
          }
          b = bits;
          n = count;
          p = next;
        } else {
          long wrong = (b >>> 1 >>> (63 - more)) ^ expected >>> (left - more);
          if ((wrong & ((1L << more) - 1)) != 0) {
            return false;
          }
          b <<= more;
          n -= more;
        }
        left -= more;
        to &= -bit << 1;
      }
      bits = b;
      count = n;
      next = p;
      known.set(MASK, place, found);
      if (to == 0 && endRun == 0) {
        return true;
      }
    }
    endRun--;
    return is(expected, left);
  }

  /// {@return the next bit of each of these coefficients, the last one lowest}
  private long next(BlockRow row, int x, long which) {
    int low = scan.low();
    long next = 0;
    for (long left = which; left != 0; left &= left - 1) {
      int value = row.values[row.index(x, left & -left)];
      next = next << 1 | (Math.abs(value) >> low & 1);
    }
    return next;
  }

  /// {@return whether the next bits are the lowest `size` of those expected}
  private boolean is(long expected, int size) {
    long wrong = 0;
    for (int left = size; left > 0; left -= Math.min(left, 16)) {
      int some = Math.min(left, 16);
      refill();
      wrong |= take(some) ^ (expected >>> (left - some) & ((1L << some) - 1));
    }
    return wrong == 0;
  }

  @Override
  public void close() {
    block.close();
  }
}
