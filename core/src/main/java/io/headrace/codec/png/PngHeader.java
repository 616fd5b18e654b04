package io.headrace.codec.png;

import static io.headrace.codec.BigEndian.u32;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.ExifOrientation;
import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What a PNG says before its pixels (ISO/IEC 15948, clauses 5 and 11): a reusable holder.
final class PngHeader {
  /// Signature, then the header chunk: length, type, 13 bytes, CRC.
  static final long BYTES = 8 + 4 + 4 + 13 + 4;

  static final int IHDR = 0x49484452;
  static final int PLTE = 0x504c5445;
  static final int IDAT = 0x49444154;
  static final int IEND = 0x49454e44;
  static final int TRNS = 0x74524e53;
  private static final int EXIF = 0x65584966;

  /// Bytes of a chunk besides its data: length, type, CRC.
  static final long CHUNK = 12;

  private int width;
  private int height;
  private int bitDepth;
  private int colourType;
  private boolean interlaced;
  private boolean transparency;
  private int orientation;

  /// @throws DecodeException with [Fault#MISMATCH] if it is no PNG, [Fault#TRUNCATED] if the
  ///     header is cut, [Fault#CORRUPT] if it is damaged
  void read(MemorySegment png) throws DecodeException {
    if (ImageFormat.detect(png) != ImageFormat.PNG) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(png, "a PNG"));
    }
    if (png.byteSize() < BYTES) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "png: header needs %d bytes, the data ends after %d".formatted(BYTES, png.byteSize()));
    }
    int crc = crc(png, 12, 17);
    if (u32(png, 8) != 13 || u32(png, 12) != IHDR || crc != u32(png, 29)) {
      throw new DecodeException(
          Fault.CORRUPT,
          "png: header chunk of %d bytes with CRC %08x, expected 13 and %08x"
              .formatted(u32(png, 8), u32(png, 29), crc));
    }
    width = u32(png, 16);
    height = u32(png, 20);
    bitDepth = u8(png, 24);
    colourType = u8(png, 25);
    int interlace = u8(png, 28);
    if (width < 1 || height < 1 || !legal(bitDepth, colourType) || interlace > 1) {
      throw new DecodeException(
          Fault.CORRUPT,
          "png: %d x %d pixels, colour type %d of %d bits, interlace method %d"
              .formatted(width, height, colourType, bitDepth, interlace));
    }
    interlaced = interlace == 1;
    readAncillary(png);
  }

  private void readAncillary(MemorySegment png) {
    transparency = false;
    orientation = ExifOrientation.NORMAL;
    long at = BYTES;
    while (at + CHUNK <= png.byteSize()) {
      long length = Integer.toUnsignedLong(u32(png, at));
      int type = u32(png, at + 4);
      long end = at + CHUNK + length;
      if (type == IDAT || end > png.byteSize()) {
        return;
      }
      if (type == TRNS) {
        transparency = true;
      } else if (type == EXIF) {
        orientation = ExifOrientation.read(png, at + 8, end - 4);
      }
      at = end;
    }
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  int bitDepth() {
    return bitDepth;
  }

  /// {@return sum of 1 for a palette, 2 for colour and 4 for alpha}
  int colourType() {
    return colourType;
  }

  boolean interlaced() {
    return interlaced;
  }

  ImageInfo info() {
    int colours = colourType == 0 || colourType == 4 ? 1 : 3;
    int alpha = colourType >= 4 || transparency ? 1 : 0;
    return new ImageInfo(
        ImageFormat.PNG, width, height, colours + alpha, bitDepth, null, interlaced, orientation);
  }

  /// {@return samples of a pixel as it is stored}
  int samples() {
    return switch (colourType) {
      case 2 -> 3;
      case 4 -> 2;
      case 6 -> 4;
      default -> 1;
    };
  }

  /// {@return bytes of a row of so many pixels, without its filter's}
  long rowBytes(int columns) {
    return ((long) columns * samples() * bitDepth + 7) / 8;
  }

  /// {@return fewest bytes a whole picture can have: deflate makes at most 1,032 of one}
  long leastBytes() {
    return (rowBytes(width) + 1) * height / 1032;
  }

  private static boolean legal(int depth, int type) {
    boolean small = depth == 1 || depth == 2 || depth == 4;
    return switch (type) {
      case 0 -> small || depth == 8 || depth == 16;
      case 3 -> small || depth == 8;
      case 2, 4, 6 -> depth == 8 || depth == 16;
      default -> false;
    };
  }

  /// {@return CRC-32 of a few bytes, bit by bit}
  private static int crc(MemorySegment bytes, long start, int count) {
    int crc = -1;
    for (int i = 0; i < count; i++) {
      crc ^= u8(bytes, start + i);
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
      }
    }
    return ~crc;
  }
}
