package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.jpeg.entropy.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.RESOLVED;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.CodedBits;
import io.headrace.codec.jpeg.entropy.EntropyTables;
import io.headrace.codec.jpeg.entropy.HuffmanTable;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reads scans of a progressive JPEG (ITU-T T.81, G.1.2), and looks whether each brings those bits
/// of a picture that it should. Where all do, and no bit lacks, the JPEG holds that picture.
///
/// It only takes what [JpegWriter] writes: no restarts, and point transforms of 0 to 2.
final class ScanProof extends CodedBits {
  private static final int MAX_SHIFT = 2;

  private final JpegCoefficients picture;
  private final Magnitudes magnitudes;
  private final int[] predicted = new int[4];
  private ScanHeader scan = new ScanHeader();
  private int endRun;

  /// @param picture that is looked for
  /// @param magnitudes that may be of that picture already
  ScanProof(JpegCoefficients picture, Magnitudes magnitudes) {
    this.picture = picture;
    this.magnitudes = magnitudes;
  }

  /// Takes up the picture as it is now.
  ///
  /// @return whether its magnitudes and bits, as scans bring them, make its coefficients
  boolean begin() throws DecodeException {
    magnitudes.of(picture);
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      for (int y = 0; y < component.rows(); y++) {
        BlockRow row = picture.row(c, y);
        magnitudes.ready(component, y);
        for (int x = 0; x < component.columns(); x++) {
          if (!makes(row, x)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean makes(BlockRow row, int x) {
    long two = magnitudes.atLeast(x, 1);
    long four = magnitudes.atLeast(x, 2);
    long negative = magnitudes.negative(x);
    long odd = magnitudes.bits(x, 0);
    long second = magnitudes.bits(x, 1);
    long mask = row.masks[x] & ~1L;
    boolean nested = ((four & ~two) | (two & ~mask)) == 0;
    int wrong = nested && mask == magnitudes.atLeast(x, 0) ? 0 : 1;
    int i = row.starts[x];
    for (long left = mask; left != 0; left &= left - 1) {
      int k = Long.numberOfTrailingZeros(left);
      int value = row.values[++i];
      int isTwo = (int) (two >>> k) & 1;
      int isFour = (int) (four >>> k) & 1;
      int low = (int) (odd >>> k) & 1;
      int next = (int) (second >>> k) & 1;
      int sign = -((int) (negative >>> k) & 1);
      // The first scan brings the bits from 2 on of those of at least 4; others become 2, then 1.
      int upper = (Math.abs(value) & ~3 & -isFour) | (isFour == 1 ? next : isTwo) << 1;
      int made = upper | (isTwo == 1 ? low : 1);
      wrong |= (made ^ sign) - sign ^ value;
    }
    return wrong == 0;
  }

  /// Reads a scan.
  ///
  /// @param start offset of the coded data
  /// @return offset of the marker after it; -1 if it is not one of that picture
  long read(ScanHeader header, EntropyTables tables, MemorySegment jpeg, long start)
      throws DecodeException {
    scan = header;
    if (tables.restartInterval() > 0 || scan.low() > MAX_SHIFT || scan.high() > MAX_SHIFT) {
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
      magnitudes.ready(component, y);
      for (int x = 0; x < component.columns(); x++) {
        boolean same =
            scan.first() == 0
                ? dc(dc, 0, row.first(x), true)
                : scan.high() == 0 ? acFirst(ac, row, x) : acRefine(ac, x);
        if (!same || !ready()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean interleaved(EntropyTables tables) throws DecodeException {
    for (int mcuRow = 0; mcuRow < picture.mcuRows(); mcuRow++) {
      for (int mcu = 0; mcu < picture.mcuColumns(); mcu++) {
        for (int i = 0; i < scan.count(); i++) {
          if (!mcu(tables.dc(scan.dcTable(i)), i, mcuRow, mcu)) {
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

  private boolean mcu(HuffmanTable table, int i, int mcuRow, int mcu) throws DecodeException {
    JpegComponent component = picture.component(scan.component(i));
    int across = component.horizontalFactor();
    int down = component.verticalFactor();
    for (int y = mcuRow * down; y < (mcuRow + 1) * down; y++) {
      BlockRow row = picture.row(scan.component(i), y);
      for (int x = mcu * across; x < (mcu + 1) * across; x++) {
        boolean counts = x < component.columns() && y < component.rows();
        if (!dc(table, i, row.first(x), counts)) {
          return false;
        }
      }
    }
    return true;
  }

  /// @param counts whether the block does not only pad the picture
  private boolean dc(HuffmanTable table, int i, int value, boolean counts) throws DecodeException {
    int expected = value >> scan.low();
    if (scan.high() > 0) {
      refill();
      return take(1) == (expected & 1) || !counts;
    }
    int size = symbol(table);
    if (size > 15) {
      return false;
    }
    predicted[i] += size == 0 ? 0 : HuffmanTable.extend(take(size), size);
    return predicted[i] == expected || !counts;
  }

  private boolean acFirst(HuffmanTable table, BlockRow row, int x) throws DecodeException {
    int low = scan.low();
    long left = magnitudes.atLeast(x, low) & Blocks.band(scan.first(), scan.last());
    if (endRun > 0) {
      endRun--;
      return left == 0;
    }
    for (int k = scan.first(); k <= scan.last(); k++) {
      refill();
      int entry = table.look[(int) (bits >>> (64 - LOOK))];
      int run = (entry >>> 12) & 15;
      int size = (entry >>> 8) & 15;
      int value = entry >> 16;
      if ((entry & RESOLVED) != 0) {
        drop(entry & 31);
      } else {
        int symbol = symbol(table);
        run = symbol >>> 4;
        size = symbol & 15;
        value = size == 0 ? 0 : HuffmanTable.extend(take(size), size);
      }
      if (size == 0 && run < 15) {
        endRun = (1 << run) - 1 + (run == 0 ? 0 : take(run));
        return left == 0;
      }
      k += run;
      if (size == 0) {
        continue;
      }
      if (Long.numberOfTrailingZeros(left) != k) {
        return false;
      }
      int whole = row.values[row.index(x, left & -left)];
      if (value != (whole < 0 ? -(-whole >> low) : whole >> low)) {
        return false;
      }
      left &= left - 1;
    }
    return left == 0;
  }

  private boolean acRefine(HuffmanTable table, int x) throws DecodeException {
    int low = scan.low();
    long band = Blocks.band(scan.first(), scan.last());
    long known = magnitudes.atLeast(x, low + 1) & band;
    long fresh = magnitudes.atLeast(x, low) & band & ~known;
    long of = magnitudes.bits(x, low);
    int k = scan.first();
    while (k <= scan.last() && endRun == 0) {
      int symbol = symbol(table);
      int run = symbol >>> 4;
      int size = symbol & 15;
      if (size == 0 && run < 15) {
        endRun = (1 << run) + (run == 0 ? 0 : take(run));
        break;
      }
      long positive = size == 0 ? 0 : take(1);
      long zeros = ~known & Blocks.band(k, scan.last());
      for (; run > 0; run--) {
        zeros &= zeros - 1;
      }
      if (zeros == 0 || size > 1) {
        return false;
      }
      int to = Long.numberOfTrailingZeros(zeros);
      if (size == 0 ? (fresh & Blocks.band(k, to)) != 0 : !isNew(fresh, to, positive, x)) {
        return false;
      }
      fresh &= ~(1L << to);
      if (!refinement(of, known & Blocks.band(k, to))) {
        return false;
      }
      k = to + 1;
    }
    if (endRun > 0) {
      endRun--;
      return fresh == 0 && (k > scan.last() || refinement(of, known & Blocks.band(k, scan.last())));
    }
    return fresh == 0;
  }

  private boolean isNew(long fresh, int k, long positive, int x) {
    return Long.numberOfTrailingZeros(fresh) == k
        && (magnitudes.negative(x) >>> k & 1) != positive;
  }

  /// {@return whether the next bits are those of the coefficients that are known}
  private boolean refinement(long of, long known) {
    long wrong = 0;
    for (long left = known; left != 0; left &= left - 1) {
      refill();
      wrong |= (of >>> Long.numberOfTrailingZeros(left) & 1) ^ bits >>> 63;
      drop(1);
    }
    return wrong == 0;
  }
}
