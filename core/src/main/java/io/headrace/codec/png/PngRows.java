package io.headrace.codec.png;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;

import io.headrace.codec.stream.Decoder;
import io.headrace.codec.stream.Streams;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/// Decodes the rows of a PNG from the first on, with our own inflate: all colour types and depths,
/// not interlaced. One per worker.
///
/// It decodes what is sound and usual, and leaves the rest, faults above all, to libspng: where it
/// cannot go on, it says so, and the pixels are undefined. Rows pass through a buffer on the heap.
final class PngRows {
  /// Bytes that rows are made in, if one does not take more.
  private static final int BUFFER = 64 << 10;

  /// Longer rows are not decoded here.
  private static final int MAX_ROW = 1 << 20;

  private static final int PALETTE = 3;
  private static final int ALPHA = 4;
  private static final int COLOUR = 2;

  /// Set in a letter of a chunk's type that is small: in the first, the chunk can be passed over.
  private static final int SMALL = 0x20;

  private final Decoder inflate = Streams.inflater();
  private final CRC32 crc = new CRC32();
  private final byte[] palette = new byte[3 * 256];
  private int colours;

  /// Rows, each after its filter byte: the one before, then others, and a byte to spare.
  private byte[] rows = new byte[0];

  private ByteBuffer room = ByteBuffer.wrap(rows);
  private byte[] line = new byte[0];

  /// The stream, and the place in it where the next chunk begins.
  private ByteBuffer source = ByteBuffer.allocate(0);

  private int at;

  /// Decodes part of an image, and no row below it.
  ///
  /// @param png one whole PNG stream
  /// @param header as read from it
  /// @param pixels [height, width, 3]: uint8, or uint16 in native order if `deep`
  /// @param deep whether 16 bits are kept, which all samples have
  /// @return whether it could be done
  boolean decode(
      MemorySegment png,
      PngHeader header,
      int top,
      int left,
      int height,
      int width,
      MemorySegment pixels,
      boolean deep) {
    int depth = header.bitDepth();
    long bits = (long) header.samples() * depth;
    long bytes = (bits * header.width() + 7) / 8;
    if (header.interlaced() || bytes > MAX_ROW || png.byteSize() > Integer.MAX_VALUE) {
      return false;
    }
    if (!sound(png, header)) {
      return false;
    }
    int count = (int) bytes;
    int stride = count + 1;
    int most = Math.max(1, BUFFER / stride);
    if (rows.length < (most + 1) * stride + 1) {
      rows = new byte[(most + 1) * stride + 1];
      room = ByteBuffer.wrap(rows);
    }
    Arrays.fill(rows, 0, stride, (byte) 0);
    int step = Math.max(1, (int) bits / 8);
    int end = top + height;
    inflate.reset();
    try {
      for (int done = 0; done < end; ) {
        int n = Math.min(most, end - done);
        boolean last = done + n == header.height();
        if (!fill(stride, stride * (n + 1), last)) {
          return false;
        }
        for (int i = 1; i <= n; i++, done++) {
          if (!Unfilter.row(rows, i * stride, count, step)) {
            return false;
          }
          if (done >= top
              && !put(header, i * stride + 1, left, width, pixels, done - top, deep)) {
            return false;
          }
        }
        System.arraycopy(rows, n * stride, rows, 0, stride);
      }
    } catch (DecodeException e) {
      return false;
    }
    return true;
  }

  /// Inflates some rows.
  ///
  /// @param last whether they are the last ones: then the stream must end there
  private boolean fill(int from, int to, boolean last) throws DecodeException {
    room.limit(last ? to + 1 : to).position(from);
    while (true) {
      boolean ended = inflate.decode(source, room);
      if (ended) {
        return room.position() == to && last && !source.hasRemaining() && !nextData();
      }
      if (room.position() == to && !last) {
        return true;
      }
      if (room.position() > to || (!source.hasRemaining() && !nextData())) {
        return false;
      }
    }
  }

  /// Goes to the next chunk if it is one of pixels.
  private boolean nextData() {
    ByteBuffer png = source;
    png.limit(png.capacity());
    if (at + PngHeader.CHUNK > png.capacity() || png.getInt(at + 4) != PngHeader.IDAT) {
      return false;
    }
    int length = png.getInt(at);
    png.limit(at + 8 + length).position(at + 8);
    at += (int) PngHeader.CHUNK + length;
    return true;
  }

