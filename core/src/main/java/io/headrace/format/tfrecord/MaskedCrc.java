package io.headrace.format.tfrecord;

import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// TFRecord's checksum: CRC-32C (Castagnoli, RFC 3720 appendix B.4), rotated right by 15 bits, plus
/// a constant. Source: `mask` in `tsl/lib/hash/crc32c.h`.
///
/// Confined to one thread.
public final class MaskedCrc {
  private static final int DELTA = 0xa282ead8;
  private static final long CHUNK = 1L << 30;

  private final CRC32C crc = new CRC32C();

  /// A reusable computation.
  public MaskedCrc() {}

  /// {@return the masked checksum of `bytes`}
  public int of(MemorySegment bytes) {
    crc.reset();
    long size = bytes.byteSize();
    for (long at = 0; at < size; at += CHUNK) { // a buffer holds less than 2 GiB
      crc.update(bytes.asSlice(at, Math.min(CHUNK, size - at)).asByteBuffer());
    }
    return mask((int) crc.getValue());
  }

  /// {@return the masked checksum of part of a block}
  int of(Block block, long offset, long length) {
    crc.reset();
    crc.update(block.buffer(offset, length));
    return mask((int) crc.getValue());
  }

  /// {@return what a file stores for a checksum}
  public static int mask(int crc) {
    return Integer.rotateRight(crc, 15) + DELTA;
  }
}
