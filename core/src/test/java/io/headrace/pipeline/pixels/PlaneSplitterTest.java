package io.headrace.pipeline.pixels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// All splitters give the same planes.
final class PlaneSplitterTest {
  @Test
  void vectorsSplitAsPlainCodeDoes() {
    var random = new Random(3);
    for (int n : new int[] {1, 2, 21, 22, 63, 64, 65, 200}) {
      byte[] pixels = new byte[3 * n + 256];
      random.nextBytes(pixels);
      byte[][] plain = new byte[3][n + 256];
      byte[][] vector = new byte[3][n + 256];
      new ScalarSplitter().row(pixels, plain[0], plain[1], plain[2], n);
      new VectorSplitter().row(pixels, vector[0], vector[1], vector[2], n);
      for (int c = 0; c < 3; c++) {
        assertThat(Arrays.copyOf(vector[c], n)).isEqualTo(Arrays.copyOf(plain[c], n));
      }
    }
  }
}
