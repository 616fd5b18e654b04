package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Copies of JPEGs that claim to end sooner, so that libjpeg-turbo stops after the rows wanted.
///
/// Coded data goes from top to bottom, so the first rows of a picture do not depend on what follows
/// them; only chroma is mixed with that of the next row when it is upsampled. libjpeg-turbo's own
/// functions for parts (`jpeg_skip_scanlines`) cannot be called from Java: they report errors by a
/// function that must not return, and nothing but `longjmp` can leave it.
final class JpegTop implements AutoCloseable {
  /// What libjpeg-turbo says of the coded data that is left over, if nothing else was wrong.
  private static final byte[] LEFT_OVER =
      "extraneous bytes before marker 0xd9".getBytes(StandardCharsets.US_ASCII);

  /// The same in front of restart markers, d0 to d7.
  private static final byte[][] LEFT_OVER_IN_SCAN = new byte[8][];

  static {
    for (int i = 0; i < LEFT_OVER_IN_SCAN.length; i++) {
      LEFT_OVER_IN_SCAN[i] = LEFT_OVER.clone();
      LEFT_OVER_IN_SCAN[i][LEFT_OVER.length - 1] = (byte) ('0' + i);
    }
  }

  private final Block copy;

  JpegTop(MemoryBudget budget) {
    copy = new Block(budget);
  }

  /// {@return whether a JPEG can end sooner: it has one scan, Huffman coded, and is not cut short}
  static boolean possible(MemorySegment jpeg, JpegHeader header) {
    long end = jpeg.byteSize();
    return !header.multipleScans()
        && !header.arithmetic()
        && end - header.firstScan() > 4
        && jpeg.get(JAVA_BYTE, end - 2) == (byte) 0xff
        && jpeg.get(JAVA_BYTE, end - 1) == (byte) 0xd9;
  }

  /// {@return whether a warning is the one that ending sooner makes}
  static boolean expected(MemorySegment handle) {
    return TurboJpeg.errorCode(handle) == TurboJpeg.TJERR_WARNING
        && TurboJpeg.errorContains(handle, LEFT_OVER);
  }

  /// {@return whether a warning says that coded data is left over, at the end or before a restart}
  static boolean leftOver(MemorySegment handle) {
    boolean found = expected(handle);
    for (int i = 0; i < LEFT_OVER_IN_SCAN.length && !found; i++) {
      found =
          TurboJpeg.errorCode(handle) == TurboJpeg.TJERR_WARNING
              && TurboJpeg.errorContains(handle, LEFT_OVER_IN_SCAN[i]);
    }
    return found;
  }

  /// {@return a copy of a JPEG of `rows` rows, valid until the next call}
  ///
  /// @param header as read from it
  MemorySegment of(MemorySegment jpeg, JpegHeader header, int rows) throws DecodeException {
    long size = jpeg.byteSize();
    MemorySegment top = copy.ensure(size).asSlice(0, size);
    top.copyFrom(jpeg);
    long at = header.frame().heightAt();
    top.set(JAVA_BYTE, at, (byte) (rows >> 8));
    top.set(JAVA_BYTE, at + 1, (byte) rows);
    return top;
  }

  @Override
  public void close() {
    copy.close();
  }
}
