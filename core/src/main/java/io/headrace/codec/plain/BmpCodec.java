package io.headrace.codec.plain;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.memory.LittleEndian.i32;
import static io.headrace.memory.LittleEndian.u16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;

import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Reads BMP, and writes it uncompressed: rows of blue, green, red, the lowest row first, each
/// padded to 4 bytes; see [BmpHeader]. One per worker.
///
/// Read are 1, 2, 4 and 8 bits with a palette, 4 and 8 also in runs, 16, 24 and 32 bits, with
/// colour masks too, rows in either order. A channel of `n` bits is brought to 8 as `255 * sample /
/// (2^n - 1)`, rounded to nearest. Pixels that runs leave out have the palette's first colour, as
/// ImageMagick gives them. Alpha is dropped; [ImageInfo#channels] tells of it, and says 1 where the
/// palette is grey.
final class BmpCodec extends HeaderDecoder {
  private static final int GREYS = 256;

  private final BmpHeader header = new BmpHeader();
  private final long maxPixels;

  /// @param maxPixels columns times rows that an image may have
  BmpCodec(long maxPixels) {
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param bmp one whole BMP file
  /// @throws DecodeException as [BmpHeader#read] does; with [Fault#LIMIT] if there are too many
  ///     pixels, [Fault#TRUNCATED] if there are too few bytes for them
  @Override
  protected void readHeader(MemorySegment bmp) throws DecodeException {
    header.read(bmp);
    ImageLimits.requirePixels("bmp", header.width, header.height, maxPixels);
    ImageLimits.requirePlausible(
        "bmp", header.width, header.height, header.leastBytes(), bmp.byteSize());
  }

  @Override
  protected ImageInfo info(MemorySegment bmp) {
    boolean indexed = header.bitsPerPixel <= 8;
    int channels = indexed ? (grey(bmp) ? 1 : 3) : header.alpha ? 4 : 3;
    return new ImageInfo(
        ImageFormat.BMP, header.width, header.height, channels, header.bitDepth, null, false, 1);
  }

  @Override
  public ImageEncoding like(int quality) {
    return PlainCodec.BMP;
  }

  private boolean grey(MemorySegment bmp) {
    for (int i = 0; i < header.colours; i++) {
      long at = header.palette + (long) i * header.colourBytes;
      int blue = u8(bmp, at);
      if (u8(bmp, at + 1) != blue || u8(bmp, at + 2) != blue) {
        return false;
      }
    }
    return true;
  }

  /// Decodes one image, channels last, rows packed, the top row first.
  ///
  /// @param bmp one whole BMP file
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], at least [ImageInfo#rgbBytes] bytes; bytes after
  ///     those stay as they are
  /// @throws DecodeException if the file is cut, damaged or not as announced; `pixels` is then
  ///     undefined
  @Override
  public void decode(MemorySegment bmp, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireBytes(pixels, info.rgbBytes());
    header(bmp);
    ImageLimits.requireSize("bmp", header.width, header.height, info);
    if (header.runs) {
      runs(bmp, pixels);
      return;
    }
    for (int y = 0; y < header.height; y++) {
      long from = header.pixels + header.stride() * fromTop(y);
      long to = 3L * header.width * y;
      if (header.bitsPerPixel <= 8) {
        indexedRow(bmp, from, pixels, to);
      } else if (header.wholeBytes) {
        colourRow(bmp, from, pixels, to);
      } else {
        maskedRow(bmp, from, 255, pixels, to);
      }
    }
  }

  /// Decodes one image with channels of more than 8 bits to 16; as [#decode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order
  @Override
  public void decode16(MemorySegment bmp, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireBytes(pixels, 2 * info.rgbBytes());
    header(bmp);
    ImageLimits.requireSize("bmp", header.width, header.height, info);
    for (int y = 0; y < header.height; y++) {
      long from = header.pixels + header.stride() * fromTop(y);
      maskedRow(bmp, from, 65_535, pixels, 3L * header.width * y);
    }
  }

  /// {@return which row of the picture a row of the file is, and the reverse}
  private long fromTop(long row) {
    return header.topDown ? row : header.height - 1 - row;
  }

  /// @param full light in what is decoded: 255, or 65,535 for samples of uint16
  private void maskedRow(MemorySegment bmp, long from, int full, MemorySegment pixels, long to) {
    int bytes = header.bitsPerPixel / 8;
    for (int x = 0; x < header.width; x++) {
      long at = from + (long) bytes * x;
      int pixel = bytes == 2 ? u16(bmp, at) : i32(bmp, at);
      for (int c = 0; c < 3; c++) {
        int mask = header.masks[c];
        long most = Integer.toUnsignedLong(mask >>> header.shifts[c]);
        long value = Integer.toUnsignedLong((pixel & mask) >>> header.shifts[c]);
        long scaled = most == 0 ? 0 : (2L * full * value + most) / (2 * most);
        if (full == 255) {
          pixels.set(JAVA_BYTE, to + 3L * x + c, (byte) scaled);
        } else {
          pixels.set(JAVA_CHAR_UNALIGNED, 2 * (to + 3L * x + c), (char) scaled);
        }
      }
    }
  }

  /// Pairs of bytes: a count and what to repeat, or 0 and what to do. 0 ends a row, 1 the picture;
  /// 2 is followed by columns and rows to leave out; 3 and more are so many indices, one by one and
  /// padded to 2 bytes. Indices of 4 bits come two a byte, the higher first. Some writers, such as
  /// ImageMagick, go on to the end of the row's padding.
  private void runs(MemorySegment bmp, MemorySegment pixels) throws DecodeException {
    long size = 3L * header.width * header.height;
    for (long to = 0; to < size; to += 3) {
      for (int c = 0; c < 3; c++) {
        long first = header.palette + 2 - c;
        pixels.set(JAVA_BYTE, to + c, header.colours == 0 ? 0 : bmp.get(JAVA_BYTE, first));
      }
    }
    int perByte = 8 / header.bitsPerPixel;
    long end = bmp.byteSize();
    long at = header.pixels;
    int x = 0;
    int y = 0;
    while (y < header.height && !(y == header.height - 1 && x >= header.width)) {
      requireRuns(at + 2 <= end, y, end);
      int count = u8(bmp, at);
      int value = u8(bmp, at + 1);
      at += 2;
      if (count > 0) {
        run(bmp, at - 1, false, count, x, y, pixels);
        x += count;
      } else if (value == 0) {
        x = 0;
        y++;
      } else if (value == 1) {
        return;
      } else if (value == 2) {
        requireRuns(at + 2 <= end, y, end);
        x += u8(bmp, at);
        y += u8(bmp, at + 1);
        at += 2;
        requireInside(x <= paddedWidth() && y < header.height, x, y, at);
      } else {
        long bytes = Math.ceilDiv(value, perByte);
        requireRuns(at + bytes <= end, y, end);
        run(bmp, at, true, value, x, y, pixels);
        x += value;
        at += bytes + (bytes & 1);
      }
    }
  }

  /// Puts `count` pixels at column `x` of row `y` of the file.
  ///
  /// @param at where their indices lie, or the byte to repeat
  /// @param each whether every pixel has an index of its own
  private void run(
      MemorySegment bmp, long at, boolean each, int count, int x, int y, MemorySegment pixels)
      throws DecodeException {
    requireInside(x + count <= paddedWidth(), x + count, y, at);
    int shown = Math.min(count, header.width - x);
    int bits = header.bitsPerPixel;
    long to = 3 * (header.width * fromTop(y) + x);
    for (int i = 0; i < shown; i++) {
      int bit = bits * i;
      int index = u8(bmp, each ? at + bit / 8 : at) >> (8 - bits - bit % 8) & ((1 << bits) - 1);
      colour(bmp, index, at, pixels, to + 3L * i);
    }
  }

  private long paddedWidth() {
    return header.stride() * 8 / header.bitsPerPixel;
  }

  private void requireRuns(boolean enough, int y, long end) throws DecodeException {
    if (!enough) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "bmp: runs go on, in row %d of %d, but the data ends after %d bytes"
              .formatted(y, header.height, end));
    }
  }

  private void requireInside(boolean inside, int x, int y, long at) throws DecodeException {
    if (!inside) {
      throw new DecodeException(
          Fault.CORRUPT,
          "bmp: runs lead to column %d, row %d of %d x %d pixels, at byte %d"
              .formatted(x, y, header.width, header.height, at));
    }
  }

  private void colourRow(MemorySegment bmp, long from, MemorySegment pixels, long to) {
    int step = header.bitsPerPixel / 8;
    int red = header.order[0];
    int green = header.order[1];
    int blue = header.order[2];
    for (int x = 0; x < header.width; x++) {
      long pixel = from + (long) step * x;
      pixels.set(JAVA_BYTE, to + 3L * x, bmp.get(JAVA_BYTE, pixel + red));
      pixels.set(JAVA_BYTE, to + 3L * x + 1, bmp.get(JAVA_BYTE, pixel + green));
      pixels.set(JAVA_BYTE, to + 3L * x + 2, bmp.get(JAVA_BYTE, pixel + blue));
    }
  }

  private void indexedRow(MemorySegment bmp, long from, MemorySegment pixels, long to)
      throws DecodeException {
    int bits = header.bitsPerPixel;
    int mask = (1 << bits) - 1;
    for (int x = 0; x < header.width; x++) {
      long bit = (long) bits * x;
      int index = u8(bmp, from + bit / 8) >> (8 - bits - bit % 8) & mask;
      colour(bmp, index, from + bit / 8, pixels, to + 3L * x);
    }
  }

  private void colour(MemorySegment bmp, int index, long at, MemorySegment pixels, long to)
      throws DecodeException {
    if (index >= header.colours) {
      throw new DecodeException(
          Fault.CORRUPT, "bmp: colour %d of %d, at byte %d".formatted(index, header.colours, at));
    }
    long colour = header.palette + (long) index * header.colourBytes;
    pixels.set(JAVA_BYTE, to, bmp.get(JAVA_BYTE, colour + 2));
    pixels.set(JAVA_BYTE, to + 1, bmp.get(JAVA_BYTE, colour + 1));
    pixels.set(JAVA_BYTE, to + 2, bmp.get(JAVA_BYTE, colour));
  }

  /// Encodes one image, rows bottom up, with a `BITMAPINFOHEADER`: RGB as 24 bits, grey as 8 with
  /// a palette of 256 greys.
  ///
  /// @param pixels uint8 [height, width, channels], rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey
  /// @param out takes the file at its start
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it, or the
  ///     file would be over 4 GiB
  static long encode(MemorySegment pixels, int width, int height, int channels, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    long start = BmpHeader.FILE_HEADER + BmpHeader.INFO_HEADER + (channels == 1 ? 4L * GREYS : 0L);
    long row = (long) channels * width;
    long stride = (row + 3) / 4 * 4;
    long bytes = start + stride * height;
    if (bytes > 0xffffffffL) {
      throw new DecodeException(
          Fault.LIMIT, "bmp: %d x %d pixels take more than 4 GiB".formatted(width, height));
    }
    MemorySegment to = out.ensure(bytes);
    writeHeader(to, width, height, channels, bytes, start);
    for (int y = 0; y < height; y++) {
      long from = row * y;
      long at = start + stride * (height - 1 - y);
      if (channels == 1) {
        MemorySegment.copy(pixels, from, to, at, row);
      } else {
        for (long x = 0; x < row; x += 3) {
          to.set(JAVA_BYTE, at + x, pixels.get(JAVA_BYTE, from + x + 2));
          to.set(JAVA_BYTE, at + x + 1, pixels.get(JAVA_BYTE, from + x + 1));
          to.set(JAVA_BYTE, at + x + 2, pixels.get(JAVA_BYTE, from + x));
        }
      }
      for (long pad = at + row; pad < at + stride; pad++) {
        to.set(JAVA_BYTE, pad, (byte) 0);
      }
    }
    return bytes;
  }

  private static void writeHeader(
      MemorySegment to, int width, int height, int channels, long bytes, long start) {
    for (int i = 0; i < start; i++) {
      to.set(JAVA_BYTE, i, (byte) 0);
    }
    to.set(JAVA_BYTE, 0, (byte) 'B');
    to.set(JAVA_BYTE, 1, (byte) 'M');
    put(to, 2, bytes);
    put(to, 10, start);
    put(to, 14, BmpHeader.INFO_HEADER);
    put(to, 18, width);
    put(to, 22, height);
    to.set(JAVA_BYTE, 26, (byte) 1); // planes
    to.set(JAVA_BYTE, 28, (byte) (8 * channels));
    put(to, 34, bytes - start);
    if (channels == 1) {
      put(to, 46, GREYS);
      for (int i = 0; i < GREYS; i++) {
        put(to, BmpHeader.FILE_HEADER + BmpHeader.INFO_HEADER + 4L * i, 0x010101L * i);
      }
    }
  }

  private static void put(MemorySegment to, long at, long value) {
    for (int i = 0; i < 4; i++) {
      to.set(JAVA_BYTE, at + i, (byte) (value >> (8 * i)));
    }
  }
}
