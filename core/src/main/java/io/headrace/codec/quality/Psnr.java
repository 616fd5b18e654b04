package io.headrace.codec.quality;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Peak signal-to-noise ratio.
public final class Psnr {
  private Psnr() {}

  /// {@return `10 log10(255² / mean squared difference)` over all bytes, in dB; infinite if all
  ///     are equal}
  ///
  /// @param a uint8 samples, at least one
  /// @param b as many
  public static double measure(MemorySegment a, MemorySegment b) {
    long count = a.byteSize();
    if (count != b.byteSize() || count == 0) {
      throw new IllegalArgumentException(
          "pictures of %d and %d bytes".formatted(count, b.byteSize()));
    }
    long sum = 0;
    for (long i = 0; i < count; i++) {
      int d = (a.get(JAVA_BYTE, i) & 0xff) - (b.get(JAVA_BYTE, i) & 0xff);
      sum += (long) d * d;
    }
    return 10 * Math.log10(255.0 * 255.0 * count / sum);
  }
}
