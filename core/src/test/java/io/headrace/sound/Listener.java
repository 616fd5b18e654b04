package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A decoder that takes and gives arrays.
final class Listener implements AutoCloseable {
  private final AudioDecoder decoder;
  private final Block out = new Block(MemoryBudget.unbounded());
  private int channels;

  Listener() {
    this(new AudioDecoder());
  }

  Listener(AudioDecoder decoder) {
    this.decoder = decoder;
  }

  AudioDecoder decoder() {
    return decoder;
  }

  AudioInfo probe(byte[] encoded) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      return decoder.probe(Sounds.offHeap(arena, encoded));
    }
  }

  private MemorySegment decode(byte[] encoded, SampleType type, boolean lenient)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = Sounds.offHeap(arena, encoded);
      channels = decoder.probe(bytes).channels();
      long frames = lenient ? decoder.salvage(bytes, type, out) : decoder.decode(bytes, type, out);
      return out.memory().asSlice(0, frames * channels * type.bytes());
    }
  }

  short[] shorts(byte[] encoded) throws DecodeException {
    return decode(encoded, SampleType.INT16, false).toArray(JAVA_SHORT);
  }

  int[] ints(byte[] encoded) throws DecodeException {
    return decode(encoded, SampleType.INT32, false).toArray(JAVA_INT);
  }

  float[] floats(byte[] encoded) throws DecodeException {
    return decode(encoded, SampleType.FLOAT32, false).toArray(JAVA_FLOAT);
  }

  short[] salvage(byte[] encoded) throws DecodeException {
    return decode(encoded, SampleType.INT16, true).toArray(JAVA_SHORT);
  }

  @Override
  public void close() {
    out.close();
    decoder.close();
  }
}
