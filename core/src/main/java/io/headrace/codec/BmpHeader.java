package io.headrace.codec;

import static io.headrace.codec.LittleEndian.i32;
import static io.headrace.codec.LittleEndian.u16;
import static io.headrace.codec.LittleEndian.u32;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The two headers of a BMP: a reusable holder. Source: Microsoft, "Bitmap Storage"
/// (`BITMAPFILEHEADER`, `BITMAPCOREHEADER`, `BITMAPINFOHEADER` to `BITMAPV5HEADER`).
final class BmpHeader {
  /// Bytes of the file header.
  static final int FILE_HEADER = 14;

  /// Bytes of `BITMAPINFOHEADER`.
  static final int INFO_HEADER = 40;

  private static final int CORE_HEADER = 12;
  private static final int OS2_HEADER = 64;
  private static final int BITFIELDS = 3;
  private static final int ALPHA_BITFIELDS = 6;

  /// Where the colour masks stand: at the end of the info header or, in larger ones, inside.
  private static final int MASKS = FILE_HEADER + INFO_HEADER;

  int width;
  int height;
  boolean topDown;
  int bitsPerPixel;

  /// Offset of the first row stored, in bytes.
  long pixels;

  /// Offset of the colour table, its entries and their size in bytes.
  long palette;

  int colours;
  int colourBytes;

  /// Offset in bytes of red, green and blue within a pixel of 24 or 32 bits.
  final int[] order = new int[3];

  boolean alpha;

  /// @throws DecodeException with [Fault#MISMATCH] if it is no BMP, [Fault#TRUNCATED] if it is cut,
  ///     [Fault#CORRUPT] if the numbers make no sense, [Fault#UNSUPPORTED] if it is compressed or
  ///     of another depth than 1, 4, 8, 24 and 32 bits
  void read(MemorySegment bmp) throws DecodeException {
    if (ImageFormat.detect(bmp) != ImageFormat.BMP) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(bmp, "a BMP"));
    }
    need(bmp, FILE_HEADER + 4);
    pixels = u32(bmp, 10);
    long size = u32(bmp, FILE_HEADER);
    boolean core = size == CORE_HEADER;
    if (!core
        && size != INFO_HEADER
        && size != 52
        && size != 56
        && size != OS2_HEADER
        && size != 108
        && size != 124) {
      throw corrupt("info header of %d bytes".formatted(size));
    }
    need(bmp, FILE_HEADER + size);
    width = core ? u16(bmp, 18) : i32(bmp, 18);
    int rows = core ? u16(bmp, 20) : i32(bmp, 22);
    topDown = rows < 0;
    height = Math.abs(rows);
    int planes = u16(bmp, core ? 22 : 26);
    bitsPerPixel = u16(bmp, core ? 24 : 28);
    if (width < 1 || height < 1 || planes != 1) {
      throw corrupt("%d x %d pixels, %d planes".formatted(width, rows, planes));
    }
    long end = FILE_HEADER + size;
    int compression = core ? 0 : i32(bmp, 30);
    channels(bmp, size, compression);
    if (size == INFO_HEADER && compression != 0) {
      end += compression == ALPHA_BITFIELDS ? 16 : 12;
    }
    palette = end;
    colourBytes = core ? 3 : 4;
    colours = 0;
    if (bitsPerPixel <= 8) {
      long most = 1L << bitsPerPixel;
      long used = core ? 0 : u32(bmp, 46);
      long room = Math.max(0, pixels - palette) / colourBytes;
      colours = (int) Math.min(room, used == 0 ? most : Math.min(used, most));
      end += (long) colours * colourBytes;
    }
    if (pixels < end) {
      throw corrupt("pixels at byte %d, inside the header of %d".formatted(pixels, end));
    }
    need(bmp, end);
  }

  private void channels(MemorySegment bmp, long size, int compression) throws DecodeException {
    boolean masks =
        size != OS2_HEADER
            && bitsPerPixel == 32
            && (compression == BITFIELDS || compression == ALPHA_BITFIELDS);
    boolean depth =
        switch (bitsPerPixel) {
          case 1, 4, 8, 24, 32 -> true;
          default -> false;
        };
    if (!depth || (compression != 0 && !masks)) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "bmp: %d bits a pixel with compression %d; 1, 4, 8, 24 and 32 without are read"
              .formatted(bitsPerPixel, compression));
    }
    alpha = false;
    for (int i = 0; i < 3; i++) {
      order[i] = 2 - i; // blue comes first
    }
    if (masks) {
      boolean four = size >= 56 || compression == ALPHA_BITFIELDS;
      need(bmp, MASKS + (four ? 16 : 12));
      for (int i = 0; i < 3; i++) {
        order[i] = position(i32(bmp, MASKS + 4L * i));
      }
      alpha = four && i32(bmp, MASKS + 12) != 0;
    }
  }

  /// {@return which byte a mask selects}
  private static int position(int mask) throws DecodeException {
    return switch (mask) {
      case 0xff -> 0;
      case 0xff00 -> 1;
      case 0xff0000 -> 2;
      case 0xff000000 -> 3;
      default ->
          throw new DecodeException(
              Fault.UNSUPPORTED, "bmp: colour mask %08x is not one byte".formatted(mask));
    };
  }

  /// {@return bytes from one row to the next: rows are padded to 4}
  long stride() {
    return ((long) bitsPerPixel * width + 31) / 32 * 4;
  }

  /// {@return bytes of a whole file; the padding of its last row may be missing}
  long leastBytes() {
    return pixels + stride() * (height - 1) + ((long) bitsPerPixel * width + 7) / 8;
  }

  private static void need(MemorySegment bmp, long bytes) throws DecodeException {
    if (bmp.byteSize() < bytes) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "bmp: header needs %d bytes, the data ends after %d".formatted(bytes, bmp.byteSize()));
    }
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "bmp: " + what);
  }
}
