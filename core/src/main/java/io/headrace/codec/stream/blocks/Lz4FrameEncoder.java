package io.headrace.codec.stream.blocks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;

/// LZ4 frames of independent blocks. Source: `lz4_Frame_format.md` of LZ4, version 1.6.
///
///     0 magic      uint32  0x184d2204, little-endian as all that follows
///     4 FLG        uint8   bits 6-7 version 1, 5 independent, 4 block checksums, 2 checksum
///     5 BD         uint8   block size << 4
///     6 HC         uint8   second byte of XXH32(FLG, BD)
///     7 blocks     uint32 bytes, | 1 << 31 if stored plain; bytes; XXH32 of them if asked for
///     . end mark   uint32  0
///     . checksum   uint32  XXH32 of all plain bytes, if asked for
public final class Lz4FrameEncoder extends BlockEncoder {
  static final int MAGIC = 0x184d2204;
  static final int INDEPENDENT = 1 << 5;
  static final int BLOCK_CHECKSUM = 1 << 4;
  static final int CONTENT_SIZE = 1 << 3;
  static final int CHECKSUM = 1 << 2;
  static final int PLAIN = 1 << 31;
  private static final int HEADER = 7;

  private final int blockSize;
  private final boolean blockChecksum;
  private final boolean checksum;
  private final LZ4Compressor compressor;
  private final XxHash32 hash = new XxHash32();

  /// @param level 0 fast, 1 to 12 `LZ4_HC`
  /// @param blockSize 4 to 7: at most 64 KiB to 4 MiB of plain bytes a block
  public Lz4FrameEncoder(int level, int blockSize, boolean blockChecksum, boolean checksum) {
    super(blockBytes(blockSize), blockBytes(blockSize) + HEADER + 3 * 4);
    this.blockSize = blockSize;
    this.blockChecksum = blockChecksum;
    this.checksum = checksum;
    compressor = Lz4Blocks.compressor(level);
  }

  static int blockBytes(int blockSize) {
    return 1 << (8 + 2 * blockSize);
  }

  @Override
  void begin(ByteBuffer to) {
    int flags = 1 << 6 | INDEPENDENT;
    flags |= blockChecksum ? BLOCK_CHECKSUM : 0;
    flags |= checksum ? CHECKSUM : 0;
    int at = to.position();
    to.putInt(MAGIC).put((byte) flags).put((byte) (blockSize << 4));
    to.put((byte) (XxHash32.of(MemorySegment.ofBuffer(to.duplicate().rewind()), at + 4, 2) >>> 8));
    hash.reset();
  }

  @Override
  void block(ByteBuffer plain, MemorySegment memory, ByteBuffer to) {
    int bytes = plain.remaining();
    if (checksum) {
      hash.update(memory, 0, bytes);
    }
    int at = to.position();
    int start = at + 4;
    int size = Lz4Blocks.compress(compressor, plain, 0, bytes, to, start, bytes - 1);
    if (size > 0) {
      to.putInt(size);
    } else {
      size = bytes;
      to.putInt(size | PLAIN).put(start, plain, 0, bytes);
    }
    to.position(start + size);
    if (blockChecksum) {
      to.putInt(XxHash32.of(MemorySegment.ofBuffer(to.duplicate().rewind()), start, size));
    }
  }

  @Override
  boolean end(ByteBuffer to) {
    to.putInt(0);
    if (checksum) {
      to.putInt(hash.value());
    }
    return true;
  }
}
