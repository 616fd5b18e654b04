package io.headrace.codec.learned;

import static io.headrace.codec.BigEndian.u32;
import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.BigEndian;
import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageLimits;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The header of a picture, and where its strings are. Reused from picture to picture.
///
///      0 ┌──────────────┬───────────────────────────────────────────────┐ ┐
///        │ 48 52 4C 43  │ "HRLC"                                        │ │
///      4 │ u32          │ version, 1                                    │ │ not in a
///      8 │ u64          │ the first 8 bytes of the SHA-256 of the model │ │ .ptci file
///     16 │ u32          │ CRC-32C of the pixels that come out, as RGB   │ │
///     20 ├──────────────┼───────────────────────────────────────────────┤ ┘
///        │ u8           │ architecture                                  │
///        │ u8           │ metric (0 MS-SSIM, 1 MSE) · 16 + quality - 1  │
///        │ u32, u32     │ rows and columns of the picture               │
///        │ u32, u32     │ rows and columns of the last map              │
///        │ u32          │ strings, 1 or 2                               │
///        ├──────────────┼───────────────────────────────────────────────┤ ┐ for each
///        │ u32          │ bytes of the string                           │ │ string
///        │ string       │ values, by the coder at RansEncoder           │ │
///        └──────────────┴───────────────────────────────────────────────┘ ┘
///
/// Numbers are big-endian. The picture lies in the middle of one whose sides are multiples of 64,
/// black around it. From byte 20 on this is a `.ptci` file. Source: `single_encoder.py` in
/// lbhm/dl2.
final class Header {
  /// Bytes before what a `.ptci` file has.
  static final int OWN = 20;

  private static final int VERSION = 1;
  private static final int FIXED = 22;
  private static final int MAGIC = 0x48524c43; // "HRLC"
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final ImageFormat format;
  private final int base;
  private final String label;
  long digest;
  int crc;
  int architecture;
  int code;
  int height;
  int width;
  final long[] starts = new long[2];
  final long[] lengths = new long[2];

  /// @param format which of the two it is
  Header(ImageFormat format) {
    this.format = format;
    label = format.label();
    base = format == ImageFormat.LEARNED ? OWN : 0;
  }

  /// {@return a side with what is filled up}
  static int filled(int side) {
    return (side + Network.MULTIPLE - 1) / Network.MULTIPLE * Network.MULTIPLE;
  }

  /// Reads a header and holds it to the limits.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] if it is another format's, [Fault#TRUNCATED] if
  ///     it or a string is cut, [Fault#CORRUPT] if it makes no sense, [Fault#UNSUPPORTED] if it is
  ///     of a later version, [Fault#LIMIT] if there are too many pixels
  void read(MemorySegment bytes, long maxPixels) throws DecodeException {
    if (ImageFormat.detect(bytes) != format) {
      throw new DecodeException(
          bytes.byteSize() < base + FIXED ? Fault.TRUNCATED : Fault.MISMATCH,
          FirstBytes.describe(bytes, format.title()));
    }
    require(bytes, (long) base + FIXED);
    if (base > 0 && u32(bytes, 4) != VERSION) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "%s: version %d, expected %d"
              .formatted(label, Integer.toUnsignedLong(u32(bytes, 4)), VERSION));
    }
    digest = base > 0 ? BigEndian.number(bytes, 8, 8) : 0;
    crc = base > 0 ? u32(bytes, 16) : 0;
    architecture = u8(bytes, base);
    code = u8(bytes, base + 1);
    long rows = Integer.toUnsignedLong(u32(bytes, base + 2));
    long columns = Integer.toUnsignedLong(u32(bytes, base + 6));
    ImageLimits.requirePixels(label, columns, rows, maxPixels);
    if (!sound(bytes, base)) {
      throw new DecodeException(
          Fault.CORRUPT,
          "%s: architecture %d, %d x %d pixels in maps of %d x %d and %d strings"
              .formatted(
                  label,
                  architecture,
                  columns,
                  rows,
                  u32(bytes, base + 14),
                  u32(bytes, base + 10),
                  u32(bytes, base + 18)));
    }
    height = (int) rows;
    width = (int) columns;
    long at = (long) base + FIXED;
    for (int i = 0; i < u32(bytes, base + 18); i++) {
      require(bytes, at + Integer.BYTES);
      lengths[i] = Integer.toUnsignedLong(u32(bytes, at));
      starts[i] = at + Integer.BYTES;
      at = starts[i] + lengths[i];
      require(bytes, at);
    }
  }

  private void require(MemorySegment bytes, long end) throws DecodeException {
    if (bytes.byteSize() < end) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "%s: needs at least %d bytes, the data ends after %d"
              .formatted(label, end, bytes.byteSize()));
    }
  }

  /// {@return whether the sizes in a header fit each other}
  ///
  /// @param base where the part starts that `.ptci` files have too
  private static boolean sound(MemorySegment bytes, int base) {
    int architecture = u8(bytes, base);
    int rows = u32(bytes, base + 2);
    int columns = u32(bytes, base + 6);
    int reduction = architecture == 0 ? Network.FACTORIZED : Network.MULTIPLE;
    return architecture < Architecture.values().length
        && rows > 0
        && columns > 0
        && u32(bytes, base + 10) == filled(rows) / reduction
        && u32(bytes, base + 14) == filled(columns) / reduction
        && u32(bytes, base + 18) == (architecture == 0 ? 1 : 2);
  }

  /// {@return bytes of a header and its strings}
  long size(int strings, int[] bytes) {
    long size = (long) base + FIXED;
    for (int i = 0; i < strings; i++) {
      size += Integer.BYTES + bytes[i];
    }
    return size;
  }

  /// Writes a header, and where the strings are to go.
  void write(MemorySegment to, Network network, int[] bytes) {
    if (base > 0) {
      to.set(U32, 0, MAGIC);
      to.set(U32, 4, VERSION);
      to.set(U64, 8, digest);
      to.set(U32, 16, crc);
    }
    to.set(JAVA_BYTE, base, (byte) architecture);
    to.set(JAVA_BYTE, base + 1, (byte) code);
    to.set(U32, base + 2, height);
    to.set(U32, base + 6, width);
    to.set(U32, base + 10, filled(height) / network.reduction());
    to.set(U32, base + 14, filled(width) / network.reduction());
    to.set(U32, base + 18, network.strings());
    long at = (long) base + FIXED;
    for (int i = 0; i < network.strings(); i++) {
      to.set(U32, at, bytes[i]);
      starts[i] = at + Integer.BYTES;
      at = starts[i] + bytes[i];
    }
  }
}
