package io.headrace.codec.plain;

import static io.headrace.memory.LittleEndian.i32;
import static io.headrace.memory.LittleEndian.u16;
import static io.headrace.memory.LittleEndian.u32;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
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
  private static final int SHORT_OS2_HEADER = 16;
  private static final int OS2_HEADER = 64;

  /// Values of `biCompression`: runs of indices of 8 and of 4 bits, and colour masks.
  private static final int RLE8 = 1;

  private static final int RLE4 = 2;
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

  /// Whether pixels are indices in runs.
  boolean runs;

  /// Whether red, green and blue are a byte each, and which of a pixel of 24 or 32 bits.
  boolean wholeBytes;

  final int[] order = new int[3];

  /// The bits of a pixel of 16 or 32 that are red, green and blue, and the place of the lowest.
  final int[] masks = new int[3];

  final int[] shifts = new int[3];

  /// Bits of the widest channel; of an index where there is a palette.
  int bitDepth;

  boolean alpha;

  /// @throws DecodeException with [Fault#MISMATCH] if it is no BMP, [Fault#TRUNCATED] if it is cut,
  ///     [Fault#CORRUPT] if the numbers make no sense, [Fault#UNSUPPORTED] if it is compressed, but
  ///     not in runs of 4 or 8 bits, or has bits a pixel that no definition names
  void read(MemorySegment bmp) throws DecodeException {
    if (ImageFormat.detect(bmp) != ImageFormat.BMP) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(bmp, "a BMP"));
    }
    need(bmp, FILE_HEADER + 4);
    pixels = u32(bmp, 10);
    long size = u32(bmp, FILE_HEADER);
    boolean core = size == CORE_HEADER;
    if (!core
        && size != SHORT_OS2_HEADER
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
    boolean brief = size <= SHORT_OS2_HEADER;
    int compression = brief ? 0 : i32(bmp, 30);
    channels(bmp, size, compression);
    if (size == INFO_HEADER && (compression == BITFIELDS || compression == ALPHA_BITFIELDS)) {
      end += compression == ALPHA_BITFIELDS ? 16 : 12;
    }
    palette = end;
    colourBytes = core ? 3 : 4;
    colours = 0;
    if (bitsPerPixel <= 8) {
      long most = 1L << bitsPerPixel;
      long used = brief ? 0 : u32(bmp, 46);
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
    boolean masked =
        size != OS2_HEADER
            && (bitsPerPixel == 16 || bitsPerPixel == 32)
            && (compression == BITFIELDS || compression == ALPHA_BITFIELDS);
    runs = (compression == RLE8 && bitsPerPixel == 8) || (compression == RLE4 && bitsPerPixel == 4);
    boolean depth =
        switch (bitsPerPixel) {
          case 1, 2, 4, 8, 16, 24, 32 -> true;
          default -> false;
        };
    if (!depth || (compression != 0 && !masked && !runs)) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "bmp: %d bits a pixel with compression %d; %s are read"
              .formatted(
                  bitsPerPixel,
                  compression,
                  "1, 2, 4, 8, 16, 24 and 32 bits, masks, and runs of 4 and 8 bits"));
    }
    alpha = false;
    wholeBytes = bitsPerPixel >= 24;
    bitDepth = Math.min(bitsPerPixel, 8);
    for (int i = 0; i < 3; i++) {
      order[i] = 2 - i; // blue comes first
      masks[i] = 0x7c00 >> (5 * i); // 5 bits each
    }
    if (masked) {
      boolean four = size >= 56 || compression == ALPHA_BITFIELDS;
      need(bmp, MASKS + (four ? 16 : 12));
      wholeBytes = bitsPerPixel == 32;
      for (int i = 0; i < 3; i++) {
        masks[i] = i32(bmp, MASKS + 4L * i);
        order[i] = Integer.numberOfTrailingZeros(masks[i]) / 8;
        wholeBytes &= masks[i] == 0xff << (8 * order[i]);
      }
      alpha = four && i32(bmp, MASKS + 12) != 0;
    }
    if (bitsPerPixel == 16 || masked) {
      bitDepth = 0;
      for (int mask : masks) {
        bitDepth = Math.max(bitDepth, checkedBits(mask));
      }
      for (int i = 0; i < 3; i++) {
        shifts[i] = masks[i] == 0 ? 0 : Integer.numberOfTrailingZeros(masks[i]);
      }
    }
  }

  /// {@return how many bits a mask selects, none where a picture lacks that colour}
  private int checkedBits(int mask) throws DecodeException {
    int bits = Integer.bitCount(mask);
    boolean together = bits == 0 || mask >>> Integer.numberOfTrailingZeros(mask) == ones(bits);
    if (!together || (bitsPerPixel == 16 && mask >>> 16 != 0)) {
      throw corrupt(
          "colour mask %08x of a pixel of %d bits: expected bits that are together"
              .formatted(mask, bitsPerPixel));
    }
    return bits;
  }

  private static int ones(int bits) {
    return -1 >>> (32 - bits);
  }

  /// {@return bytes from one row to the next: rows are padded to 4}
  long stride() {
    return ((long) bitsPerPixel * width + 31) / 32 * 4;
  }

  /// {@return bytes of a whole file; the padding of its last row may be missing. Runs may end after
  ///     any pixel}
  long leastBytes() {
    return runs
        ? pixels + 2
        : pixels + stride() * (height - 1) + ((long) bitsPerPixel * width + 7) / 8;
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