  /// Looks at all chunks, checksums included, and goes to the first one of pixels.
  ///
  /// @return whether they are as they should be
  private boolean sound(MemorySegment png, PngHeader header) {
    source = png.asByteBuffer();
    colours = 0;
    int first = 0;
    boolean over = false;
    int place = 8;
    while (place + PngHeader.CHUNK <= source.capacity()) {
      int length = source.getInt(place);
      int type = source.getInt(place + 4);
      if (length < 0 || length > source.capacity() - place - PngHeader.CHUNK || !letters(type)) {
        return false;
      }
      crc.reset();
      crc.update(source.limit(place + 8 + length).position(place + 4));
      source.limit(source.capacity());
      if ((int) crc.getValue() != source.getInt(place + 8 + length)) {
        return false;
      }
      switch (type) {
        case PngHeader.IHDR -> {
          if (place != 8) {
            return false;
          }
        }
        case PngHeader.PLTE -> {
          if (first > 0 || colours > 0 || !palette(png, place + 8, length, header)) {
            return false;
          }
        }
        case PngHeader.IDAT -> {
          if (over) {
            return false;
          }
          first = first == 0 ? place : first;
        }
        case PngHeader.IEND -> {
          place = source.capacity();
        }
        default -> {
          if ((type >>> 24 & SMALL) == 0) {
            return false;
          }
          over = first > 0;
        }
      }
      place = place == source.capacity() ? place : place + (int) PngHeader.CHUNK + length;
    }
    at = first;
    return first > 0 && (header.colourType() != PALETTE || colours > 0) && nextData();
  }

  /// {@return whether a type is four letters, of which the third is a large one}
  private static boolean letters(int type) {
    boolean sound = (type >>> 8 & SMALL) == 0;
    for (int shift = 0; shift < 32; shift += 8) {
      int letter = (type >>> shift & 0xff) | SMALL;
      sound &= letter >= 'a' && letter <= 'z';
    }
    return sound;
  }

  private boolean palette(MemorySegment png, long from, int length, PngHeader header) {
    if (length == 0 || length % 3 != 0 || length > palette.length || (header.colourType() & COLOUR) == 0) {
      return false;
    }
    colours = length / 3;
    MemorySegment.copy(png, JAVA_BYTE, from, palette, 0, length);
    return true;
  }

  /// Brings a row to where it is wanted.
  private boolean put(
      PngHeader header, int from, int left, int width, MemorySegment pixels, int row, boolean deep) {
    int depth = header.bitDepth();
    int samples = header.samples();
    if (deep) {
      int green = samples > 2 ? 2 : 0;
      for (int x = 0; x < width; x++) {
        int pixel = from + 2 * samples * (left + x);
        for (int c = 0; c < 3; c++) {
          int i = pixel + c * green;
          char sample = (char) ((rows[i] & 0xff) << 8 | (rows[i + 1] & 0xff));
          pixels.set(JAVA_CHAR_UNALIGNED, 2 * (3 * ((long) row * width + x) + c), sample);
        }
      }
      return true;
    }
    long to = 3L * row * width;
    if (depth == 8 && samples == 3) {
      MemorySegment.copy(rows, from + 3 * left, pixels, JAVA_BYTE, to, 3 * width);
      return true;
    }
    if (line.length < 3 * width) {
      line = new byte[3 * width];
    }
    if (!convert(header, from, left, width)) {
      return false;
    }
    MemorySegment.copy(line, 0, pixels, JAVA_BYTE, to, 3 * width);
    return true;
  }

  private boolean convert(PngHeader header, int from, int left, int width) {
    int depth = header.bitDepth();
    int type = header.colourType();
    if (depth >= 8 && type != PALETTE) {
      int sample = depth / 8;
      int pixel = sample * header.samples();
      int green = (type & COLOUR) == 0 ? 0 : sample;
      for (int x = 0; x < width; x++) {
        int i = from + pixel * (left + x);
        line[3 * x] = rows[i];
        line[3 * x + 1] = rows[i + green];
        line[3 * x + 2] = rows[i + 2 * green];
      }
      return true;
    }
    int mask = (1 << depth) - 1;
    int spread = 0xff / mask;
    for (int x = 0; x < width; x++) {
      int bit = (left + x) * depth;
      int value = rows[from + (bit >> 3)] >> (8 - depth - (bit & 7)) & mask;
      if (type == PALETTE) {
        if (value >= colours) {
          return false;
        }
        line[3 * x] = palette[3 * value];
        line[3 * x + 1] = palette[3 * value + 1];
        line[3 * x + 2] = palette[3 * value + 2];
      } else {
        byte grey = (byte) (value * spread);
        line[3 * x] = grey;
        line[3 * x + 1] = grey;
        line[3 * x + 2] = grey;
      }
    }
    return true;
  }
}
