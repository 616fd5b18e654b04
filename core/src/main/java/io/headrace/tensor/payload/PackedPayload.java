package io.headrace.tensor.payload;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// All values through one byte compressor: LZ4 (one block) as they are, or zstd (one frame) after
/// [Shuffle] into byte planes.
public final class PackedPayload implements Payload {
  private final String codec;
  private final boolean shuffled;
  private final Packer packer;
  private final Block planes;

  public PackedPayload(
      String codec, BlobCompression compression, boolean shuffled, MemoryBudget budget) {
    this.codec = codec;
    this.shuffled = shuffled;
    packer = new Packer(compression, budget);
    planes = new Block(budget);
  }

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    MemorySegment plain = values;
    if (shuffled) {
      plain = planes.ensure(values.byteSize()).asSlice(0, values.byteSize());
      Shuffle.split(values, layout.count(), layout.width(), plain);
    }
    MemorySegment packed = packer.pack(plain);
    MemorySegment.copy(packed, 0, out.ensureKeeping(at + packed.byteSize()), at, packed.byteSize());
    return packed.byteSize();
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    MemorySegment plain =
        shuffled ? planes.ensure(values.byteSize()).asSlice(0, values.byteSize()) : values;
    try {
      packer.unpack(payload, plain);
    } catch (DecodeException e) {
      throw Payload.corrupt(codec, String.valueOf(e.getMessage())); // its checksum was right
    }
    if (shuffled) {
      Shuffle.join(plain, layout.count(), layout.width(), values);
    }
  }

  @Override
  public void close() {
    planes.close();
    packer.close();
  }
}
