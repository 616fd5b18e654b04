package io.headrace.codec.plain;

import static io.headrace.codec.BigEndian.u32;
import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reads and writes QOI. Source: "The Quite OK Image Format", specification 1.0, qoiformat.org.
///
///     header  "qoif", u32 width, u32 height, u8 channels (3 or 4), u8 colour space (0 or 1)
///     RGB     fe r g b            RGBA  ff r g b a
///     INDEX   00iiiiii            a pixel seen before, by its hash
///     DIFF    01rrggbb            differences to the last pixel, -2 to 1
///     LUMA    10gggggg rrrrbbbb   green's, -32 to 31; red's and blue's to green's, -8 to 7
///     RUN     11nnnnnn            the last pixel again, 1 to 62 times
///     end     00 00 00 00 00 00 00 01
///
/// Numbers are big-endian. Alpha is dropped; [ImageInfo#channels] tells of it. A missing end
/// marker is no fault, for the pixels are complete. One per worker.
final class QoiCodec extends HeaderDecoder {
  private static final int HEADER = 14;
  private static final int END = 8;
  private static final int RGB = 0xfe;
  private static final int RGBA = 0xff;
  private static final int LONGEST_RUN = 62;

  /// A black, opaque pixel, as alpha, red, green, blue from the highest byte.
  private static final int START = 0xff000000;

  private final int[] seen = new int[64];
  private final long maxPixels;
  private int width;
  private int height;
  private int channels;

  /// @param maxPixels columns times rows that an image may have
  QoiCodec(long maxPixels) {
    this.maxPixels = maxPixels;
  }

