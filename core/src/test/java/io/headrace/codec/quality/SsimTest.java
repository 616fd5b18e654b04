package io.headrace.codec.quality;

import static io.headrace.codec.quality.Formula.picture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// The first scale of [MsSsim].
final class SsimTest {
  private final MsSsim meter = new MsSsim();

  private double ssim(MemorySegment a, MemorySegment b, int width, int height) {
    double _ = meter.measure(a, b, width, height);
    return meter.ssim();
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/quality/golden.csv", numLinesToSkip = 1)
  void agreesWithScikitImage(
      int width, int height, int noiseA, int noiseB, double expectedSsim, double expectedPsnr) {
    MemorySegment a = picture(width, height, 1, noiseA);
    MemorySegment b = picture(width, height, 2, noiseB);
    assertThat(ssim(a, b, width, height)).isCloseTo(expectedSsim, within(1e-9));
    assertThat(ssim(b, a, width, height)).isCloseTo(expectedSsim, within(1e-9));
    assertThat(Psnr.measure(a, b)).isCloseTo(expectedPsnr, within(1e-8));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 40", "40, 10", "10, 10", "64, 48"})
  void equalPicturesAreAlikeAtAnySize(int width, int height) {
    MemorySegment a = picture(width, height, 1, 30);
    assertThat(ssim(a, a, width, height)).isCloseTo(1, within(1e-12));
    assertThat(Psnr.measure(a, a)).isEqualTo(Double.POSITIVE_INFINITY);
    MemorySegment b = picture(width, height, 2, 90);
    assertThat(ssim(a, b, width, height)).isBetween(-1.0, 0.999);
  }

  @Test
  void sizesThatDoNotFitAreRefused() {
    MemorySegment a = picture(4, 4, 1, 0);
    assertThatThrownBy(() -> ssim(a, a, 5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Psnr.measure(a, picture(5, 4, 1, 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
