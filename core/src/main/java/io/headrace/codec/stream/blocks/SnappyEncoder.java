package io.headrace.codec.stream.blocks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.xerial.snappy.Snappy;

/// The Snappy framing format. Source: `framing_format.txt` of Snappy, 2013-10-25.
///
///     0 type    uint8    0 compressed, 1 plain, 0xff stream identifier
///     1 length  uint24   of the rest, little-endian
///     4 crc     uint32   CRC-32C of the plain bytes, masked; no CRC in an identifier
///     8 bytes
public final class SnappyEncoder extends BlockEncoder {
  /// Plain bytes of a chunk.
  static final int CHUNK = 64 << 10;

  static final int COMPRESSED = 0;
  static final int PLAIN = 1;
  static final int IDENTIFIER = 0xff;

  private final CRC32C crc = new CRC32C();

  /// A compressor.
  public SnappyEncoder() {
    super(CHUNK, 10 + 8 + Snappy.maxCompressedLength(CHUNK));
  }

  /// {@return the masked CRC-32C of what remains in `plain`}
  static int masked(CRC32C crc, ByteBuffer plain) {
    crc.reset();
    crc.update(plain);
    int value = (int) crc.getValue();
    return Integer.rotateRight(value, 15) + 0xa282ead8;
  }

  @Override
  void begin(ByteBuffer to) {
    to.putInt(IDENTIFIER | 6 << 8);
    to.put((byte) 's').put((byte) 'N').put((byte) 'a').put((byte) 'P').put((byte) 'p');
    to.put((byte) 'Y');
  }

  @Override
  void block(ByteBuffer plain, MemorySegment memory, ByteBuffer to) {
    int bytes = plain.remaining();
    int start = to.position() + 8;
    int size;
    try {
      size = Snappy.compress(plain, to.duplicate().position(start));
    } catch (IOException e) {
      throw new AssertionError("snappy cannot compress", e);
    }
    boolean smaller = size < bytes - bytes / 8; // as Snappy's own writer: else not worth decoding
    if (!smaller) {
      size = bytes;
      to.put(start, plain, 0, bytes);
    }
    to.putInt((smaller ? COMPRESSED : PLAIN) | (size + 4) << 8);
    to.putInt(masked(crc, plain.duplicate().position(0).limit(bytes)));
    to.position(start + size);
  }

  @Override
  boolean end(ByteBuffer to) {
    return false; // the format marks no end
  }
}
