package io.headrace.pipeline.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Loops with vectors give the bits of plain ones, at rows of every length.
final class ColourRowsTest {
  /// All loops over one row, one after another.
  private static final class Rows {
    final int width;
    final int[] rgb;
    final byte[] bytes;
    final float[] sums;
    final byte[] blurred;
    long greys;

    Rows(int width) {
      this.width = width;
      var random = new Random(width);
      bytes = new byte[3 * width];
      random.nextBytes(bytes);
      for (int i = 0; i < width; i += 5) { // greys, black and white among them
        byte grey = i % 3 == 0 ? 0 : i % 3 == 1 ? (byte) 255 : bytes[i];
        bytes[i] = grey;
        bytes[width + i] = grey;
        bytes[2 * width + i] = grey;
      }
      rgb = new int[3 * width];
      sums = new float[9 * width];
      blurred = new byte[9 * width];
    }

    void run(ColourRows loops) {
      greys = loops.greys(bytes, width);
      loops.blend(bytes, 3 * width, 1.3f, -20.5f);
      loops.load(bytes, 0, rgb, 0, 3 * width);
      loops.saturate(rgb, width, 1.7f, -0.7f);
      loops.turn(rgb, width, -0.37f, new float[3 * width]);
      loops.turn(rgb, width, 0.5f, new float[3 * width]);
      loops.store(rgb, 0, bytes, 0, 3 * width);
      int[] row = new int[width];
      float[] padded = new float[width + 8];
      float[] weights = {0.3f, 0.2f, 0.1f, 0.04f, 0.01f};
      for (int y = 0; y < 9; y++) {
        for (int x = 0; x < padded.length; x++) {
          padded[x] = (31 * x + 7 * y) % 256;
        }
        loops.across(padded, weights, 4, sums, y * width, width);
      }
      for (int y = 0; y < 9; y++) {
        loops.down(sums, y, 9, width, weights, 4, row);
        loops.store(row, 0, blurred, y * width, width);
      }
      loops.grey(rgb, width);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 31, 64, 224, 301})
  void vectorsGiveTheSameBits(int width) {
    var plain = new Rows(width);
    var vectors = new Rows(width);
    plain.run(new ColourRows());
    vectors.run(new VectorColourRows());
    assertThat(vectors.greys).isEqualTo(plain.greys);
    assertThat(vectors.rgb).isEqualTo(plain.rgb);
    assertThat(vectors.bytes).isEqualTo(plain.bytes);
    assertThat(vectors.sums).isEqualTo(plain.sums);
    assertThat(vectors.blurred).isEqualTo(plain.blurred);
  }

  /// Every colour of a coarse grid, turned all the way round in six steps, and grey ones stay.
  @Test
  void everySectorOfTheHueIsTheSame() {
    int[] grid = {0, 1, 50, 128, 254, 255};
    int n = grid.length * grid.length * grid.length;
    int[] plain = new int[3 * n];
    for (int i = 0; i < n; i++) {
      plain[i] = grid[i % 6];
      plain[n + i] = grid[i / 6 % 6];
      plain[2 * n + i] = grid[i / 36];
    }
    int[] vectors = plain.clone();
    Consumer<Float> both =
        turn -> {
          new ColourRows().turn(plain, n, turn, new float[3 * n]);
          new VectorColourRows().turn(vectors, n, turn, new float[3 * n]);
          assertThat(vectors).as("turned by %s", turn).isEqualTo(plain);
        };
    for (float turn : new float[] {0, -0.5f, -1 / 6f, 1 / 3f, 0.5f, 0.25f}) {
      both.accept(turn);
    }
  }
}
