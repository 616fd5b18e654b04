package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.codec.jpeg.entropy.Tokens;
import io.headrace.error.DecodeException;
import java.util.Arrays;

/// Turns coefficients into the tokens of one scan: the procedures of ITU-T T.81, F.1.2 and G.1.2.
///
/// Blocks that only pad the picture repeat the DC coefficient of the block before, as libjpeg's
/// do, whatever they were in the file read: that takes the fewest bits.
final class ScanTokens {
  private static final int ZERO_RUN = 0xf0;

  /// Blocks that one symbol can end.
  private static final int LONGEST_RUN = 0x7fff;

  private final Tokens tokens;
  private final Magnitudes magnitudes;
  private final int[] predicted = new int[4];

  /// Blocks without a coefficient that the open symbol ends, and where it stands.
  private int endRun;

  private long endPlace;

  private final McuRow mcus = new McuRow();

  ScanTokens(Tokens tokens, Magnitudes magnitudes) {
    this.tokens = tokens;
    this.magnitudes = magnitudes;
  }

  /// Makes the tokens of one scan; for a progressive one, the magnitudes must be known.
  ///
  /// @param slots by component: 0 or 1, the tables it uses
  /// @param progressive whether the frame is
  void make(JpegCoefficients picture, ScanSpec scan, int[] slots, boolean progressive)
      throws DecodeException {
    tokens.clear();
    Arrays.fill(predicted, 0);
    endRun = 0;
    if (scan.count() > 1) {
      interleaved(picture, scan, slots, progressive);
    } else {
      single(picture, scan, slots, progressive);
    }
  }

  private void single(JpegCoefficients picture, ScanSpec scan, int[] slots, boolean progressive)
      throws DecodeException {
    int c = scan.component();
    JpegComponent component = picture.component(c);
    int slot = slots[c];
    boolean refines = scan.first() > 0 && scan.high() > 0;
    BlockRow row = picture.row(c, 0);
    for (int y = 0; y < component.rows(); y++) {
      if (scan.first() > 0) {
        magnitudes.ready(component, y);
      }
      if (!refines) {
        row = picture.row(c, y);
      }
      for (int x = 0; x < component.columns(); x++) {
        tokens.room(1);
        if (refines) {
          acRefine(scan, slot, x);
        } else if (scan.first() > 0) {
          acFirst(scan, slot, row, x);
        } else if (progressive) {
          dc(scan, c, slot, row.first(x));
        } else {
          sequential(c, slot, row, x);
        }
      }
    }
    closeRun(slot);
  }

  private void interleaved(
      JpegCoefficients picture, ScanSpec scan, int[] slots, boolean progressive)
      throws DecodeException {
    for (int row = 0; row < picture.mcuRows(); row++) {
      mcus.clear();
      for (int c = scan.component(); c < scan.component() + scan.count(); c++) {
        mcus.add(picture, c, row);
      }
      int[] firsts = mcus.firsts(picture.mcuColumns());
      int at = 0;
      for (int mcu = 0; mcu < picture.mcuColumns(); mcu++) {
        tokens.room(ScanHeader.MAX_BLOCKS);
        for (int b = 0; b < mcus.count(); b++) {
          int c = mcus.components[b];
          if (progressive) {
            dc(scan, c, slots[c], firsts[at++]);
          } else {
            sequential(c, slots[c], mcus.rows[b], mcus.place(mcu, b));
          }
        }
      }
    }
  }

  private void sequential(int c, int slot, BlockRow row, int x) {
    if (x < 0) {
      tokens.symbol(slot, 0, 0, 0);
      tokens.symbol(2 + slot, 0, 0, 0);
      return;
    }
    int dc = row.first(x);
    difference(slot, dc - predicted[c]);
    predicted[c] = dc;
    if (tokens.coefficients(2 + slot, row, x) < 63) {
      tokens.symbol(2 + slot, 0, 0, 0);
    }
  }

  private void difference(int slot, int difference) {
    int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(difference));
    tokens.symbol(slot, size, extra(difference, size), size);
  }

  /// {@return the bits that tell a number of `size` bits from the others of that size}
  private static int extra(int value, int size) {
    return (value < 0 ? value - 1 : value) & ((1 << size) - 1);
  }

  private void coefficient(int slot, int zeros, int value) {
    int run = zeros;
    for (; run > 15; run -= 16) {
      tokens.symbol(slot, ZERO_RUN, 0, 0);
    }
    int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
    tokens.symbol(slot, (run << 4) | size, extra(value, size), size);
  }

  private void dc(ScanSpec scan, int c, int slot, int value) {
    int shifted = value >> scan.low();
    if (scan.high() == 0) {
      difference(slot, shifted - predicted[c]);
      predicted[c] = shifted;
    } else {
      tokens.bit(shifted & 1);
    }
  }

  private void acFirst(ScanSpec scan, int slot, BlockRow row, int x) {
    int low = scan.low();
    int before = scan.first() - 1;
    long left = magnitudes.atLeast(x, low) & Blocks.band(scan.first(), scan.last());
    if (left != 0) {
      closeRun(slot);
    }
    for (; left != 0; left &= left - 1) {
      int k = Long.numberOfTrailingZeros(left);
      int value = row.values[row.index(x, left & -left)];
      coefficient(2 + slot, k - before - 1, value < 0 ? -(-value >> low) : value >> low);
      before = k;
    }
    if (before < scan.last()) {
      openRun(slot);
    }
  }

  /// Bits of coefficients already known go after the symbol of the next new coefficient, or of
  /// the 16th zero, or of the end of the block.
  private void acRefine(ScanSpec scan, int slot, int x) {
    int low = scan.low();
    long band = Blocks.band(scan.first(), scan.last());
    long known = magnitudes.atLeast(x, low + 1) & band;
    long fresh = magnitudes.atLeast(x, low) & band & ~known;
    if (fresh != 0) {
      closeRun(slot);
    }
    long bits = magnitudes.next(x, low);
    int left = tokens.refined(2 + slot, scan.first(), known, fresh, magnitudes.negative(x), bits);
    if (fresh >>> scan.last() == 0) {
      openRun(slot);
      tokens.raw(bits, left);
    }
  }

  /// Adds a block to those that one symbol ends.
  private void openRun(int slot) {
    if (endRun == LONGEST_RUN) {
      closeRun(slot);
    }
    if (endRun == 0) {
      endPlace = tokens.place();
    }
    endRun++;
  }

  private void closeRun(int slot) {
    if (endRun > 0) {
      int size = 31 - Integer.numberOfLeadingZeros(endRun);
      tokens.fill(endPlace, 2 + slot, size << 4, endRun & ((1 << size) - 1), size);
      endRun = 0;
    }
  }
}
