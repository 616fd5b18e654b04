package io.headrace.codec.baseline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: both kinds give the same samples, and leave zeros.
final class IdctTest {
  private static final int STRIDE = 11;

  @ParameterizedTest
  @ValueSource(ints = {8, 4, 2})
  void vectorsGiveTheSame(int edge) {
    var random = new Random(edge);
    var scalar = new ScalarIdct();
    Idct vector = Idcts.vector();
    byte[] zigzag = zigzag();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(STRIDE * 9);
      MemorySegment b = arena.allocate(STRIDE * 9);
      int beyond = 0;
      for (int i = 0; i < 2000; i++) {
        int[] c = new int[ScanBits.ROOM];
        int[] d = new int[ScanBits.ROOM];
        int[] q = new int[64];
        int last = random.nextInt(64);
        for (int k = 0; k < 64; k++) {
          q[zigzag[k]] = 1 + random.nextInt(i % 5 == 0 ? 65_535 : 1 + k); // some are absurd
          if (k <= last) {
            int most = i % 5 == 0 ? 1023 : 1200 / q[zigzag[k]];
            c[zigzag[k]] = random.nextInt(-most, most + 1) / (1 + random.nextInt(4));
            d[zigzag[k]] = c[zigzag[k]];
          }
        }
        a.fill((byte) 77);
        b.fill((byte) 77);
        boolean usual = scalar.block(c, q, last, edge, a, 3, STRIDE);
        assertThat(vector.block(d, q, last, edge, b, 3, STRIDE)).isEqualTo(usual);
        beyond += usual ? 0 : 1;
        assertThat(b.toArray(JAVA_BYTE)).isEqualTo(a.toArray(JAVA_BYTE));
        assertThat(c).startsWith(new int[64]);
        assertThat(d).startsWith(new int[64]);
      }
      assertThat(beyond).isBetween(100, 1000);
    }
  }

  private static byte[] zigzag() {
    int[] numbers = new int[64];
    for (int k = 0; k < 64; k++) {
      numbers[k] = k;
    }
    int[] natural = new int[64];
    ScanBits.natural(numbers, natural);
    byte[] zigzag = new byte[64];
    for (int place = 0; place < 64; place++) {
      zigzag[natural[place]] = (byte) place;
    }
    return zigzag;
  }
}
