package io.headrace.pipeline.resize;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The second pass over planes, plain and with vectors.
final class DownFilterTest {
  private static final int ONE = 1 << AxisTaps.PRECISION_BITS;

  private final DownFilter plain = new ScalarDown();
  private final DownFilter vector = DownFilter.vector();

  private static int[] room(int n) {
    return new int[n + AcrossFilter.SLACK];
  }

  /// {@return the numbers that count}
  private static int[] wanted(int[] all, int n) {
    return Arrays.copyOf(all, n);
  }

  /// {@return what sums of a plane may be, the extremes among them}
  private static int[] sums(int n, Random random) {
    int[] sums = room(n);
    int most = 255 << YuvColours.SUM_BITS;
    for (int i = 0; i < n; i++) {
      sums[i] = random.nextInt(8) == 0 ? most * random.nextInt(2) : random.nextInt(most + 1);
    }
    return sums;
  }

  /// Law: a sum is that of rows times weights, however many there are and wherever they are in the
  /// ring.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void sumsAreExact(long seed) {
    var random = new Random(seed);
    int n = 1 + random.nextInt(300);
    int[][] ring = new int[16][];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = room(n);
      for (int x = 0; x < n; x++) {
        ring[i][x] = random.nextInt((255 << AcrossFilter.RESULT_BITS) + 1);
      }
    }
    for (int count = 1; count <= 12; count++) {
      int[] weights = new int[count + 2];
      int left = ONE;
      for (int t = 0; t < count; t++) {
        weights[t] = t == count - 1 ? left : random.nextInt(left + 1);
        left -= weights[t];
      }
      int first = random.nextInt(1000);
      int[] expected = new int[n];
      for (int t = 0; t < count; t++) {
        for (int x = 0; x < n; x++) {
          expected[x] += weights[t] * ring[(first + t) % ring.length][x];
        }
      }
      for (DownFilter filter : new DownFilter[] {plain, vector}) {
        int[] sums = room(n);
        filter.sum(ring, first, weights, count, sums, n);
        assertThat(wanted(sums, n)).as("%s, %d", filter.getClass(), count).isEqualTo(expected);
      }
    }
  }

  /// Law: vectors make the same pixels and the same floats, bit for bit; pixels lie in a row as
  /// three bytes each.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void elementsAreTheSame(long seed) {
    var random = new Random(seed);
    int n = 1 + random.nextInt(300);
    int[] luma = sums(n, random);
    int[] cb = sums(n, random);
    int[] cr = sums(n, random);
    int[] pixels = room(n);
    plain.pixels(luma, cb, cr, pixels, n);
    int[] byVectors = room(n);
    vector.pixels(luma, cb, cr, byVectors, n);
    assertThat(wanted(byVectors, n)).isEqualTo(wanted(pixels, n));
    byte[] bytes = new byte[3 * n];
    for (int i = 0; i < 3 * n; i++) {
      bytes[i] = (byte) (pixels[i / 3] >> (8 * (i % 3)));
    }
    float[] scales = {1e-9f, 3e-9f, 1f / (1 << YuvColours.BITS)};
    float[] shifts = {-2, 0, 0.3f};
    float[][][] floats = new float[2][3][n + AcrossFilter.SLACK];
    for (int f = 0; f < 2; f++) {
      DownFilter filter = f == 0 ? plain : vector;
      byte[] row = new byte[Integer.BYTES * (n + AcrossFilter.SLACK)];
      filter.interleave(pixels, row, n);
      assertThat(Arrays.copyOf(row, 3 * n)).as("%s", filter.getClass()).isEqualTo(bytes);
      filter.floats(luma, cb, cr, scales, shifts, floats[f], n);
    }
    for (int c = 0; c < 3; c++) {
      assertThat(Arrays.copyOf(floats[1][c], n)).isEqualTo(Arrays.copyOf(floats[0][c], n));
    }
  }
}
