package io.headrace.codec.stream.blocks;

import io.headrace.codec.stream.coder.Encoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// An encoder for formats that are a row of blocks, each compressed by itself.
abstract class BlockEncoder implements Encoder {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment blockMemory;
  private final ByteBuffer block;
  private final ByteBuffer encoded;

  /// Between what opens a frame and what closes it.
  private boolean open;
  private boolean everOpened;

  /// @param blockBytes plain bytes of a full block
  /// @param encodedBytes the most that one block takes with all that may stand before it
  BlockEncoder(int blockBytes, int encodedBytes) {
    blockMemory = arena.allocate(blockBytes);
    block = blockMemory.asByteBuffer();
    encoded = arena.allocate(encodedBytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).flip();
  }

  /// Writes what stands before the first block.
  abstract void begin(ByteBuffer to);

  /// Writes one block.
  ///
  /// @param plain from 0 to its limit, direct
  /// @param memory the same bytes
  abstract void block(ByteBuffer plain, MemorySegment memory, ByteBuffer to);

  /// Writes what stands after the last block.
  ///
  /// @return whether another [#begin] must come before the next block
  abstract boolean end(ByteBuffer to);

  @Override
  public final boolean encode(ByteBuffer in, ByteBuffer out, Step step) {
    while (true) {
      Transfers.move(encoded, out);
      if (encoded.hasRemaining()) {
        return false;
      }
      Transfers.move(in, block);
      boolean cut = !in.hasRemaining() && step != Step.CONTINUE;
      encoded.clear();
      if (!block.hasRemaining() || (cut && block.position() > 0)) {
        open();
        block.flip();
        block(block, blockMemory, encoded);
        block.clear();
      } else if (cut && mustClose(step)) {
        open();
        open = !end(encoded);
        if (!encoded.flip().hasRemaining()) {
          return true;
        }
        continue;
      } else if (!in.hasRemaining()) {
        encoded.flip();
        return true;
      }
      encoded.flip();
    }
  }

  private boolean mustClose(Step step) {
    return switch (step) {
      case CONTINUE, PARTIAL, SYNC -> false;
      case FULL -> open;
      case FINISH -> open || !everOpened;
    };
  }

  private void open() {
    if (!open) {
      begin(encoded);
      open = true;
      everOpened = true;
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
