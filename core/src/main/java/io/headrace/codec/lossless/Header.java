package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The fixed part at the start of the stream, and the grid of tiles that follows from it.
///
///      0 ┌──────────────┬───────────────────────────────────────────────┐
///        │ 48 52 4C 53  │ "HRLS"                                        │
///      4 │ u8           │ version, 1                                    │
///      5 │ u8           │ channels: 1 grey, 3 red, green, blue          │
///      6 │ u16          │ columns of a tile, 1 …                        │
///      8 │ u32          │ columns of the image, 1 … 2^31 - 1            │
///     12 │ u32          │ rows of the image, 1 … 2^31 - 1               │
///     16 │ u16          │ rows of a tile, 1 …                           │
///     18 │ u16          │ 1 if low bytes follow, else 0                 │
///     20 │ u32          │ CRC-32C of bytes 0 to 19                      │
///     24 └──────────────┴───────────────────────────────────────────────┘
///
/// Numbers are little-endian. A tile has at most 65,536 samples a plane, counted with its columns
/// rounded up to a multiple of 8 and its rows to one of 2. Reused from image to image.
final class Header {
  static final int BYTES = 24;
  static final int MAX_TILE_SAMPLES = 65536;

  static final ValueLayout.OfShort U16 = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int MAGIC = 0x534c5248; // "HRLS"
  private static final byte VERSION = 1;

  int width;
  int height;
  int channels;
  int tileWidth;
  int tileHeight;

  /// Whether samples have 16 bits: this stream holds their high bytes, and another of the same
  /// size, which begins where the last tile of this one ends, their low bytes.
  boolean lowFollows;

  /// {@return tiles side by side}
  int tilesAcross() {
    return (int) (((long) width + tileWidth - 1) / tileWidth);
  }

  /// {@return tiles one below the other}
  int tilesDown() {
    return (int) (((long) height + tileHeight - 1) / tileHeight);
  }

  /// {@return tiles of the image}
  long tiles() {
    return (long) tilesAcross() * tilesDown();
  }

  /// Reads the fixed part.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] if it is another format's, [Fault#TRUNCATED] if
  ///     it is cut, [Fault#CORRUPT] if it is damaged, [Fault#UNSUPPORTED] if it is of a later
  ///     version
  void read(MemorySegment bytes, Checksum checksum) throws DecodeException {
    long length = bytes.byteSize();
    for (int i = 0; i < Math.min(4, length); i++) {
      if (bytes.get(JAVA_BYTE, i) != (byte) (MAGIC >>> (8 * i))) {
        throw new DecodeException(
            Fault.MISMATCH, "lossless: byte %d is not of the magic HRLS".formatted(i));
      }
    }
    if (length < BYTES) {
      throw new DecodeException(
          Fault.TRUNCATED, "lossless: %d bytes, the header has %d".formatted(length, BYTES));
    }
    Checksum.require("header", checksum.of(bytes, 0, BYTES - 4), bytes.get(U32, BYTES - 4));
    byte version = bytes.get(JAVA_BYTE, 4);
    int low = bytes.get(U16, 18);
    lowFollows = low == 1;
    if (version != VERSION || (low & ~1) != 0) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "lossless: version %d, expected %d".formatted(version & 0xff, VERSION));
    }
    channels = bytes.get(JAVA_BYTE, 5);
    tileWidth = bytes.get(U16, 6) & 0xffff;
    width = bytes.get(U32, 8);
    height = bytes.get(U32, 12);
    tileHeight = bytes.get(U16, 16) & 0xffff;
    boolean sizes = width > 0 && height > 0 && tileWidth > 0 && tileHeight > 0;
    if ((channels != 1 && channels != 3)
        || !sizes
        || (tileWidth + 7L & ~7L) * (tileHeight + 1L & ~1L) > MAX_TILE_SAMPLES) {
      throw new DecodeException(
          Fault.CORRUPT,
          "lossless: %d x %d pixels of %d channels in tiles of %d x %d"
              .formatted(width, height, channels, tileWidth, tileHeight));
    }
  }

  /// Writes the fixed part.
  ///
  /// @param to at least [#BYTES]
  void write(MemorySegment to, Checksum checksum) {
    to.set(U32, 0, MAGIC);
    to.set(JAVA_BYTE, 4, VERSION);
    to.set(JAVA_BYTE, 5, (byte) channels);
    to.set(U16, 6, (short) tileWidth);
    to.set(U32, 8, width);
    to.set(U32, 12, height);
    to.set(U16, 16, (short) tileHeight);
    to.set(U16, 18, (short) (lowFollows ? 1 : 0));
    to.set(U32, BYTES - 4, checksum.of(to, 0, BYTES - 4));
  }
}
