package io.headrace.codec.stream.blocks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;

/// The format of the `lzop` command, version 1.04: blocks of LZO1X-1. Source:
/// `lib/decompress_unlzo.c` of Linux, and files of lzop. All numbers are big-endian.
///
///      0 magic     uint8[9]   89 'L' 'Z' 'O' 00 0d 0a 1a 0a
///      9 version   uint16     of the writer, then of its library, then needed to read
///     15 method    uint8      1 LZO1X-1, 2 LZO1X-1(15), 3 LZO1X-999; then the level
///     17 flags     uint32     1 Adler-32 of plain bytes, 2 of compressed ones, 0x100 and 0x200
///                             CRC-32 of these, 0x40 extra field, 0x1000 CRC-32 of the head
///     21 mode      uint32     of the file, then its time in two uint32
///     33 name      uint8 length, bytes
///        checksum  uint32     Adler-32 of all from the version on
///
/// and for each block
///
///      0 plain bytes, compressed bytes   uint32 each; no block but the end if the first is 0
///      8 checksums that flags say; of compressed bytes only if they are fewer than plain ones
///        bytes
public final class LzopEncoder extends BlockEncoder {
  private static final byte[] MAGIC = {(byte) 0x89, 'L', 'Z', 'O', 0, '\r', '\n', 0x1a, '\n'};

  static final int PLAIN_ADLER = 1;
  static final int PACKED_ADLER = 2;
  static final int EXTRA = 0x40;
  static final int PLAIN_CRC = 0x100;
  static final int PACKED_CRC = 0x200;
  static final int HEAD_CRC = 0x1000;

  /// lzop's own.
  private static final int BLOCK = 256 << 10;

  private static final short VERSION = 0x1040;
  private static final short NEEDED = 0x0940;
  private static final int UNIX = 0x0300_0000;
  private static final int READABLE = 0100644;

  private final Adler32 adler = new Adler32();
  private final Lzo lzo = new Lzo();

  /// A compressor.
  public LzopEncoder() {
    super(BLOCK, 64 + 12 + Lzo.maxCompressed(BLOCK));
  }

  /// {@return the first bytes of a stream}
  public static byte[] magic() {
    return MAGIC.clone();
  }

  @Override
  void begin(ByteBuffer to) {
    to.order(ByteOrder.BIG_ENDIAN).put(MAGIC);
    int start = to.position();
    to.putShort(VERSION).putShort((short) 0x20a0).putShort(NEEDED);
    to.put((byte) 1).put((byte) 5); // LZO1X-1, as `lzop -3` to `-6` write
    to.putInt(UNIX | PLAIN_ADLER).putInt(READABLE).putInt(0).putInt(0);
    to.put((byte) 0);
    to.putInt(adler(to.duplicate().limit(to.position()).position(start)));
  }

  private int adler(ByteBuffer bytes) {
    adler.reset();
    adler.update(bytes);
    return (int) adler.getValue();
  }

  @Override
  void block(ByteBuffer plain, MemorySegment memory, ByteBuffer to) {
    int bytes = plain.remaining();
    int start = to.position();
    to.order(ByteOrder.BIG_ENDIAN).position(start + 12);
    lzo.compress(plain, to);
    int packed = to.position() - start - 12;
    if (packed >= bytes) {
      packed = bytes;
      to.put(start + 12, plain, 0, bytes).position(start + 12 + bytes);
    }
    to.putInt(start, bytes).putInt(start + 4, packed).putInt(start + 8, adler(plain.duplicate()));
  }

  @Override
  boolean end(ByteBuffer to) {
    to.order(ByteOrder.BIG_ENDIAN).putInt(0);
    return true;
  }
}
