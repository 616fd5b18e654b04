package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// Encodes RGB or grey of 8 bits, and RGB of 16, so that it decodes to the same pixels, fast. One
/// per worker.
///
/// The same pixels and level give the same bytes wherever the version of zstd is the same.
public final class LosslessEncoder implements PixelEncoder {
  /// Columns of a tile at most: decoding a narrower window costs whole tiles.
  private static final int TILE_WIDTH = 512;

  /// Samples of a tile at most: fewer make smaller windows cheaper, and everything else dearer.
  private static final int TILE_SAMPLES = 32768;

  private final Header header = new Header();
  private final Checksum checksum = new Checksum();
  private final FrameEncoder frames = new FrameEncoder();
  private final PlaneEncoder[] encoders = {
    new PlaneEncoder(frames, false), new PlaneEncoder(frames, true), new PlaneEncoder(frames, true)
  };
  private final byte[][] planes = new byte[3][Header.MAX_TILE_SAMPLES];

  /// Bytes from a sample to the next: 2 where one of the bytes of 16 bits is encoded.
  private int step = 1;

  /// An encoder for any level.
  public LosslessEncoder() {}

  /// Encodes one image.
  ///
  /// @param pixels uint8 [height, width, channels], rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 3 for RGB, 1 for grey
  /// @param level what to strive for
  /// @param out takes the stream at its start
  /// @return bytes of the stream
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it, or the
  ///     stream would be over 4 GiB
  public long encode(
      MemorySegment pixels, int width, int height, int channels, LosslessLevel level, Block out)
      throws DecodeException {
    header.lowFollows = false;
    step = 1;
    return encodeAt(0, pixels, width, height, channels, level, out);
  }

  /// Encodes one RGB image of 16 bits: a stream of the high bytes, then one of the low bytes.
  ///
  /// @param pixels uint16 [height, width, 3] in native order; as [#encode] does otherwise
  public long encode16(MemorySegment pixels, int width, int height, LosslessLevel level, Block out)
      throws DecodeException {
    int high = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0;
    step = 2;
    header.lowFollows = true;
    long end = encodeAt(0, pixels.asSlice(high), width, height, 3, level, out);
    header.lowFollows = false;
    return encodeAt(end, pixels.asSlice(1 - high), width, height, 3, level, out);
  }

