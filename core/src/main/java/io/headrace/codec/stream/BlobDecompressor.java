package io.headrace.codec.stream;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import io.headrace.codec.stream.blocks.Lz4Blocks;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decompresses blobs that a [BlobCompressor] of the same compression wrote. One per worker.
public final class BlobDecompressor implements AutoCloseable {
  private final BlobCompression compression;
  private final @Nullable ZstdDecompressCtx zstd;
  private final @Nullable ZstdDictDecompress dictionary;

  /// A decompressor with its own library state. The level of `compression` makes no difference.
  public BlobDecompressor(BlobCompression compression) {
    this.compression = compression;
    if (compression instanceof BlobCompression.Zstd(_, ZstdDictionary known)) {
      zstd = new ZstdDecompressCtx();
      dictionary = known == null ? null : new ZstdDictDecompress(known.shared());
      if (dictionary != null) {
        zstd.loadDict(dictionary);
      }
    } else {
      zstd = null;
      dictionary = null;
    }
  }

  /// Decompresses one blob.
  ///
  /// @param compressed one whole blob, off heap
  /// @param plain takes the plain bytes, off heap, exactly as many as were compressed
  /// @throws DecodeException with [Fault#TRUNCATED] or [Fault#CORRUPT] if the blob is damaged,
  ///     [Fault#MISMATCH] if it holds another number of bytes or needs another dictionary; `plain`
  ///     is then undefined
  public void decompress(MemorySegment compressed, MemorySegment plain) throws DecodeException {
    long bytes =
        switch (compression) {
          case BlobCompression.None _ -> {
            if (compressed.byteSize() == plain.byteSize()) {
              MemorySegment.copy(compressed, 0, plain, 0, plain.byteSize());
            }
            yield compressed.byteSize();
          }
          case BlobCompression.Lz4 _ ->
              Lz4Blocks.decompress(
                  compressed.asByteBuffer(),
                  0,
                  (int) compressed.byteSize(),
                  plain.asByteBuffer(),
                  0,
                  (int) plain.byteSize());
          case BlobCompression.Zstd _ -> zstd(compressed, plain);
        };
    if (bytes != plain.byteSize()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%s blob holds %d bytes, expected %d"
              .formatted(compression.label(), bytes, plain.byteSize()));
    }
  }

  private long zstd(MemorySegment compressed, MemorySegment plain) throws DecodeException {
    try {
      return BlobCompressor.present(zstd)
          .decompressDirectByteBuffer(
              plain.asByteBuffer(),
              0,
              (int) plain.byteSize(),
              compressed.asByteBuffer(),
              0,
              (int) compressed.byteSize());
    } catch (ZstdException e) {
      long code = Math.abs(e.getErrorCode());
      Fault fault =
          code == Zstd.errSrcSizeWrong()
              ? Fault.TRUNCATED
              : code == Zstd.errDictionaryWrong() || code == Zstd.errDstSizeTooSmall()
                  ? Fault.MISMATCH
                  : Fault.CORRUPT;
      throw new DecodeException(fault, "zstd: " + e.getMessage());
    }
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
