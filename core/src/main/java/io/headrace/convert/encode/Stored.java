package io.headrace.convert.encode;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageSize;
import io.headrace.format.Parts;
import io.headrace.sound.AudioFormat;
import java.lang.foreign.MemorySegment;

/// What is to be stored of one sample. The numbers are those of [io.headrace.format.SampleMeta].
///
/// @param bytes valid until the next sample
/// @param format its label
record Stored(
    MemorySegment bytes, String format, int width, int height, int channels, Parts parts) {
  static Stored image(
      MemorySegment bytes, ImageFormat format, ImageSize size, int channels, Parts parts) {
    return new Stored(bytes, format.label(), size.width(), size.height(), channels, parts);
  }

  static Stored sound(
      MemorySegment bytes, AudioFormat format, int rate, long frames, int channels) {
    int height = (int) Math.min(Integer.MAX_VALUE, frames);
    return new Stored(bytes, format.label(), rate, height, Math.min(255, channels), Parts.WHOLE);
  }
}
