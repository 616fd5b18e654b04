package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.RST0;
import static io.headrace.codec.jpeg.Markers.corrupt;
import static io.headrace.codec.jpeg.Markers.truncated;
import static io.headrace.codec.jpeg.coefficients.Blocks.SHORT;

import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.entropy.EntropyTables;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reads the coded data of one scan into planes of coefficients.
final class ScanReader {
  private enum Kind {
    SEQUENTIAL,
    DC_FIRST,
    DC_REFINE,
    AC_FIRST,
    AC_REFINE
  }

  private final BlockReader blocks = new BlockReader();
  private final int[] predicted = new int[4];
  private Kind kind = Kind.SEQUENTIAL;
  private int untilRestart;
  private int restarts;

  /// Reads one scan.
  ///
  /// @param start offset of the coded data
  /// @return offset of the marker after it
  long read(
      JpegCoefficients picture,
      ScanHeader scan,
      EntropyTables tables,
      MemorySegment jpeg,
      long start)
      throws DecodeException {
    kind = kind(picture, scan);
    restarts = 0;
    untilRestart = tables.restartInterval();
    blocks.start(jpeg, start);
    Arrays.fill(predicted, 0);
    if (scan.count() == 1) {
      single(picture, scan, tables, jpeg);
    } else {
      interleaved(picture, scan, tables, jpeg);
    }
    long marker = blocks.marker();
    if (marker < 0) {
      throw truncated("no end marker, the data ends after %d bytes".formatted(jpeg.byteSize()));
    }
    if (u8(jpeg, marker + 1) != Markers.EOI || blocks.runs() || !blocks.padded()) {
      requireAllRead(marker);
    } else if (kind == Kind.SEQUENTIAL && blocks.more()) {
      int more = more(picture, scan, tables, picture.planes());
      if (more > 0) {
        throw corrupt("%d more MCUs of coded data than the picture has".formatted(more), marker);
      }
    }
    return marker;
  }

  /// Bytes left over say that codes were misread. Only those may be there that some cameras write
  /// between the last block, with the bits that fill up its last byte, and the end marker.
  private void requireAllRead(long marker) throws DecodeException {
    if (blocks.more()) {
      throw corrupt("%d bytes of coded data are left over".formatted(blocks.left()), marker);
    }
  }

  /// {@return MCUs that the bytes left over hold, if they hold nothing else: then others have been
  ///     misread, for coded data soon makes sense again after damage}
  private int more(
      JpegCoefficients picture, ScanHeader scan, EntropyTables tables, MemorySegment planes) {
    int mcus = 0;
    try {
      for (; blocks.more(); mcus++) {
        for (int i = 0; i < scan.count(); i++) {
          JpegComponent component = picture.component(scan.component(i));
          int count = component.horizontalFactor() * component.verticalFactor();
          for (int b = scan.count() == 1 ? 1 : count; b > 0; b--) {
            block(scan, tables, i, planes, picture.scratch());
          }
        }
      }
    } catch (DecodeException e) {
      return 0;
    }
    return blocks.padded() ? mcus : 0;
  }

  private static Kind kind(JpegCoefficients picture, ScanHeader scan) {
    if (!picture.progressive()) {
      return Kind.SEQUENTIAL;
    }
    if (scan.first() == 0) {
      return scan.high() == 0 ? Kind.DC_FIRST : Kind.DC_REFINE;
    }
    return scan.high() == 0 ? Kind.AC_FIRST : Kind.AC_REFINE;
  }

  private void single(
      JpegCoefficients picture, ScanHeader scan, EntropyTables tables, MemorySegment jpeg)
      throws DecodeException {
    JpegComponent component = picture.component(scan.component(0));
    MemorySegment planes = picture.planes();
    for (int row = 0; row < component.rows(); row++) {
      long block = component.block(row, 0);
      for (int column = 0; column < component.columns(); column++) {
        restart(tables, jpeg);
        block(scan, tables, 0, planes, block);
        block += Blocks.BYTES;
      }
    }
  }

  private void interleaved(
      JpegCoefficients picture, ScanHeader scan, EntropyTables tables, MemorySegment jpeg)
      throws DecodeException {
    MemorySegment planes = picture.planes();
    for (int row = 0; row < picture.mcuRows(); row++) {
      for (int column = 0; column < picture.mcuColumns(); column++) {
        restart(tables, jpeg);
        for (int i = 0; i < scan.count(); i++) {
          JpegComponent component = picture.component(scan.component(i));
          int across = component.horizontalFactor();
          for (int y = 0; y < component.verticalFactor(); y++) {
            long block = component.block(row * component.verticalFactor() + y, column * across);
            for (int x = 0; x < across; x++) {
              block(scan, tables, i, planes, block + (long) x * Blocks.BYTES);
            }
          }
        }
      }
    }
  }

  /// Steps over a restart marker where one is due.
  private void restart(EntropyTables tables, MemorySegment jpeg) throws DecodeException {
    if (tables.restartInterval() == 0) {
      return;
    }
    if (untilRestart == 0) {
      long at = blocks.marker();
      int expected = RST0 | (restarts & 7);
      if (at < 0) {
        throw truncated(
            "no restart marker %d, the data ends after %d bytes"
                .formatted(restarts, jpeg.byteSize()));
      }
      int found = u8(jpeg, at + 1);
      if (found != expected) {
        throw corrupt("marker %02x where %02x is due".formatted(found, expected), at);
      }
      requireAllRead(at);
      restarts++;
      blocks.restart(at + 2);
      Arrays.fill(predicted, 0);
      untilRestart = tables.restartInterval();
    }
    untilRestart--;
  }

  private void block(ScanHeader scan, EntropyTables tables, int i, MemorySegment planes, long block)
      throws DecodeException {
    int low = scan.low();
    switch (kind) {
      case SEQUENTIAL -> {
        predicted[i] = blocks.dc(tables.dc(scan.dcTable(i)), predicted[i], 0);
        planes.set(SHORT, block, (short) predicted[i]);
        blocks.ac(tables.ac(scan.acTable(i)), planes, block);
      }
      case DC_FIRST -> {
        predicted[i] = blocks.dc(tables.dc(scan.dcTable(i)), predicted[i], low);
        planes.set(SHORT, block, (short) (predicted[i] << low));
      }
      case DC_REFINE -> {
        if (blocks.bit() == 1) {
          planes.set(SHORT, block, (short) (planes.get(SHORT, block) | (1 << low)));
        }
      }
      case AC_FIRST ->
          blocks.acFirst(tables.ac(scan.acTable(i)), planes, block, scan.first(), scan.last(), low);
      case AC_REFINE ->
          blocks.acRefine(
              tables.ac(scan.acTable(i)), planes, block, scan.first(), scan.last(), low);
    }
    blocks.requireData();
  }
}
