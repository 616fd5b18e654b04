package io.headrace.sound.signal;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Makes one channel of several.
public final class Mixdown {
  private Mixdown() {}

  /// Takes the mean of the channels.
  ///
  /// @param samples float32 [frames, channels]
  /// @param frames how many
  /// @param channels samples in a frame, at least 1
  /// @param mono float32 [frames]; may be `samples` itself
  public static void mono(MemorySegment samples, long frames, int channels, MemorySegment mono) {
    for (long i = 0; i < frames; i++) {
      double sum = 0;
      for (int c = 0; c < channels; c++) {
        sum += samples.get(JAVA_FLOAT_UNALIGNED, (i * channels + c) * Float.BYTES);
      }
      mono.set(JAVA_FLOAT_UNALIGNED, i * Float.BYTES, (float) (sum / channels));
    }
  }
}
