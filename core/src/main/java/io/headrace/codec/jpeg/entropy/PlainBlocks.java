package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The blocks of a usual baseline JPEG (see [PlainScan]), one after the other, read for speed. What
/// is not sound is only told from what is: a stricter reader says what is wrong. Reusable.
public final class PlainBlocks {
  private final PlainScan scan = new PlainScan();
  private final ScanBits bits = new ScanBits(true);
  private final int[] before = new int[3];
  private final int[] coefficients = new int[ScanBits.ROOM];
  private int interval;
  private int untilRestart;
  private int restarts;

  /// Goes to the first block.
  ///
  /// @param header as read from the JPEG
  /// @return whether it is such a JPEG
  public boolean open(MemorySegment jpeg, JpegHeader header) {
    if (!scan.read(jpeg, header) || u8(jpeg, scan.start() - 1) != 0) {
      return false;
    }
    bits.load(jpeg, scan.start());
    Arrays.fill(before, 0);
    Arrays.fill(coefficients, 0);
    interval = header.restartInterval();
    untilRestart = interval;
    restarts = 0;
    return true;
  }

  /// {@return what the blocks are read with}
  public PlainScan scan() {
    return scan;
  }

  /// Goes to the next MCU.
  ///
  /// @return false if data is missing
  public boolean next() {
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

  /// Reads a block.
  ///
  /// @return as [ScanBits#block]; [#forget] it before the next one
  public int block(int component) {
    int found = bits.block(scan.dc[component], scan.ac[component], before[component], coefficients);
    before[component] = found >> 8;
    return found;
  }

  /// {@return the block read last, in the order of the zigzag}
  public int[] coefficients() {
    return coefficients;
  }

  /// {@return whether another has read the same block}
  ///
  /// @param found what both reported
  boolean same(PlainBlocks other, int found) {
    int end = (found & 255) + 1;
    return Arrays.equals(coefficients, 0, end, other.coefficients, 0, end);
  }

  /// Puts zeros in place of the block read last.
  ///
  /// @param found as reported
  public void forget(int found) {
    Arrays.fill(coefficients, 0, (found & 255) + 1, 0);
  }

  /// {@return whether all coded data was used, and the end marker follows it, the last of the file}
  public boolean finished(MemorySegment jpeg) {
    return bits.ready() && bits.finished() && bits.marker() == jpeg.byteSize() - 2;
  }
}
