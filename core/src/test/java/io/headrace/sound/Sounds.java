package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/// Sound for tests.
final class Sounds {
  private Sounds() {}

  /// {@return a 440 Hz sine of amplitude 0.5 as 16-bit samples}
  static short[] tone(int samples, int rate) {
    short[] tone = new short[samples];
    for (int i = 0; i < samples; i++) {
      tone[i] = (short) Math.round(0.5 * 32767 * Math.sin(2 * Math.PI * 440 * i / rate));
    }
    return tone;
  }

  /// {@return the tone of the odd inputs: one second at 44.1 kHz, mono}
  static short[] tone() {
    return tone(44_100, 44_100);
  }

  /// {@return full-scale noise, 32 bits}
  static int[] noise(int samples, long seed) {
    return new Random(seed).ints(samples).toArray();
  }

  static MemorySegment offHeap(Arena arena, byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  static byte[] encode(short[] samples, int channels, int rate, AudioEncoding encoding)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      return encode(
          arena.allocateFrom(JAVA_SHORT, samples), SampleType.INT16, channels, rate, encoding);
    }
  }

  static byte[] encode(int[] samples, int channels, int rate, AudioEncoding encoding)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      return encode(
          arena.allocateFrom(JAVA_INT, samples), SampleType.INT32, channels, rate, encoding);
    }
  }

  static byte[] encode(float[] samples, int channels, int rate, AudioEncoding encoding)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      return encode(
          arena.allocateFrom(JAVA_FLOAT, samples), SampleType.FLOAT32, channels, rate, encoding);
    }
  }

  private static byte[] encode(
      MemorySegment samples, SampleType type, int channels, int rate, AudioEncoding encoding)
      throws DecodeException {
    try (var encoder = new AudioEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      long frames = samples.byteSize() / type.bytes() / channels;
      long bytes = encoder.encode(samples, type, frames, channels, rate, encoding, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  static byte[] resource(String name) {
    try (InputStream in = Sounds.class.getResourceAsStream("/audio/" + name)) {
      if (in == null) {
        throw new AssertionError("no test resource audio/" + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
