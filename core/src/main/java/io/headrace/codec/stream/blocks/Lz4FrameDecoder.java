package io.headrace.codec.stream.blocks;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// LZ4 frames with everything the format has but dictionaries; layout at [Lz4FrameEncoder]. Also
/// linked blocks, which may refer to the 64 KiB before them, a content size, skippable frames.
public final class Lz4FrameDecoder extends FieldDecoder {
  private static final int LEGACY_MAGIC = 0x184c2102;
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int DICTIONARY = 1;
  private static final int HISTORY = 64 << 10;

  private enum State {
    MAGIC,
    SKIP_SIZE,
    FLAGS,
    HEADER,
    BLOCK_SIZE,
    BLOCK,
    CHECKSUM
  }

  private final Arena arena = Arena.ofShared();
  private final XxHash32 hash = new XxHash32();

  /// The history, then the block decoded last: all of [#plain].
  private MemorySegment plainMemory;

  private State state = State.MAGIC;
  private int flags;
  private int blockBytes;
  private boolean stored;

  /// Bytes before [#HISTORY] that a linked block may refer to.
  private int history;

  private int lastBlock;
  private long declared;
  private long content;

  /// A decoder.
  public Lz4FrameDecoder() {
    field = buffer(64);
    plain = buffer(HISTORY).limit(0);
    plainMemory = MemorySegment.ofBuffer(plain.duplicate().clear());
    wanted = 4;
  }

  private ByteBuffer buffer(int bytes) {
    return arena.allocate(bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  boolean take() throws DecodeException {
    switch (state) {
      case MAGIC -> magic();
      case SKIP_SIZE -> {
        skip = field.getInt(0) & 0xffffffffL;
      }
      case FLAGS -> flags();
      case HEADER -> header();
      case BLOCK_SIZE -> {
        return blockSize(field.getInt(0));
      }
      case BLOCK -> block();
      case CHECKSUM -> {
        if (field.getInt(0) != hash.value()) {
          throw corrupt(
              "checksum is %08x, the frame says %08x".formatted(hash.value(), field.getInt(0)));
        }
        return true;
      }
    }
    return false;
  }

  private void next(State next, int bytes) {
    state = next;
    wanted = bytes;
    field.clear();
  }

  private void magic() throws DecodeException {
    int magic = field.getInt(0);
    if (magic == Lz4FrameEncoder.MAGIC) {
      next(State.FLAGS, 2);
    } else if ((magic & ~0xf) == SKIPPABLE_MAGIC) {
      next(State.SKIP_SIZE, 4);
    } else if (magic == LEGACY_MAGIC) {
      throw new DecodeException(Fault.UNSUPPORTED, "lz4: legacy frame");
    } else {
      throw corrupt(
          "frame begins with %08x, expected %08x".formatted(magic, Lz4FrameEncoder.MAGIC));
    }
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private void flags() {
    flags = field.get(0);
    int sizes = (has(Lz4FrameEncoder.CONTENT_SIZE) ? 8 : 0) + (has(DICTIONARY) ? 4 : 0);
    next(State.HEADER, 2 + sizes + 1);
    field.position(2); // its checksum covers them too
  }

  private void header() throws DecodeException {
    int sum = XxHash32.of(MemorySegment.ofBuffer(field.duplicate().clear()), 0, wanted - 1) >>> 8;
    int size = field.get(1) >>> 4;
    if ((byte) sum != field.get(wanted - 1)) {
      throw corrupt(
          "header checksum is %02x, expected %02x".formatted(field.get(wanted - 1), (byte) sum));
    }
    if ((flags & 0xc2) != 0x40 || (field.get(1) & 0x8f) != 0 || size < 4) {
      throw corrupt(
          "header %02x%02x has a version or reserved bit".formatted(field.get(0), field.get(1)));
    }
    if (has(DICTIONARY)) {
      throw new DecodeException(Fault.UNSUPPORTED, "lz4: frame needs a dictionary");
    }
    declared = has(Lz4FrameEncoder.CONTENT_SIZE) ? field.getLong(2) : -1;
    blockBytes = Lz4FrameEncoder.blockBytes(size);
    if (plain.capacity() < HISTORY + blockBytes) {
      plain = buffer(HISTORY + blockBytes).limit(0);
      plainMemory = MemorySegment.ofBuffer(plain.duplicate().clear());
      field = buffer(blockBytes + 4);
    }
    hash.reset();
    history = 0;
    lastBlock = 0;
    content = 0;
    next(State.BLOCK_SIZE, 4);
  }

  private boolean blockSize(int word) throws DecodeException {
    if (word == 0) {
      if (declared >= 0 && declared != content) {
        throw corrupt("frame of %d bytes, its header says %d".formatted(content, declared));
      }
      next(State.CHECKSUM, 4);
      return !has(Lz4FrameEncoder.CHECKSUM);
    }
    stored = (word & Lz4FrameEncoder.PLAIN) != 0;
    int bytes = word & ~Lz4FrameEncoder.PLAIN;
    if (bytes > blockBytes) {
      throw corrupt("block of %d bytes, the header allows %d".formatted(bytes, blockBytes));
    }
    next(State.BLOCK, bytes + (has(Lz4FrameEncoder.BLOCK_CHECKSUM) ? 4 : 0));
    return false;
  }

  private void block() throws DecodeException {
    int bytes = wanted;
    if (has(Lz4FrameEncoder.BLOCK_CHECKSUM)) {
      bytes -= 4;
      int sum = XxHash32.of(MemorySegment.ofBuffer(field.duplicate().clear()), 0, bytes);
      if (sum != field.getInt(bytes)) {
        throw corrupt("block checksum is %08x, expected %08x".formatted(field.getInt(bytes), sum));
      }
    }
    boolean linked = !has(Lz4FrameEncoder.INDEPENDENT);
    if (linked) {
      history = Math.min(HISTORY, history + lastBlock);
      long from = HISTORY + (long) lastBlock - history;
      MemorySegment.copy(plainMemory, from, plainMemory, (long) HISTORY - history, history);
    }
    plain.clear();
    if (stored) {
      plain.put(HISTORY, field, 0, bytes);
      lastBlock = bytes;
    } else if (linked) {
      int floor = HISTORY - history;
      lastBlock = Lz4Blocks.decompressLinked(field, 0, bytes, plain, floor, HISTORY, blockBytes);
    } else {
      lastBlock = Lz4Blocks.decompress(field, 0, bytes, plain, HISTORY, blockBytes);
    }
    plain.limit(HISTORY + lastBlock).position(HISTORY);
    content += lastBlock;
    if (has(Lz4FrameEncoder.CHECKSUM)) {
      hash.update(plainMemory, HISTORY, lastBlock);
    }
    next(State.BLOCK_SIZE, 4);
  }

  @Override
  public void reset() {
    plain.position(0).limit(0);
    skip = -1;
    next(State.MAGIC, 4);
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "lz4: " + what);
  }

  @Override
  public void close() {
    arena.close();
  }
}
