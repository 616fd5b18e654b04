package io.headrace.codec.jpeg.planes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.codec.jpeg.entropy.ScanBits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: both kinds give the same samples, and leave zeros.
final class IdctTest {
  private static final int STRIDE = 11;

  @Test
  void vectorsGiveTheSameWholeBlocks() {
    var random = new Random(8);
    var scalar = new ScalarIdct();
    Idct vector = Idcts.vector();
    byte[] zigzag = zigzag();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(STRIDE * 9);
      MemorySegment b = arena.allocate(STRIDE * 9);
      int beyond = 0;
      for (int i = 0; i < 2000; i++) {
        int[] c = new int[ScanBits.ROOM];
        int[] q = new int[64];
        int last = random.nextInt(64);
        for (int k = 0; k < 64; k++) {
          q[zigzag[k]] = 1 + random.nextInt(i % 5 == 0 ? 65_535 : 1 + k); // some are absurd
          if (k <= last) {
            int most = i % 5 == 0 ? 1023 : 1200 / q[zigzag[k]];
            c[zigzag[k]] = random.nextInt(-most, most + 1) / (1 + random.nextInt(4));
          }
        }
        int[] d = c.clone();
        a.fill((byte) 77);
        b.fill((byte) 77);
        boolean usual = scalar.block(c, q, last, a, 3, STRIDE);
        assertThat(vector.block(d, q, last, b, 3, STRIDE)).isEqualTo(usual);
        beyond += usual ? 0 : 1;
        assertThat(b.toArray(JAVA_BYTE)).isEqualTo(a.toArray(JAVA_BYTE));
        assertThat(c).startsWith(new int[64]);
        assertThat(d).startsWith(new int[64]);
      }
      assertThat(beyond).isBetween(100, 1000);
    }
  }

  /// Law: sixteen blocks at once, or fewer that are left, have the samples of each.
  @ParameterizedTest
  @ValueSource(ints = {BlockGroup.LOW, BlockGroup.MIDDLE, 64})
  void groupsGiveTheSameBlocks(int count) {
    var random = new Random(count);
    var scalar = new ScalarIdct();
    BlockGroup group = Idcts.group(count);
    byte[] zigzag = zigzag();
    int[] ones = new int[64];
    Arrays.fill(ones, 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(16 * STRIDE * 9);
      MemorySegment b = arena.allocate(16 * STRIDE * 9);
      int beyond = 0;
      for (int i = 0; i < 200; i++) {
        int blocks = 1 + random.nextInt(16);
        int most = i % 5 == 0 ? 20_000 : 600;
        boolean usual = true;
        boolean found = true;
        for (int block = 0; block < blocks; block++) {
          int[] c = new int[ScanBits.ROOM];
          int next = group.next();
          for (int k = 0; k < 64; k++) {
            int value = k < count ? random.nextInt(-most, most + 1) / (1 + k) : 0;
            c[zigzag[k]] = value;
            group.coefficients()[next + k] = (short) value;
          }
          long at = 3 + 9L * STRIDE * block;
          usual &= scalar.block(c, ones, 63, a, at, STRIDE);
          found &= group.add(b, at, STRIDE);
        }
        found &= group.finish(b);
        assertThat(found).isEqualTo(usual);
        beyond += usual ? 0 : 1;
        assertThat(b.mismatch(a)).isEqualTo(-1);
      }
      assertThat(beyond).isBetween(10, 100);
    }
  }

  /// The sums are those of the definition, but for rounding.
  @ParameterizedTest
  @ValueSource(ints = {4, 2})
  void cornersAreAnInverseDctOfSoManyPoints(int edge) {
    var random = new Random(edge);
    Idct scalar = new ScalarIdct();
    Idct vector = Idcts.vector();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(STRIDE * 5);
      MemorySegment b = arena.allocate(STRIDE * 5);
      for (int i = 0; i < 2000; i++) {
        boolean absurd = i % 5 == 0;
        boolean flat = i % 7 == 0;
        int[] c = new int[ScanBits.ROOM];
        int[] q = new int[16];
        for (int k = 0; k < edge * edge; k++) {
          q[k] = 1 + random.nextInt(absurd ? 65_535 : 50);
          int most = absurd ? 1023 : 1200 / q[k];
          c[k] = k == 0 || !flat ? random.nextInt(-most, most + 1) / (1 + random.nextInt(4)) : 0;
        }
        double[] means = means(c, q, edge);
        int[] d = c.clone();
        a.fill((byte) 77);
        b.fill((byte) 77);
        scalar.corner(c, q, flat, edge, a, 3, STRIDE);
        vector.corner(d, q, flat, edge, b, 3, STRIDE);
        assertThat(b.toArray(JAVA_BYTE)).isEqualTo(a.toArray(JAVA_BYTE));
        assertThat(c).startsWith(new int[16]);
        assertThat(d).startsWith(new int[16]);
        if (absurd) {
          continue; // sums do not fit 32 bits
        }
        for (int y = 0; y < edge; y++) {
          for (int x = 0; x < edge; x++) {
            int sample = a.get(JAVA_BYTE, 3 + (long) STRIDE * y + x) & 0xff;
            double exact = Math.clamp(means[edge * y + x], 0, 255);
            assertThat((double) sample).isCloseTo(exact, within(edge == 2 ? 0.5001 : 0.75));
          }
          assertThat(a.get(JAVA_BYTE, 3 + (long) STRIDE * y + edge)).isEqualTo((byte) 77);
        }
      }
    }
  }

  /// {@return samples of a corner (T.81, A.3.3, with as many points as it has rows)}
  private static double[] means(int[] c, int[] q, int edge) {
    double[] samples = new double[edge * edge];
    for (int y = 0; y < edge; y++) {
      for (int x = 0; x < edge; x++) {
        double sum = 0;
        for (int v = 0; v < edge; v++) {
          for (int u = 0; u < edge; u++) {
            sum +=
                c[edge * v + u]
                    * q[edge * v + u]
                    * (v == 0 ? 1 : Math.sqrt(2))
                    * (u == 0 ? 1 : Math.sqrt(2))
                    * Math.cos((2 * y + 1) * v * Math.PI / (2 * edge))
                    * Math.cos((2 * x + 1) * u * Math.PI / (2 * edge));
          }
        }
        samples[edge * y + x] = sum / 8 + 128;
      }
    }
    return samples;
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
