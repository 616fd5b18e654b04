package io.headrace.codec.plain;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Pixels as a serialised `tensorflow.TensorProto`: what `tf.io.serialize_tensor` writes for uint8
/// or uint16 [height, width, channels], byte for byte, and `tf.io.parse_tensor` reads.
///
///     1 dtype           varint   4, DT_UINT8, or 17, DT_UINT16
///     2 tensor_shape    message  of 2 dim, messages of 1 size, varint
///     4 tensor_content  bytes    height * width * channels, of uint16 the low byte first
///
/// Fields may come in any order; others are skipped. Two dimensions mean grey. Of 16 bits 8 are
/// made by dropping the low byte, as of a PNG's. One per worker.
public final class RawCodec extends HeaderDecoder {
  private static final int DT_UINT8 = 4;
  private static final int DT_UINT16 = 17;
  private static final ValueLayout.OfChar LITTLE = JAVA_CHAR_UNALIGNED.withOrder(LITTLE_ENDIAN);

  /// The most bytes of a message before its content.
  public static final int MAX_HEAD = 64;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final long maxPixels;
  private final long[] dims = new long[3];
  private int rank;
  private long dtype;
  private long content;
  private long contentBytes;
  private boolean otherValues;

  /// Where the varint or length just read ended.
  private long at;

  /// A codec that takes [ImageLimits#MAX_PIXELS].
  public RawCodec() {
    this(ImageLimits.MAX_PIXELS);
  }

  /// @param maxPixels columns times rows that an image may have
  public RawCodec(long maxPixels) {
    this.maxPixels = maxPixels;
  }

  /// Reads everything but the pixels.
  ///
  /// @param raw one whole serialised tensor
  /// @throws DecodeException with [Fault#TRUNCATED] if it is cut, [Fault#CORRUPT] if it is no
  ///     protobuf message or content and shape disagree, [Fault#MISMATCH] if it is no image in
  ///     uint8, [Fault#UNSUPPORTED] if the values are not in `tensor_content`, [Fault#LIMIT] if
  ///     there are too many pixels
  @Override
  protected void readHeader(MemorySegment raw) throws DecodeException {
    parse(raw);
    check(raw);
  }

  @Override
  protected ImageInfo info(MemorySegment raw) {
    return new ImageInfo(
        ImageFormat.RAW,
        (int) dims[1],
        (int) dims[0],
        (int) dims[2],
        8 * sampleBytes(),
        null,
        false,
        1);
  }

  @Override
  public ImageEncoding like(int quality) {
    return PlainCodec.RAW;
  }

  /// {@return the pixels where they are, uint8 [height, width, 3], or null if there are not three
  ///     channels, or they have 16 bits}
  ///
  /// @param raw one whole serialised tensor
  /// @param info as [#probe] reported it
  /// @throws DecodeException as [#decode] does
  public @Nullable MemorySegment view(MemorySegment raw, ImageInfo info) throws DecodeException {
    header(raw);
    ImageLimits.requireSize("raw", (int) dims[1], (int) dims[0], info);
    return dims[2] == 3 && dtype == DT_UINT8 ? raw.asSlice(content, contentBytes) : null;
  }

  @Override
  public boolean hasParts(ImageInfo info, boolean turned) {
    return true;
  }

  @Override
  public @Nullable DecodedRegion decodePart(
      MemorySegment raw, ImageInfo info, Region part, Block window) throws DecodeException {
    MemorySegment rgb = view(raw, info);
    return rgb == null ? null : new DecodedRegion(rgb, info.width(), part.top(), part.left(), part);
  }

