package io.headrace.codec.jpeg.coefficients;

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

  /// By component: its blocks of a row of MCUs, or of a row where it is alone.
  private final BlockRow[] rows = new BlockRow[4];

  /// Blocks without a coefficient that the open symbol ends, and where it stands.
  private int endRun;

  private long endPlace;

  ScanTokens(Tokens tokens, Magnitudes magnitudes) {
    this.tokens = tokens;
    this.magnitudes = magnitudes;
    Arrays.setAll(rows, _ -> new BlockRow());
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
    for (int row = 0; row < component.rows(); row++) {
      long block = component.block(row, 0);
      rows[c].load(picture.planes(), block, component.columns());
      for (int column = 0; column < component.columns(); column++) {
        tokens.room(1);
        if (progressive) {
          progressive(scan, c, slot, rows[c], BlockRow.LONGS * column, block);
        } else {
          sequential(c, slot, rows[c], BlockRow.LONGS * column);
        }
        block += Blocks.BYTES;
      }
    }
    closeRun(slot);
  }

  private void interleaved(
      JpegCoefficients picture, ScanSpec scan, int[] slots, boolean progressive)
      throws DecodeException {
    int end = scan.component() + scan.count();
    for (int row = 0; row < picture.mcuRows(); row++) {
      for (int c = scan.component(); c < end; c++) {
        JpegComponent component = picture.component(c);
        int down = component.verticalFactor();
        rows[c].load(picture.planes(), component.block(row * down, 0), component.stride() * down);
      }
      for (int column = 0; column < picture.mcuColumns(); column++) {
        tokens.room(ScanHeader.MAX_BLOCKS);
        for (int c = scan.component(); c < end; c++) {
          mcu(picture.component(c), scan, c, slots[c], progressive, row, column);
        }
      }
    }
  }

  /// Makes the tokens of a component in an MCU.
  private void mcu(
      JpegComponent component,
      ScanSpec scan,
      int c,
      int slot,
      boolean progressive,
      int mcuRow,
      int mcuColumn) {
    int across = component.horizontalFactor();
    int down = component.verticalFactor();
    for (int y = 0; y < down; y++) {
      int column = mcuColumn * across;
      int at = BlockRow.LONGS * (y * component.stride() + column);
      for (int x = 0; x < across; x++, column++, at += BlockRow.LONGS) {
        if (column >= component.columns() || mcuRow * down + y >= component.rows()) {
          padding(scan, c, slot, progressive);
        } else if (progressive) {
          dc(scan, c, slot, rows[c].value(at, 0));
        } else {
          sequential(c, slot, rows[c], at);
        }
      }
    }
  }

  private void padding(ScanSpec scan, int c, int slot, boolean progressive) {
    if (progressive) {
      dc(scan, c, slot, scan.high() == 0 ? predicted[c] << scan.low() : predicted[c]);
    } else {
      tokens.symbol(slot, 0, 0, 0);
      tokens.symbol(2 + slot, 0, 0, 0);
    }
  }

  private void sequential(int c, int slot, BlockRow row, int at) {
    int dc = row.value(at, 0);
    difference(slot, dc - predicted[c]);
    predicted[c] = dc;
    if (row.symbols(at, row.nonzero(at) & ~1L, tokens, 2 + slot) < 63) {
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

  private void progressive(ScanSpec scan, int c, int slot, BlockRow row, int at, long block) {
    if (scan.first() == 0) {
      dc(scan, c, slot, row.value(at, 0));
    } else if (scan.high() == 0) {
      acFirst(scan, slot, row, at, block);
    } else {
      acRefine(scan, slot, row, at, block);
    }
  }

  private void dc(ScanSpec scan, int c, int slot, int value) {
    int shifted = value >> scan.low();
    if (scan.high() == 0) {
      difference(slot, shifted - predicted[c]);
      predicted[c] = shifted;
    } else {
      predicted[c] = value;
      tokens.bit(shifted & 1);
    }
  }

  private void acFirst(ScanSpec scan, int slot, BlockRow row, int at, long block) {
    int low = scan.low();
    int before = scan.first() - 1;
    long left = magnitudes.atLeast(block, low) & Blocks.band(scan.first(), scan.last());
    if (left != 0) {
      closeRun(slot);
    }
    for (; left != 0; left &= left - 1) {
      int k = Long.numberOfTrailingZeros(left);
      int value = row.value(at, k);
      coefficient(2 + slot, k - before - 1, value < 0 ? -(-value >> low) : value >> low);
      before = k;
    }
    if (before < scan.last()) {
      openRun(slot);
    }
  }

  /// Bits of coefficients already known go after the symbol of the next new coefficient, or of
  /// the 16th zero, or of the end of the block.
  private void acRefine(ScanSpec scan, int slot, BlockRow row, int at, long block) {
    int low = scan.low();
    long band = Blocks.band(scan.first(), scan.last());
    long known = magnitudes.atLeast(block, low + 1) & band;
    long fresh = magnitudes.atLeast(block, low) & band & ~known;
    int before = scan.first() - 1;
    if (fresh != 0) {
      closeRun(slot);
      int last = 63 - Long.numberOfLeadingZeros(fresh);
      long left = (known | fresh) & Blocks.band(scan.first(), last);
      long place = tokens.place();
      int run = 0;
      long bits = 0;
      int count = 0;
      for (; left != 0; left &= left - 1) {
        int k = Long.numberOfTrailingZeros(left);
        run += k - before - 1;
        before = k;
        for (; run > 15; run -= 16) {
          tokens.fill(place, 2 + slot, ZERO_RUN, 0, 0);
          tokens.raw(bits, count);
          count = 0;
          place = tokens.place();
        }
        int value = row.value(at, k);
        if ((known >>> k & 1) != 0) {
          bits = (bits << 1) | (Math.abs(value) >> low & 1);
          count++;
        } else {
          tokens.fill(place, 2 + slot, (run << 4) | 1, value < 0 ? 0 : 1, 1);
          tokens.raw(bits, count);
          count = 0;
          run = 0;
          if (k < last) {
            place = tokens.place();
          }
        }
      }
    }
    if (before < scan.last()) {
      openRun(slot);
      long bits = 0;
      int count = 0;
      long rest = known & Blocks.band(before + 1, scan.last());
      for (; rest != 0; rest &= rest - 1) {
        int k = Long.numberOfTrailingZeros(rest);
        bits = (bits << 1) | (Math.abs(row.value(at, k)) >> low & 1);
        count++;
      }
      tokens.raw(bits, count);
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