  /// Encodes one image to the place `start` of `out`.
  private long encodeAt(
      long start,
      MemorySegment pixels,
      int width,
      int height,
      int channels,
      LosslessLevel level,
      Block out)
      throws DecodeException {
    if (width < 1 || height < 1 || (channels != 1 && channels != 3)) {
      throw new IllegalArgumentException(
          "%d x %d pixels of %d channels: expected 1 or 3".formatted(width, height, channels));
    }
    long bytes = step * Math.multiplyExact((long) width * height, channels) - (step - 1);
    if (pixels.byteSize() < bytes) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d".formatted(bytes, pixels.byteSize()));
    }
    header.width = width;
    header.height = height;
    header.channels = channels;
    header.tileWidth = Math.min(width, TILE_WIDTH);
    int stride = (header.tileWidth + 7) & ~7;
    header.tileHeight = Math.min((height + 1) & ~1, TILE_SAMPLES / stride & ~1);
    long table = LosslessDecoder.ENTRY * header.tiles();
    long at = Header.BYTES + table + Integer.BYTES;
    if (start == 0) {
      out.ensure(at);
    } else {
      out.ensureKeeping(start + at);
    }
    long entry = start + Header.BYTES;
    for (int top = 0; top < height; top += header.tileHeight) {
      int rows = Math.min(header.tileHeight, height - top);
      for (int left = 0; left < width; left += header.tileWidth) {
        int columns = Math.min(header.tileWidth, width - left);
        split(pixels, left, top, columns, rows);
        long end = encodeTile(columns, rows, level, out, start + at) - start;
        MemorySegment to = out.memory();
        to.set(Header.U32, entry, (int) at);
        to.set(Header.U32, entry + 4, (int) (end - at));
        to.set(Header.U32, entry + 8, checksum.of(to, start + at, end - at));
        entry += LosslessDecoder.ENTRY;
        at = end;
      }
    }
    MemorySegment to = out.memory();
    header.write(to.asSlice(start), checksum);
    to.set(Header.U32, entry, checksum.of(to, start + Header.BYTES, table));
    return start + at;
  }

  /// Fills `planes` with one tile.
  private void split(MemorySegment pixels, int left, int top, int columns, int rows) {
    int stride = (columns + 7) & ~7;
    int padded = (rows + 1) & ~1;
    for (int y = 0; y < padded; y++) {
      long from = ((long) (top + Math.min(y, rows - 1)) * header.width + left) * header.channels;
      int to = y * stride;
      if (header.channels == 1) {
        MemorySegment.copy(pixels, JAVA_BYTE, from, planes[0], to, columns);
      } else if (step == 2) {
        splitBytes(pixels, 2 * from, to, columns);
      } else {
        splitRow(pixels, from, to, columns);
      }
    }
  }

  private void splitRow(MemorySegment pixels, long from, int to, int columns) {
    byte[] green = planes[0];
    byte[] red = planes[1];
    byte[] blue = planes[2];
    for (int x = 0; x < columns; x++) {
      byte g = pixels.get(JAVA_BYTE, from + 3L * x + 1);
      green[to + x] = g;
      red[to + x] = (byte) (pixels.get(JAVA_BYTE, from + 3L * x) - g);
      blue[to + x] = (byte) (pixels.get(JAVA_BYTE, from + 3L * x + 2) - g);
    }
  }

  /// As [#splitRow] does, from every second byte.
  private void splitBytes(MemorySegment pixels, long from, int to, int columns) {
    for (int x = 0; x < columns; x++) {
      byte g = pixels.get(JAVA_BYTE, from + 6L * x + 2);
      planes[0][to + x] = g;
      planes[1][to + x] = (byte) (pixels.get(JAVA_BYTE, from + 6L * x) - g);
      planes[2][to + x] = (byte) (pixels.get(JAVA_BYTE, from + 6L * x + 4) - g);
    }
  }

  private long encodeTile(int columns, int rows, LosslessLevel level, Block out, long start)
      throws DecodeException {
    int stride = (columns + 7) & ~7;
    int padded = (rows + 1) & ~1;
    int count = header.channels;
    long most = start + Integer.BYTES + count * PlaneEncoder.bound(stride * padded);
    if (most > 0xffff_ffffL) {
      throw new DecodeException(Fault.LIMIT, "lossless: the stream would be over 4 GiB");
    }
    MemorySegment to = out.ensureKeeping(most);
    int widthBytes = 0;
    for (int c = 0; c < count; c++) {
      encoders[c].open(planes[c], stride, padded, columns, level);
      widthBytes = encoders[c].writeWidths(frames.plain, widthBytes);
    }
    long at = start + (long) count * PlaneDecoder.HEADER;
    if (widthBytes > 0) {
      int length = frames.write(widthBytes, level.codesWidths(), to, at + Integer.BYTES);
      to.set(Header.U32, at, length);
      at += Integer.BYTES + length;
    }
    for (int c = 0; c < count; c++) {
      at = encoders[c].write(to, start + (long) c * PlaneDecoder.HEADER, at);
    }
    return at;
  }

  @Override
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {

    return encode(pixels, width, height, channels, ((LosslessEncoding) encoding).level(), out);
  }

  @Override
  public long encode16(
      MemorySegment pixels, int width, int height, ImageEncoding encoding, Block out)
      throws DecodeException {
    return encode16(pixels, width, height, ((LosslessEncoding) encoding).level(), out);
  }

  @Override
  public void close() {
    frames.close();
  }
}
