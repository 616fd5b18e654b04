package io.headrace.tensor.payload;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// The values as they are.
public final class StorePayload implements Payload {
  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    long bytes = values.byteSize();
    MemorySegment.copy(values, 0, out.ensureKeeping(at + bytes), at, bytes);
    return bytes;
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    if (payload.byteSize() != values.byteSize()) {
      throw Payload.corrupt(
          "store", "%d bytes, the shape needs %d".formatted(payload.byteSize(), values.byteSize()));
    }
    MemorySegment.copy(payload, 0, values, 0, values.byteSize());
  }
}
