package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Runs whole pipelines for tests.
final class Processing {
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Processing() {}

  /// {@return the bytes of a sample}
  static byte[] run(Pipeline pipeline, Picture picture, long seed, long epoch, long id)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var processor =
            new SampleProcessor(
                pipeline,
                MemoryBudget.unbounded(),
                SampleProcessor.Options.exact(),
                new FakePixels(false))) {
      return run(processor, arena, picture, seed, epoch, id);
    }
  }

  static byte[] run(
      SampleProcessor processor, Arena arena, Picture picture, long seed, long epoch, long id)
      throws DecodeException {
    var size = new ImageSize(picture.height(), picture.width());
    MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(size).bytes());
    slot.fill((byte) 0x5a); // whatever is not written shows
    processor.process(FakePixels.encode(arena, picture), seed, epoch, id, slot);
    return slot.toArray(JAVA_BYTE);
  }

  static byte[] run(String spec, Picture picture) throws DecodeException {
    return run(Pipeline.parse(spec), picture, 1, 0, 7);
  }
}