  /// Reads the header and holds it to the limits.
  ///
  /// @param qoi one whole QOI file
  /// @throws DecodeException with [Fault#MISMATCH] if it is no QOI, [Fault#TRUNCATED] if there are
  ///     too few bytes for the header or its pixels, [Fault#CORRUPT] if the header makes no sense,
  ///     [Fault#LIMIT] if there are too many pixels
  @Override
  protected void readHeader(MemorySegment qoi) throws DecodeException {
    if (ImageFormat.detect(qoi) != ImageFormat.QOI) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(qoi, "a QOI"));
    }
    if (qoi.byteSize() < HEADER) {
      throw cut(HEADER, qoi.byteSize());
    }
    long columns = Integer.toUnsignedLong(u32(qoi, 4));
    long rows = Integer.toUnsignedLong(u32(qoi, 8));
    channels = u8(qoi, 12);
    if (columns == 0 || rows == 0 || channels < 3 || channels > 4 || u8(qoi, 13) > 1) {
      throw new DecodeException(
          Fault.CORRUPT,
          "qoi: %d x %d pixels, %d channels, colour space %d"
              .formatted(columns, rows, channels, u8(qoi, 13)));
    }
    ImageLimits.requirePixels("qoi", columns, rows, maxPixels);
    width = (int) columns;
    height = (int) rows;
    long least = HEADER + Math.ceilDiv(columns * rows, LONGEST_RUN);
    ImageLimits.requirePlausible("qoi", width, height, least, qoi.byteSize());
  }

  @Override
  protected ImageInfo info(MemorySegment qoi) {
    return new ImageInfo(ImageFormat.QOI, width, height, channels, 8, null, false, 1);
  }

  @Override
  public ImageEncoding like(int quality) {
    return PlainCodec.QOI;
  }

  /// Decodes one image, channels last, rows packed.
  ///
  /// @param qoi one whole QOI file
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], at least [ImageInfo#rgbBytes] bytes; bytes behind
  ///     those stay as they are
  /// @throws DecodeException if the file is cut, or not as announced; `pixels` is then undefined
  @Override
  public void decode(MemorySegment qoi, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireBytes(pixels, info.rgbBytes());
    header(qoi);
    ImageLimits.requireSize("qoi", width, height, info);
    Arrays.fill(seen, 0);
    long bytes = info.rgbBytes();
    long end = qoi.byteSize();
    long at = HEADER;
    int pixel = START;
    for (long to = 0; to < bytes; ) {
      if (at >= end) {
        throw cut(at + 1, end);
      }
      int op = u8(qoi, at++);
      int more = op == RGBA ? 4 : op == RGB ? 3 : op >> 6 == 2 ? 1 : 0;
      if (more > end - at) {
        throw cut(at + more, end);
      }
      long stop = to + 3;
      if (more > 0) {
        pixel = more == 1 ? luma(pixel, op, u8(qoi, at)) : whole(qoi, at, more, pixel);
        at += more;
      } else if (op >> 6 == 0) {
        pixel = seen[op];
      } else if (op >> 6 == 1) {
        pixel = diff(pixel, op);
      } else {
        stop = Math.min(bytes, to + 3L * ((op & 63) + 1));
      }
      seen[hash(pixel)] = pixel;
      for (; to < stop; to += 3) {
        pixels.set(JAVA_BYTE, to, (byte) (pixel >> 16));
        pixels.set(JAVA_BYTE, to + 1, (byte) (pixel >> 8));
        pixels.set(JAVA_BYTE, to + 2, (byte) pixel);
      }
    }
  }

  private static int whole(MemorySegment qoi, long at, int bytes, int pixel) {
    int alpha = bytes == 4 ? u8(qoi, at + 3) << 24 : pixel & 0xff000000;
    return alpha | (u8(qoi, at) << 16) | (u8(qoi, at + 1) << 8) | u8(qoi, at + 2);
  }

  private static int diff(int pixel, int op) {
    return moved(pixel, ((op >> 4) & 3) - 2, ((op >> 2) & 3) - 2, (op & 3) - 2);
  }

  private static int luma(int pixel, int op, int second) {
    int green = (op & 63) - 32;
    return moved(pixel, green + (second >> 4) - 8, green, green + (second & 15) - 8);
  }

  private static int moved(int pixel, int red, int green, int blue) {
    return (pixel & 0xff000000)
        | (((pixel >> 16) + red & 0xff) << 16)
        | (((pixel >> 8) + green & 0xff) << 8)
        | (pixel + blue & 0xff);
  }

  private static int hash(int pixel) {
    return (3 * (pixel >> 16 & 0xff)
            + 5 * (pixel >> 8 & 0xff)
            + 7 * (pixel & 0xff)
            + 11 * (pixel >>> 24))
        & 63;
  }

  /// Encodes one image, always of 3 channels and in sRGB.
  ///
  /// @param pixels uint8 [height, width, channels], rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey, which QOI stores as RGB
  /// @param out takes the file at its start; it grows to the worst case, 4 bytes a pixel
  /// @return bytes of the file
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow the worst case
  long encode(MemorySegment pixels, int width, int height, int channels, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    long count = (long) width * height;
    MemorySegment to = out.ensure(HEADER + 4 * count + END);
    writeHeader(to, width, height);
    Arrays.fill(seen, 0);
    long at = HEADER;
    int last = START;
    int run = 0;
    int step = channels == 3 ? 1 : 0;
    for (long i = 0; i < count; i++) {
      long from = i * channels;
      int pixel =
          START
              | (u8(pixels, from) << 16)
              | (u8(pixels, from + step) << 8)
              | u8(pixels, from + 2L * step);
      if (pixel == last) {
        run++;
        if (run == LONGEST_RUN) {
          at = put(to, at, 0xc0 | (run - 1));
          run = 0;
        }
        continue;
      }
      if (run > 0) {
        at = put(to, at, 0xc0 | (run - 1));
        run = 0;
      }
      at = write(to, at, pixel, last);
      last = pixel;
    }
    if (run > 0) {
      at = put(to, at, 0xc0 | (run - 1));
    }
    for (int i = 1; i <= END; i++) {
      at = put(to, at, i / END);
    }
    return at;
  }

  /// Writes a pixel that differs from the last one.
  private long write(MemorySegment to, long at, int pixel, int last) {
    int slot = hash(pixel);
    if (seen[slot] == pixel) {
      return put(to, at, slot);
    }
    seen[slot] = pixel;
    int red = (byte) ((pixel >> 16) - (last >> 16));
    int green = (byte) ((pixel >> 8) - (last >> 8));
    int blue = (byte) (pixel - last);
    if (fits(red, 2) && fits(green, 2) && fits(blue, 2)) {
      return put(to, at, 0x40 | ((red + 2) << 4) | ((green + 2) << 2) | (blue + 2));
    }
    if (fits(green, 32) && fits(red - green, 8) && fits(blue - green, 8)) {
      long next = put(to, at, 0x80 | (green + 32));
      return put(to, next, ((red - green + 8) << 4) | (blue - green + 8));
    }
    long next = put(to, put(to, at, RGB), pixel >> 16);
    return put(to, put(to, next, pixel >> 8), pixel);
  }

  private static boolean fits(int difference, int bound) {
    return difference >= -bound && difference < bound;
  }

  private static void writeHeader(MemorySegment to, int width, int height) {
    for (int i = 0; i < 4; i++) {
      to.set(JAVA_BYTE, i, (byte) "qoif".charAt(i));
      to.set(JAVA_BYTE, 4 + i, (byte) (width >> (24 - 8 * i)));
      to.set(JAVA_BYTE, 8 + i, (byte) (height >> (24 - 8 * i)));
    }
    to.set(JAVA_BYTE, 12, (byte) 3);
    to.set(JAVA_BYTE, 13, (byte) 0);
  }

  private static long put(MemorySegment to, long at, int value) {
    to.set(JAVA_BYTE, at, (byte) value);
    return at + 1;
  }

  private static DecodeException cut(long wanted, long bytes) {
    return new DecodeException(
        Fault.TRUNCATED,
        "qoi: needs at least %d bytes, the data ends after %d".formatted(wanted, bytes));
  }
}
