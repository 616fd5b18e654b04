package io.headrace.codec.quality;

import static io.headrace.codec.quality.Formula.picture;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

final class MsSsimTest {
  private final MsSsim multiScale = new MsSsim();

  @ParameterizedTest
  @CsvFileSource(resources = "/quality/multiscale.csv", numLinesToSkip = 1)
  void agreesWithTensorFlow(
      int width, int height, int noiseA, int noiseB, double tensorFlow, double float64) {
    MemorySegment a = picture(width, height, 1, noiseA);
    MemorySegment b = picture(width, height, 2, noiseB);
    double found = multiScale.measure(a, b, width, height);
    assertThat(found).isCloseTo(tensorFlow, within(1e-4)).isCloseTo(float64, within(1e-9));
    assertThat(multiScale.measure(b, a, width, height)).isCloseTo(found, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "3, 200, 1",
    "20, 20, 1",
    "21, 20, 1",
    "21, 21, 2",
    "40, 41, 2",
    "41, 41, 3",
    "81, 500, 4",
    "160, 4000, 4",
    "161, 161, 5",
    "4000, 3000, 5"
  })
  void smallPicturesHaveFewerScales(int width, int height, int scales) {
    assertThat(MsSsim.scales(width, height)).isEqualTo(scales);
    assertThat(MsSsim.scales(height, width)).isEqualTo(scales);
  }

  /// Law: 1 for equal pictures, less for others, a number for any.
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 40", "10, 10", "22, 21", "64, 48", "163, 161"})
  void isANumberAtAnySize(int width, int height) {
    MemorySegment a = picture(width, height, 1, 30);
    assertThat(multiScale.measure(a, a, width, height)).isCloseTo(1, within(1e-12));
    MemorySegment b = picture(width, height, 2, 90);
    assertThat(multiScale.measure(a, b, width, height)).isBetween(0.0, 0.999);
  }

  /// Structure that is turned round is worth 0, where a power of it would be none.
  @Test
  void invertedPicturesAreNotAlikeAndNotNaN() {
    MemorySegment a = picture(200, 170, 1, 100);
    byte[] inverted = new byte[(int) a.byteSize()];
    for (int i = 0; i < inverted.length; i++) {
      inverted[i] = (byte) ~a.get(JAVA_BYTE, i);
    }
    assertThat(multiScale.measure(a, MemorySegment.ofArray(inverted), 200, 170)).isZero();
  }

  @Test
  void oneMeterMeasuresManySizes() {
    MemorySegment large = picture(300, 200, 1, 20);
    MemorySegment other = picture(300, 200, 2, 40);
    double first = multiScale.measure(large, other, 300, 200);
    multiScale.measure(picture(30, 20, 1, 0), picture(30, 20, 2, 50), 30, 20);
    assertThat(multiScale.measure(large, other, 300, 200)).isEqualTo(first);
  }

  @Test
  void sizesThatDoNotFitAreRefused() {
    MemorySegment a = picture(4, 4, 1, 0);
    assertThatThrownBy(() -> multiScale.measure(a, a, 5, 4))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
