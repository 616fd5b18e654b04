package io.headrace.format.race;

import io.headrace.codec.stream.BlobCompressor;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// The blobs of one group on their way to a file, in blocks or as they are.
final class GroupOutput implements AutoCloseable {
  private final WritableByteChannel channel;
  private final int blockBytes;
  private final @Nullable BlobCompressor compressor;
  private final Block gathered = new Block(MemoryBudget.unbounded());
  private final Block compressed = new Block(MemoryBudget.unbounded());
  private final Ints blocks = new Ints();
  private long bytes;
  private long waiting;
  private int waitingSamples;

  /// @param blockBytes plain bytes after which a block is full; 0 if none are gathered
  GroupOutput(WritableByteChannel channel, int blockBytes, @Nullable BlobCompressor compressor) {
    this.channel = channel;
    this.blockBytes = blockBytes;
    this.compressor = compressor;
  }

  WritableByteChannel channel() {
    return channel;
  }

  /// {@return bytes written}
  long bytes() {
    return bytes;
  }

  Ints blocks() {
    return blocks;
  }

  /// Writes a blob as it is.
  void plain(MemorySegment blob) throws IOException {
    ByteBuffer buffer = blob.asByteBuffer();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    bytes += blob.byteSize();
  }

  /// Writes a block that is compressed already, or cannot be.
  void block(int samples, MemorySegment stored, int crc) throws IOException {
    plain(stored);
    blocks.add(samples);
    blocks.add((int) stored.byteSize());
    blocks.add(crc);
  }

  /// Adds a plain blob to the block that is being gathered.
  void gather(MemorySegment blob) throws IOException, DecodeException {
    if (waiting > 0 && waiting + blob.byteSize() > blockBytes) {
      flush();
    }
    MemorySegment.copy(
        blob, 0, gathered.ensureKeeping(waiting + blob.byteSize()), waiting, blob.byteSize());
    waiting += blob.byteSize();
    waitingSamples++;
  }

  /// Writes what is gathered as a block.
  void flush() throws IOException, DecodeException {
    BlobCompressor coder = compressor;
    if (waitingSamples == 0 || coder == null) {
      return;
    }
    MemorySegment stored = gathered.memory().asSlice(0, waiting);
    if (waiting > 0) {
      long size = coder.compress(stored, compressed);
      if (size < waiting) {
        stored = compressed.memory().asSlice(0, size);
      }
    }
    block(waitingSamples, stored, RaceLayout.crc(stored));
    waiting = 0;
    waitingSamples = 0;
  }

  @Override
  public void close() {
    gathered.close();
    compressed.close();
  }
}
