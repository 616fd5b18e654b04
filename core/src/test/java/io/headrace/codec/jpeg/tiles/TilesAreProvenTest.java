package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Law: what is proven to hold a picture has its coefficients, and is sound.
final class TilesAreProvenTest {
  private final Tiled tiled = new Tiled();
  private final JpegTranscoder prover = new JpegTranscoder();

  @AfterEach
  void close() {
    tiled.close();
    prover.close();
  }

  private boolean same(MemorySegment source, MemorySegment made) {
    try {
      prover.picture().read(source);
      prover.prove(made);
      return true;
    } catch (DecodeException e) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void tilesAreTheSamePicture(Subsampling subsampling) throws DecodeException {
    for (int width : new int[] {161, 176, 250}) {
      MemorySegment source = tiled.encode(width, 50, subsampling, 92, 9);
      MemorySegment made = tiled.tile(source, 3);
      assertThat(same(source, made)).as("%d columns", width).isTrue();
      assertThat(same(source, tiled.restore(made))).as("%d columns", width).isTrue();
    }
  }

  @Test
  void anotherPictureIsNotTheSame() throws DecodeException {
    MemorySegment source = tiled.encode(176, 50, Subsampling.S420, 92, 9);
    assertThat(same(source, tiled.encode(176, 50, Subsampling.S420, 92, 10))).isFalse();
    assertThat(same(source, tiled.encode(176, 50, Subsampling.S420, 91, 9))).isFalse();
    assertThat(same(source, tiled.encode(176, 50, Subsampling.S444, 92, 9))).isFalse();
    assertThat(same(source, tiled.encode(176, 66, Subsampling.S420, 92, 9))).isFalse();
    assertThat(same(source, source)).isTrue();
    try (var small = new JpegTranscoder(MemoryBudget.unbounded(), 176 * 50 - 1)) {
      assertThatThrownBy(() -> small.picture().read(source)).hasMessageContaining("over the limit");
    }
  }

  /// Whatever bit flips in a source or in what was made of it: either is no longer sound, or the
  /// coefficients differ, or nothing that counts was hit.
  @Test
  void aFlippedBitIsNotCalledTheSameUnlessItIs() throws DecodeException {
    MemorySegment source = tiled.encode(70, 30, Subsampling.S420, 80, 3);
    MemorySegment made = tiled.tile(source, 1);
    int called = 0;
    try (var before = new JpegCoefficients();
        var after = new JpegCoefficients()) {
      for (MemorySegment hit : new MemorySegment[] {source, made}) {
        for (long bit = 0; bit < 8 * hit.byteSize(); bit += 3) {
          flip(hit, bit);
          if (same(source, made)) {
            called++;
            before.read(source);
            after.read(made);
            assertThat(sameBlocks(before, after)).as("bit %d", bit).isTrue();
          }
          flip(hit, bit);
        }
      }
    }
    assertThat(called).as("bits that say nothing").isPositive();
    assertThat(same(source, made)).isTrue();
  }

  private static void flip(MemorySegment bytes, long bit) {
    bytes.set(JAVA_BYTE, bit / 8, (byte) (bytes.get(JAVA_BYTE, bit / 8) ^ (1 << (bit % 8))));
  }

  private static boolean sameBlocks(JpegCoefficients a, JpegCoefficients b) {
    boolean same = a.components() == b.components() && a.height() == b.height();
    for (int c = 0; c < a.components() && same; c++) {
      for (int row = 0; row < a.component(c).rows(); row++) {
        for (int column = 0; column < a.component(c).columns(); column++) {
          for (int k = 0; k < 64; k++) {
            same &= a.coefficient(c, row, column, k) == b.coefficient(c, row, column, k);
          }
        }
      }
      for (int k = 0; k < 64; k++) {
        same &= a.component(c).quantisation(k) == b.component(c).quantisation(k);
      }
    }
    return same;
  }

  @Test
  void dataThatEndsEarlyOrGoesOnIsNotTheSame() throws DecodeException {
    MemorySegment source = tiled.encode(176, 50, Subsampling.S420, 92, 9);
    MemorySegment made = tiled.tile(source, 3);
    for (long cut = 1; cut < source.byteSize(); cut += 11) {
      assertThat(same(source.asSlice(0, source.byteSize() - cut), made)).isFalse();
    }
    for (long cut = 1; cut < made.byteSize(); cut += 11) {
      assertThat(same(source, made.asSlice(0, made.byteSize() - cut))).isFalse();
    }
    MemorySegment longer = tiled.arena.allocate(made.byteSize() + 40);
    MemorySegment.copy(made, 0, longer, 0, made.byteSize() - 2); // no end marker where it was
    assertThat(same(source, longer)).isFalse();
  }
}
