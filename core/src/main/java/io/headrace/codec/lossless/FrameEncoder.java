package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.lang.foreign.MemorySegment;

/// Encodes bytes as [Frames] reads them.
final class FrameEncoder implements AutoCloseable {
  /// Bytes below which a frame costs more time than it saves bytes.
  static final int MIN = 512;

  // Nearly all symbols are to be Huffman coded: shorter matches, or ones further back, cost more
  // time than they save bytes.
  private static final int LEVEL = 1;
  private static final int FAST = 1;
  private static final int MIN_MATCH = 7;
  private static final int HASH_LOG = 6;

  /// Bytes to encode.
  final byte[] plain = new byte[Frames.MAX];

  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final byte[] coded = new byte[Math.toIntExact(Zstd.compressBound(Frames.MAX))];

  FrameEncoder() {
    zstd.setMagicless(true).setContentSize(false).setChecksum(false).setDictID(false);
    zstd.setLevel(LEVEL);
    zstd.setStrategy(FAST);
    zstd.setMinMatch(MIN_MATCH);
    zstd.setHashLog(HASH_LOG);
  }

  /// Writes the first bytes of [#plain] coded, or as they are if that is no longer.
  ///
  /// @param length of the bytes to encode
  /// @param coding whether to try
  /// @return bytes written
  int write(int length, boolean coding, MemorySegment out, long at) {
    if (coding && length >= MIN) {
      int bytes = zstd.compressByteArray(coded, 0, coded.length, plain, 0, length);
      if (bytes < length) {
        MemorySegment.copy(coded, 0, out, JAVA_BYTE, at, bytes);
        return bytes;
      }
    }
    MemorySegment.copy(plain, 0, out, JAVA_BYTE, at, length);
    return length;
  }

  @Override
  public void close() {
    zstd.close();
  }
}
