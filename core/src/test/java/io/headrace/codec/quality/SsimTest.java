package io.headrace.codec.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

final class SsimTest {
  private final Ssim ssim = new Ssim();

  /// The formula of `generate.py` beside the goldens.
  private static MemorySegment picture(int width, int height, int seed, int noise) {
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

  @ParameterizedTest
  @CsvFileSource(resources = "/quality/golden.csv", numLinesToSkip = 1)
  void agreesWithScikitImage(
      int width, int height, int noiseA, int noiseB, double expectedSsim, double expectedPsnr) {
    MemorySegment a = picture(width, height, 1, noiseA);
    MemorySegment b = picture(width, height, 2, noiseB);
    assertThat(ssim.measure(a, b, width, height)).isCloseTo(expectedSsim, within(1e-9));
    assertThat(ssim.measure(b, a, width, height)).isCloseTo(expectedSsim, within(1e-9));
    assertThat(Psnr.measure(a, b)).isCloseTo(expectedPsnr, within(1e-8));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 40", "40, 10", "10, 10", "64, 48"})
  void equalPicturesAreAlikeAtAnySize(int width, int height) {
    MemorySegment a = picture(width, height, 1, 30);
    assertThat(ssim.measure(a, a, width, height)).isCloseTo(1, within(1e-12));
    assertThat(Psnr.measure(a, a)).isEqualTo(Double.POSITIVE_INFINITY);
    MemorySegment b = picture(width, height, 2, 90);
    assertThat(ssim.measure(a, b, width, height)).isBetween(-1.0, 0.999);
  }

  @Test
  void sizesThatDoNotFitAreRefused() {
    MemorySegment a = picture(4, 4, 1, 0);
    assertThatThrownBy(() -> ssim.measure(a, a, 5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Psnr.measure(a, picture(5, 4, 1, 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
