package io.headrace.codec.png;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.Streams;
import io.headrace.codec.stream.coder.Decoder;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Decodes the rows of a PNG from the first on, with our own inflate: all colour types and depths,
/// interlaced or not. One per worker.
///
/// It decodes what is sound and usual, and leaves the rest, faults above all, to libspng: where it
/// cannot go on, it says so, and the pixels are undefined. Rows pass through a buffer on the heap.
final class PngRows {
  /// Bytes that rows are made in, if one does not take more.
  private static final int BUFFER = 64 << 10;

  /// Rows that are best made together, unless they are long.
  private static final int GROUP = 15;

  private static final int MAX_GROUPED = 64 << 10;

  /// Rows of more bytes or pixels are not decoded here.
  private static final int MAX_ROW = 1 << 20;

  /// Place of the numbers of the methods of compression and of filtering.
  private static final int METHODS = 26;

  private static final int PALETTE = 3;
  private static final int COLOUR = 2;

  private static final VarHandle SAMPLE =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.nativeOrder());

  /// Set in a letter of a chunk's type that is small: in the first, the chunk can be passed over.
  private static final int SMALL = 0x20;

  /// Each pass of an interlaced image has: first column, first row, columns and rows to the next.
  private static final int[][] PASSES = {
    {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
  };

  private final Decoder inflate = Streams.inflater();
  private final Unfilter plain = new Unfilter();
  private @Nullable Unfilter vectors;
  private final CRC32 crc = new CRC32();
  private final byte[] palette = new byte[3 * 256];
  private int colours;

  /// Rows, each after its filter byte: the one before, then others, and a byte to spare.
  private byte[] rows = new byte[0];

  private ByteBuffer room = ByteBuffer.wrap(rows);

  /// Pixels of a row as they are wanted.
  private byte[] line = new byte[0];

  /// The stream, and the place in it where the next chunk begins.
  private ByteBuffer source = ByteBuffer.allocate(0);

  private int at;

  // What is wanted:
  private PngHeader header = new PngHeader();
  private MemorySegment pixels = MemorySegment.NULL;
  private boolean deep;
  private int top;
  private int left;
  private int width;

  /// Decodes part of an image, and no row below it; of an interlaced one only the whole.
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
    this.header = header;
    this.pixels = pixels;
    this.deep = deep;
    this.top = top;
    this.left = left;
    this.width = width;
    boolean whole = height == header.height() && width == header.width();
    if (Math.max(header.rowBytes(header.width()), header.width()) > MAX_ROW
        || png.byteSize() > Integer.MAX_VALUE
        || (header.interlaced() && !whole)
        || !sound(png)) {
      return false;
    }
    inflate.reset();
    try {
      return header.interlaced()
          ? passes()
          : rows(header.width(), top + height, top + height == header.height(), null);
    } catch (DecodeException e) {
      return false;
    }
  }

  private boolean passes() throws DecodeException {
    int last = PASSES.length - 1;
    while (across(PASSES[last]) == 0 || down(PASSES[last]) == 0) {
      last--;
    }
    boolean done = true;
    for (int i = 0; i <= last && done; i++) {
      int[] pass = PASSES[i];
      width = across(pass);
      int height = down(pass);
      done = width == 0 || height == 0 || rows(width, height, i == last, pass);
    }
    return done;
  }

  private int across(int[] pass) {
    return (header.width() - pass[0] + pass[2] - 1) / pass[2];
  }

  private int down(int[] pass) {
    return (header.height() - pass[1] + pass[3] - 1) / pass[3];
  }

  /// Decodes rows, of an image or of a pass.
  ///
  /// @param columns pixels of each
  /// @param end rows that are decoded
  /// @param last whether the stream must end there
  private boolean rows(int columns, int end, boolean last, int @Nullable [] pass)
      throws DecodeException {
    int count = (int) header.rowBytes(columns);
    int stride = count + 1;
    int most = Math.max(stride <= MAX_GROUPED ? GROUP : 1, BUFFER / stride / GROUP * GROUP);
    int bytes = (Math.min(most, end) + 1) * stride + 1;
    if (rows.length < bytes) {
      rows = new byte[bytes];
      room = ByteBuffer.wrap(rows);
    }
    Arrays.fill(rows, 0, stride, (byte) 0);
    int step = Math.max(1, header.samples() * header.bitDepth() / 8);
    Unfilter unfilter = unfilter();
    for (int done = 0; done < end; ) {
      int n = Math.min(most, end - done);
      if (!fill(stride, stride * (n + 1), last && done + n == end)
          || !unfilter.rows(rows, n, count, step, top - done)) {
        return false;
      }
      for (int i = 1; i <= n; i++, done++) {
        if (done >= top && !put(i * stride + 1, done - top, pass)) {
          return false;
        }
      }
      System.arraycopy(rows, n * stride, rows, 0, stride);
    }
    return true;
  }

  private Unfilter unfilter() {
    if (!Unfilter.vectorsPay()) {
      return plain;
    }
    Unfilter found = vectors;
    if (found == null) {
      found = Unfilter.vectors();
      vectors = found;
    }
    return found;
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
  private boolean sound(MemorySegment png) {
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
          if (place != 8 || source.getShort(METHODS) != 0) {
            return false;
          }
        }
        case PngHeader.PLTE -> {
          if (first > 0 || colours > 0 || !palette(png, place + 8, length)) {
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

  private boolean palette(MemorySegment png, long from, int length) {
    if (length == 0
        || length % 3 != 0
        || length > palette.length
        || (header.colourType() & COLOUR) == 0) {
      return false;
    }
    colours = length / 3;
    MemorySegment.copy(png, JAVA_BYTE, from, palette, 0, length);
    return true;
  }

  /// Brings a row to where it is wanted.
  ///
  /// @param from index of its first sample
  private boolean put(int from, int row, int @Nullable [] pass) {
    int size = deep ? 6 : 3;
    int bytes = size * width;
    if (pass == null && !deep && header.bitDepth() == 8 && header.samples() == 3) {
      MemorySegment.copy(rows, from + 3 * left, pixels, JAVA_BYTE, (long) bytes * row, bytes);
      return true;
    }
    if (line.length < bytes) {
      line = new byte[bytes];
    }
    boolean large = header.bitDepth() >= 8 && header.colourType() != PALETTE;
    if (!(large ? large(from) : small(from))) {
      return false;
    }
    if (pass == null) {
      MemorySegment.copy(line, 0, pixels, JAVA_BYTE, (long) bytes * row, bytes);
      return true;
    }
    long to = (long) size * ((long) (pass[1] + row * pass[3]) * header.width() + pass[0]);
    for (int x = 0; x < width; x++) {
      MemorySegment.copy(line, size * x, pixels, JAVA_BYTE, to + (long) size * pass[2] * x, size);
    }
    return true;
  }

  /// Makes a line of samples of 8 or 16 bits.
  private boolean large(int from) {
    int sample = header.bitDepth() / 8;
    int pixel = sample * header.samples();
    int green = (header.colourType() & COLOUR) == 0 ? 0 : sample;
    for (int x = 0; x < width; x++) {
      int i = from + pixel * (left + x);
      if (deep) {
        for (int c = 0; c < 3; c++) {
          int high = rows[i + c * green] & 0xff;
          SAMPLE.set(line, 6 * x + 2 * c, (char) (high << 8 | (rows[i + c * green + 1] & 0xff)));
        }
      } else {
        line[3 * x] = rows[i];
        line[3 * x + 1] = rows[i + green];
        line[3 * x + 2] = rows[i + 2 * green];
      }
    }
    return true;
  }

  /// Makes a line of grey of fewer bits, or of a palette.
  ///
  /// @return false if a colour is not in the palette
  private boolean small(int from) {
    int depth = header.bitDepth();
    int mask = (1 << depth) - 1;
    int spread = 0xff / mask;
    for (int x = 0; x < width; x++) {
      int bit = (left + x) * depth;
      int value = (rows[from + (bit >> 3)] >> (8 - depth - (bit & 7))) & mask;
      if (header.colourType() == PALETTE) {
        if (value >= colours) {
          return false;
        }
        System.arraycopy(palette, 3 * value, line, 3 * x, 3);
      } else {
        Arrays.fill(line, 3 * x, 3 * x + 3, (byte) (value * spread));
      }
    }
    return true;
  }
}
