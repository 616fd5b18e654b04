package io.headrace.tensor.payload;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.BlobCompressor;
import io.headrace.codec.stream.BlobDecompressor;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// A byte compressor and its decompressor, with a block for what they write.
final class Packer implements AutoCloseable {
  private final BlobCompressor compressor;
  private final BlobDecompressor decompressor;
  private final Block packed;

  Packer(BlobCompression compression, MemoryBudget budget) {
    compressor = new BlobCompressor(compression);
    decompressor = new BlobDecompressor(compression);
    packed = new Block(budget);
  }

  /// {@return the compressed bytes, valid until the next call}
  MemorySegment pack(MemorySegment plain) throws DecodeException {
    long bytes = compressor.compress(plain, packed);
    return packed.memory().asSlice(0, bytes);
  }

  /// Undoes [#pack]; `plain` says how many bytes must come out.
  void unpack(MemorySegment bytes, MemorySegment plain) throws DecodeException {
    decompressor.decompress(bytes, plain);
  }

  @Override
  public void close() {
    packed.close();
    decompressor.close();
    compressor.close();
  }
}
