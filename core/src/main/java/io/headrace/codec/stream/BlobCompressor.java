package io.headrace.codec.stream;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.headrace.codec.stream.blocks.Lz4Blocks;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import net.jpountz.lz4.LZ4Compressor;
import org.jspecify.annotations.Nullable;

/// Compresses blobs, one by one, off heap. One per worker.
public final class BlobCompressor implements AutoCloseable {
  private final BlobCompression compression;
  private final @Nullable LZ4Compressor lz4;
  private final @Nullable ZstdCompressCtx zstd;
  private final @Nullable ZstdDictCompress dictionary;

  /// A compressor with its own library state.
  public BlobCompressor(BlobCompression compression) {
    this.compression = compression;
    lz4 =
        compression instanceof BlobCompression.Lz4(int level) ? Lz4Blocks.compressor(level) : null;
    if (compression instanceof BlobCompression.Zstd(int level, ZstdDictionary known)) {
      zstd = new ZstdCompressCtx();
      zstd.setLevel(level);
      dictionary = known == null ? null : new ZstdDictCompress(known.shared(), level);
      if (dictionary != null) {
        zstd.loadDict(dictionary);
      }
    } else {
      zstd = null;
      dictionary = null;
    }
  }

  /// {@return bytes of the compressed blob, which may be more than the plain one's}
  ///
  /// @param plain off heap, below 2 GiB
  /// @param out takes the compressed blob at its start; may not hold `plain`
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it
  public long compress(MemorySegment plain, Block out) throws DecodeException {
    long bytes = plain.byteSize();
    if (bytes > Integer.MAX_VALUE - (1 << 24)) {
      throw new IllegalArgumentException("blob of %d bytes, below 2 GiB can be".formatted(bytes));
    }
    return switch (compression) {
      case BlobCompression.None _ -> {
        MemorySegment.copy(plain, 0, out.ensure(bytes), 0, bytes);
        yield bytes;
      }
      case BlobCompression.Lz4 _ -> {
        int bound = (int) Lz4Blocks.bound(bytes);
        MemorySegment to = out.ensure(bound).asSlice(0, bound);
        yield Lz4Blocks.compress(
            present(lz4), plain.asByteBuffer(), 0, (int) bytes, to.asByteBuffer(), 0, bound);
      }
      case BlobCompression.Zstd _ -> {
        int bound = (int) Zstd.compressBound(bytes);
        MemorySegment to = out.ensure(bound).asSlice(0, bound);
        yield present(zstd)
            .compressDirectByteBuffer(
                to.asByteBuffer(), 0, bound, plain.asByteBuffer(), 0, (int) bytes);
      }
    };
  }

  static <T> T present(@Nullable T state) {
    if (state == null) {
      throw new IllegalStateException("closed");
    }
    return state;
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
    if (dictionary != null) {
      dictionary.close();
    }
  }
}