  /// Copies the pixels as RGB: grey gives three equal channels, alpha is dropped.
  ///
  /// @param raw one whole serialised tensor
  /// @param info as [#probe] reported it
  /// @param pixels uint8 [height, width, 3], at least [ImageInfo#rgbBytes] bytes
  /// @throws DecodeException as [#probe] does, and with [Fault#MISMATCH] if it is not as announced
  @Override
  public void decode(MemorySegment raw, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    if (pixels.byteSize() < info.rgbBytes()) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d".formatted(info.rgbBytes(), pixels.byteSize()));
    }
    header(raw);
    ImageLimits.requireSize("raw", (int) dims[1], (int) dims[0], info);
    int channels = (int) dims[2];
    int bytes = sampleBytes();
    if (channels == 3 && bytes == 1) {
      MemorySegment.copy(raw, content, pixels, 0, contentBytes);
      return;
    }
    long count = dims[0] * dims[1];
    int green = channels > 2 ? bytes : 0;
    for (long i = 0; i < count; i++) {
      long from = content + i * channels * bytes + bytes - 1; // the high byte is the last
      pixels.set(JAVA_BYTE, 3 * i, raw.get(JAVA_BYTE, from));
      pixels.set(JAVA_BYTE, 3 * i + 1, raw.get(JAVA_BYTE, from + green));
      pixels.set(JAVA_BYTE, 3 * i + 2, raw.get(JAVA_BYTE, from + 2L * green));
    }
  }

  /// Copies the pixels of a tensor of uint16 as RGB; as [#decode] does otherwise.
  ///
  /// @param pixels uint16 [height, width, 3] in native order
  @Override
  public void decode16(MemorySegment raw, ImageInfo info, MemorySegment pixels)
      throws DecodeException {
    ImageLimits.requireBytes(pixels, 2 * info.rgbBytes());
    header(raw);
    ImageLimits.requireSize("raw", (int) dims[1], (int) dims[0], info);
    if (dtype != DT_UINT16) {
      throw new DecodeException(Fault.MISMATCH, "raw: not of uint16, as was announced");
    }
    int channels = (int) dims[2];
    int green = channels > 2 ? 1 : 0;
    for (long i = 0; i < dims[0] * dims[1]; i++) {
      for (int c = 0; c < 3; c++) {
        char sample = raw.get(LITTLE, content + 2 * (i * channels + (long) c * green));
        pixels.set(JAVA_CHAR_UNALIGNED, 2 * (3 * i + c), sample);
      }
    }
  }

  private int sampleBytes() {
    return dtype == DT_UINT16 ? 2 : 1;
  }

  /// Serialises one image.
  ///
  /// @param pixels uint8 [height, width, channels], rows packed
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 1 to 4
  /// @param out takes the message at its start
  /// @return bytes of the message
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it
  public static long encode(MemorySegment pixels, int width, int height, int channels, Block out)
      throws DecodeException {
    if (width < 1 || height < 1 || channels < 1 || channels > 4) {
      throw new IllegalArgumentException(
          "%d x %d pixels of %d channels".formatted(width, height, channels));
    }
    long bytes = (long) width * height * channels;
    if (pixels.byteSize() < bytes) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d".formatted(bytes, pixels.byteSize()));
    }
    MemorySegment to = out.ensure(headBytes(width, height, channels) + bytes);
    long end = writeHead(width, height, channels, to);
    MemorySegment.copy(pixels, 0, to, end, bytes);
    return end + bytes;
  }

  /// Serialises one RGB image of 16 bits.
  ///
  /// @param pixels uint16 [height, width, 3] in native order, rows packed
  public static long encode16(MemorySegment pixels, int width, int height, Block out)
      throws DecodeException {
    long samples = 3L * width * height;
    ImageLimits.requireBytes(pixels, 2 * samples);
    MemorySegment to = out.ensure(headBytes(width, height, 3) + 1 + 2 * samples);
    long end = writeHead(width, height, 3, DT_UINT16, 2, to);
    MemorySegment.copy(pixels, JAVA_CHAR_UNALIGNED, 0, to, LITTLE, end, samples);
    return end + 2 * samples;
  }

  /// {@return bytes of an image's message before its pixels}
  ///
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param channels 1 to 4
  public static long headBytes(int width, int height, int channels) {
    int shape = dimBytes(height) + dimBytes(width) + dimBytes(channels);
    long bytes = (long) width * height * channels;
    return 4L + varintBytes(shape) + shape + varintBytes(bytes); // three keys and the type
  }

  /// Writes all of a message but its pixels.
  ///
  /// @param to takes it at its start, [#headBytes] long; the pixels go after it
  /// @return bytes written
  public static long writeHead(int width, int height, int channels, MemorySegment to) {
    return writeHead(width, height, channels, DT_UINT8, 1, to);
  }

  private static long writeHead(
      int width, int height, int channels, int dtype, int elementBytes, MemorySegment to) {
    int shape = dimBytes(height) + dimBytes(width) + dimBytes(channels);
    long end = varint(to, key(to, 0, 1, VARINT), dtype);
    end = varint(to, key(to, end, 2, BYTES), shape);
    end = dim(to, end, height);
    end = dim(to, end, width);
    end = dim(to, end, channels);
    long bytes = (long) width * height * channels * elementBytes;
    return varint(to, key(to, end, 4, BYTES), bytes);
  }

  private static int dimBytes(int size) {
    return 3 + varintBytes(size); // two keys and the length of the dim
  }

  private static long dim(MemorySegment to, long at, int size) {
    long end = varint(to, key(to, at, 2, BYTES), 1 + varintBytes(size));
    return varint(to, key(to, end, 1, VARINT), size);
  }

  private static long key(MemorySegment to, long at, int field, int type) {
    to.set(JAVA_BYTE, at, (byte) ((field << 3) | type));
    return at + 1;
  }

  private static int varintBytes(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  private static long varint(MemorySegment to, long at, long value) {
    long left = value;
    long end = at;
    while (left > 0x7f) {
      to.set(JAVA_BYTE, end++, (byte) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    to.set(JAVA_BYTE, end, (byte) left);
    return end + 1;
  }

  /// {@return the number of an element type in such messages}
  public static int number(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> 1;
      case UINT8 -> DT_UINT8;
      case BFLOAT16 -> 14;
      case FLOAT16 -> 19;
    };
  }

  /// Reads a tensor of 2 or 3 dimensions that may be no image; the third of two is 1.
  ///
  /// @param raw one whole serialised tensor
  /// @return its content; [#size] tells its shape
  /// @throws DecodeException as [#probe], and with [Fault#MISMATCH] if it is of another type
  public MemorySegment tensor(MemorySegment raw, DType expected, int expectedRank)
      throws DecodeException {
    forget();
    parse(raw);
    if (dtype != number(expected) || rank != expectedRank) {
      throw new DecodeException(
          Fault.MISMATCH,
          "raw: tensor of dtype %d with %d dimensions, expected %d (%s) with %d"
              .formatted(dtype, rank, number(expected), expected.label(), expectedRank));
    }
    if (rank == 2) {
      dims[2] = 1;
    }
    boolean positive = dims[0] > 0 && dims[1] > 0 && dims[2] > 0;
    long most = Math.max(dims[0], Math.max(dims[1], dims[2]));
    long bytes = 0;
    if (positive && most <= Integer.MAX_VALUE) {
      long high = Math.multiplyHigh(dims[0] * dims[1], dims[2] * expected.bytes());
      bytes = high == 0 ? dims[0] * dims[1] * dims[2] * expected.bytes() : 0;
    }
    if (content < 0 || bytes <= 0 || contentBytes != bytes) {
      throw new DecodeException(
          Fault.CORRUPT,
          "raw: content of %d bytes does not fit %s [%d, %d, %d]"
              .formatted(contentBytes, expected.label(), dims[0], dims[1], dims[2]));
    }
    return raw.asSlice(content, contentBytes);
  }

  /// {@return a dimension of the tensor read last, from 0}
  public int size(int dimension) {
    return (int) dims[dimension];
  }

  /// Writes all of the message of a tensor but its content.
  ///
  /// @param to takes it at its start, at most [#MAX_HEAD] long
  /// @return bytes written
  public static long writeHead(DType dtype, int first, int second, int third, MemorySegment to) {
    return writeHead(second, first, third, number(dtype), dtype.bytes(), to);
  }

  /// As [#writeHead(DType, int, int, int, MemorySegment)], of a tensor of two dimensions.
  public static long writeHead(DType dtype, int first, int second, MemorySegment to) {
    int shape = dimBytes(first) + dimBytes(second);
    long end = varint(to, key(to, 0, 1, VARINT), number(dtype));
    end = varint(to, key(to, end, 2, BYTES), shape);
    end = dim(to, dim(to, end, first), second);
    return varint(to, key(to, end, 4, BYTES), (long) first * second * dtype.bytes());
  }

  private void parse(MemorySegment raw) throws DecodeException {
    rank = 0;
    dtype = 0;
    content = -1;
    contentBytes = 0;
    otherValues = false;
    at = 0;
    while (at < raw.byteSize()) {
      long key = readVarint(raw, raw.byteSize());
      if (key == ((1 << 3) | VARINT)) {
        dtype = readVarint(raw, raw.byteSize());
      } else if (key == ((2 << 3) | BYTES)) {
        long length = readLength(raw, raw.byteSize());
        readShape(raw, at + length);
      } else if (key == ((4 << 3) | BYTES)) {
        contentBytes = readLength(raw, raw.byteSize());
        content = at;
        at += contentBytes;
      } else {
        otherValues |= key >>> 3 >= 5;
        skip(raw, key, raw.byteSize());
      }
    }
  }

  private void check(MemorySegment raw) throws DecodeException {
    boolean pixels = dtype == DT_UINT8 || dtype == DT_UINT16;
    if (!pixels || rank < 2 || rank > 3) {
      throw new DecodeException(
          rank == 0 && pixels ? Fault.TRUNCATED : Fault.MISMATCH,
          "raw: tensor of dtype %d with %d dimensions, expected %d (uint8) or %d (uint16) with 2 or 3"
              .formatted(dtype, rank, DT_UINT8, DT_UINT16));
    }
    if (rank == 2) {
      dims[2] = 1;
    }
    boolean positive = dims[0] > 0 && dims[1] > 0 && dims[2] > 0;
    if (!positive || Math.max(dims[0], dims[1]) > Integer.MAX_VALUE || dims[2] > 4) {
      throw new DecodeException(
          Fault.MISMATCH,
          "raw: shape [%d, %d, %d], expected [height, width, 1 to 4]"
              .formatted(dims[0], dims[1], dims[2]));
    }
    ImageLimits.requirePixels("raw", dims[1], dims[0], maxPixels);
    if (content < 0) {
      throw new DecodeException(
          otherValues ? Fault.UNSUPPORTED : Fault.TRUNCATED,
          "raw: no tensor_content in %d bytes".formatted(raw.byteSize()));
    }
    long expected = dims[0] * dims[1] * dims[2] * sampleBytes();
    if (contentBytes != expected) {
      throw new DecodeException(
          Fault.CORRUPT,
          "raw: content of %d bytes, the shape [%d, %d, %d] needs %d"
              .formatted(contentBytes, dims[0], dims[1], dims[2], expected));
    }
  }

  private void readShape(MemorySegment raw, long end) throws DecodeException {
    while (at < end) {
      long key = readVarint(raw, end);
      if (key == ((2 << 3) | BYTES)) {
        long length = readLength(raw, end);
        readDim(raw, at + length);
      } else {
        skip(raw, key, end);
      }
    }
  }

  private void readDim(MemorySegment raw, long end) throws DecodeException {
    long size = 0;
    while (at < end) {
      long key = readVarint(raw, end);
      if (key == ((1 << 3) | VARINT)) {
        size = readVarint(raw, end);
      } else {
        skip(raw, key, end);
      }
    }
    if (rank < dims.length) {
      dims[rank] = size;
    }
    rank++;
  }

  private void skip(MemorySegment raw, long key, long end) throws DecodeException {
    switch ((int) (key & 7)) {
      case VARINT -> readVarint(raw, end);
      case FIXED64 -> at += Long.BYTES;
      case FIXED32 -> at += Integer.BYTES;
      case BYTES -> {
        long length = readLength(raw, end); // moves `at` itself
        at += length;
      }
      default ->
          throw new DecodeException(
              Fault.CORRUPT, "raw: field key %d is no protobuf, at byte %d".formatted(key, at));
    }
    if (at > end) {
      throw cut(raw, at);
    }
  }

  private long readLength(MemorySegment raw, long end) throws DecodeException {
    long length = readVarint(raw, end);
    if (length < 0 || length > end - at) {
      throw length < 0 || end < raw.byteSize()
          ? new DecodeException(
              Fault.CORRUPT, "raw: field of %d bytes at byte %d".formatted(length, at))
          : cut(raw, at + length);
    }
    return length;
  }

  private long readVarint(MemorySegment raw, long end) throws DecodeException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw cut(raw, at + 1);
      }
      byte b = raw.get(JAVA_BYTE, at++);
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new DecodeException(
        Fault.CORRUPT, "raw: varint of more than 10 bytes ends at byte %d".formatted(at));
  }

  private static DecodeException cut(MemorySegment raw, long wanted) {
    return new DecodeException(
        Fault.TRUNCATED,
        "raw: needs %d bytes, the data ends after %d".formatted(wanted, raw.byteSize()));
  }
}
