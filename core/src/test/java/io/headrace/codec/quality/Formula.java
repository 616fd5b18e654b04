package io.headrace.codec.quality;

import java.lang.foreign.MemorySegment;

/// Pictures from the formula of the scripts beside the goldens.
final class Formula {
  private Formula() {}

  static MemorySegment picture(int width, int height, int seed, int noise) {
    byte[] pixels = new byte[3 * width * height];
    for (int i = 0; i < pixels.length; i++) {
      int c = i % 3;
      int x = i / 3 % width;
      int y = i / 3 / width;
      long wave = (x * 5L + y * 3L + c * 40L) % 256;
      long hashed = (((i * 2654435761L + seed * 40503L) % (1L << 32)) >> 13) % 256;
      pixels[i] = (byte) ((wave * (100 - noise) + hashed * noise) / 100);
    }
    return MemorySegment.ofArray(pixels);
  }
}
