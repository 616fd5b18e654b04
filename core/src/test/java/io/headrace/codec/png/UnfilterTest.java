package io.headrace.codec.png;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: both kinds give what the definition does, ISO/IEC 15948, 9.2 to 9.4.
final class UnfilterTest {
  private static int definition(int a, int b, int c) {
    int p = a + b - c;
    int pa = Math.abs(p - a);
    int pb = Math.abs(p - b);
    int pc = Math.abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  }

  private static void define(byte[] rows, int n, int count, int step) {
    int stride = count + 1;
    for (int row = 1; row <= n; row++) {
      for (int i = 0; i < count; i++) {
        int at = row * stride + 1 + i;
        int a = i < step ? 0 : rows[at - step] & 0xff;
        int b = rows[at - stride] & 0xff;
        int c = i < step ? 0 : rows[at - stride - step] & 0xff;
        int guess =
            switch (rows[row * stride]) {
              case 1 -> a;
              case 2 -> b;
              case 3 -> (a + b) / 2;
              case 4 -> definition(a, b, c);
              default -> 0;
            };
        rows[at] += (byte) guess;
      }
    }
  }

  @Test
  void nearestIsThatOfTheDefinition() {
    int wrong = 0;
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        for (int c = 0; c < 256; c++) {
          wrong += Unfilter.nearest(a, b, c) == definition(a, b, c) ? 0 : 1;
        }
      }
    }
    assertThat(wrong).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 8})
  void rowsAreThoseOfTheDefinition(int step) {
    var random = new Random(step);
    Unfilter[] kinds = {new Unfilter(), Unfilter.vectors()};
    for (int round = 0; round < 300; round++) {
      int pixels = 1 + random.nextInt(round % 10 == 0 ? 900 : 90);
      int count = step * pixels;
      int n = 1 + random.nextInt(40);
      byte[] rows = new byte[(n + 1) * (count + 1) + 1];
      random.nextBytes(rows);
      int filters = round % 3 == 0 ? 1 : 5; // or the last one alone
      for (int row = 0; row <= n; row++) {
        rows[row * (count + 1)] = (byte) (5 - filters + random.nextInt(filters));
      }
      byte[] defined = rows.clone();
      define(defined, n, count, step);
      for (Unfilter kind : kinds) {
        byte[] made = rows.clone();
        assertThat(kind.rows(made, n, count, step, 0)).isTrue();
        assertThat(made).as("%d rows of %d pixels", n, pixels).isEqualTo(defined);
        int needed = random.nextInt(n);
        made = rows.clone();
        assertThat(kind.rows(made, n, count, step, needed)).isTrue();
        int from = (needed + 1) * (count + 1);
        assertThat(made).hasSize(defined.length);
        assertThat(
                java.util.Arrays.mismatch(made, from, made.length, defined, from, defined.length))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void thereAreFiveFilters() {
    for (Unfilter kind : new Unfilter[] {new Unfilter(), Unfilter.vectors()}) {
      for (int filter : new int[] {5, 127, -1, -128}) {
        byte[] rows = new byte[21 * 121 + 1];
        rows[19 * 121] = (byte) filter;
        assertThat(kind.rows(rows, 20, 120, 3, 0)).isFalse();
      }
    }
  }
}
