package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/// Pictures of every kind, and both ways between pixels and streams.
final class Images {
  private static final LosslessEncoder ENCODER = new LosslessEncoder();

  private Images() {}

  static LosslessLevel level(Random random) {
    List<LosslessLevel> levels = List.of(LosslessLevel.values());
    return levels.get(random.nextInt(levels.size()));
  }

  /// {@return uint8 [height, width, channels]: noise, flat, a gradient, all of these in patches, or
  ///     something like a photo}
  static byte[] random(Random random, int width, int height, int channels) {
    byte[] pixels = new byte[width * height * channels];
    int kind = random.nextInt(5);
    double slope = random.nextDouble() * 4;
    int noise = 1 + random.nextInt(1 << random.nextInt(8));
    for (int i = 0; i < pixels.length; i++) {
      int x = i / channels % width;
      int y = i / channels / width;
      int now = kind == 3 ? (x / 17 + y / 13) % 3 : kind;
      pixels[i] =
          switch (now) {
            case 0 -> (byte) random.nextInt(256);
            case 1 -> (byte) (200 + i % channels);
            case 2 -> (byte) (slope * x + y * (1 + i % channels));
            default ->
                (byte)
                    (128
                        + 60 * Math.sin(slope * x / 9)
                        + 40 * Math.cos(y / 7.0)
                        + random.nextInt(noise));
          };
    }
    return pixels;
  }

  static byte[] encode(byte[] pixels, int width, int height, int channels, LosslessLevel level)
      throws DecodeException {
    try (var out = new Block(MemoryBudget.unbounded())) {
      long bytes =
          ENCODER.encode(MemorySegment.ofArray(pixels), width, height, channels, level, out);
      return out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
    }
  }

  /// {@return RGB of a whole stream}
  static byte[] decode(LosslessDecoder decoder, byte[] encoded) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, encoded);
      ImageInfo info = decoder.probe(bytes);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decode(bytes, info.width(), info.height(), rgb);
      return rgb.toArray(JAVA_BYTE);
    }
  }

  /// {@return grey or RGB pixels as RGB}
  static byte[] rgb(byte[] pixels, int channels) {
    byte[] rgb = new byte[pixels.length / channels * 3];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = channels == 3 ? pixels[i] : pixels[i / 3];
    }
    return rgb;
  }
}
