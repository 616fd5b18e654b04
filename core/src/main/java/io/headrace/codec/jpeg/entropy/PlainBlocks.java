package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The blocks of a usual baseline JPEG (see [PlainScan]), one row of MCUs after the other, read for
/// speed. What is not sound is only told from what is: a stricter reader says what is wrong.
/// Reusable.
public final class PlainBlocks {
  private final PlainScan scan = new PlainScan();
  private final ScanBits bits = new ScanBits();
  private final int[] before = new int[3];

  /// By component: its blocks of the row of MCUs read last.
  private final BlockRow[][] rows = new BlockRow[3][4];

  private int interval;
  private int untilRestart;
  private int restarts;

  public PlainBlocks() {
    for (BlockRow[] of : rows) {
      Arrays.setAll(of, _ -> new BlockRow());
    }
  }

  /// Goes to the first row.
  ///
  /// @param header as read from the JPEG
  /// @return whether it is such a JPEG
  public boolean open(MemorySegment jpeg, JpegHeader header) {
    if (!scan.read(jpeg, header) || u8(jpeg, scan.start() - 1) != 0) {
      return false;
    }
    bits.load(jpeg, scan.start());
    Arrays.fill(before, 0);
    interval = header.restartInterval();
    untilRestart = interval;
    restarts = 0;
    return true;
  }

  /// {@return what the blocks are read with}
  public PlainScan scan() {
    return scan;
  }

  /// Reads the next row of MCUs.
  ///
  /// @param mcus in it
  /// @return false if they are damaged
  public boolean row(int mcus) {
    for (int c = 0; c < scan.components(); c++) {
      for (int y = 0; y < scan.rows[c]; y++) {
        rows[c][y].clear(mcus * scan.columns[c]);
      }
    }
    for (int mcu = 0; mcu < mcus; mcu++) {
      if (!next()) {
        return false;
      }
      for (int c = 0; c < scan.components(); c++) {
        if (!mcu(c)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean mcu(int c) {
    CodeTable dc = scan.dc[c];
    CodeTable ac = scan.ac[c];
    int value = before[c];
    for (int y = 0; y < scan.rows[c]; y++) {
      BlockRow row = rows[c][y];
      for (int x = scan.columns[c]; x > 0; x--) {
        value = bits.block(dc, ac, value, row);
        if (value == ScanBits.BAD) {
          return false;
        }
      }
    }
    before[c] = value;
    return true;
  }

  /// Goes to the next MCU.
  ///
  /// @return false if data is missing
  private boolean next() {
    if (interval > 0) {
      if (untilRestart == 0) {
        if (!bits.resume(Markers.RST0 + (restarts++ & 7))) {
          return false;
        }
        Arrays.fill(before, 0);
        untilRestart = interval;
      }
      untilRestart--;
    }
    return bits.ready();
  }

  /// {@return blocks that were read last}
  ///
  /// @param y row of the component's blocks in the row of MCUs
  public BlockRow blocks(int component, int y) {
    return rows[component][y];
  }

  /// {@return whether another has read the same row; it may have more MCUs}
  boolean same(PlainBlocks other) {
    for (int c = 0; c < scan.components(); c++) {
      for (int y = 0; y < scan.rows[c]; y++) {
        if (!rows[c][y].same(other.rows[c][y], rows[c][y].blocks())) {
          return false;
        }
      }
    }
    return true;
  }

  /// {@return whether all coded data was used, and the end marker follows it, the last of the file}
  public boolean finished(MemorySegment jpeg) {
    return bits.ready() && bits.finished() && bits.marker() == jpeg.byteSize() - 2;
  }
}
