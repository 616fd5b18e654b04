package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Subsampling;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Decoding the first rows of a JPEG.
final class JpegTopTest {
  private static final int HEIGHT = 137;
  private static final int WIDTH = 75;

  private final Arena arena = Arena.ofConfined();
  private final Block block = new Block(MemoryBudget.unbounded());

  @AfterEach
  void close() {
    block.close();
    arena.close();
  }

  private byte[] noise(Subsampling subsampling) throws DecodeException {
    byte[] rgb = new byte[3 * HEIGHT * WIDTH];
    new Random(1).nextBytes(rgb);
    try (var encoder = new JpegEncoder()) {
      MemorySegment pixels = arena.allocateFrom(JAVA_BYTE, rgb);
      long size = encoder.encode(pixels, WIDTH, HEIGHT, 3, 80, subsampling, block);
      return block.memory().asSlice(0, size).toArray(JAVA_BYTE);
    }
  }

  /// Law: rows are those of the whole image, at every scale.
  @ParameterizedTest
  @EnumSource(value = Subsampling.class, names = "OTHER", mode = EnumSource.Mode.EXCLUDE)
  void rowsAreThoseOfTheWhole(Subsampling subsampling) throws DecodeException {
    MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, noise(subsampling));
    try (var decoder = new JpegDecoder()) {
      ImageInfo info = decoder.probe(jpeg);
      for (int eighths = 1; eighths <= 8; eighths++) {
        var scale = new JpegScale(eighths);
        MemorySegment whole = arena.allocate(scale.rgbBytes(info));
        decoder.decode(jpeg, info, scale, whole);
        long row = 3L * scale.scaled(WIDTH);
        int done = 0;
        for (int rows = 1; rows <= scale.scaled(HEIGHT); rows += 5) {
          MemorySegment top = decoder.decodeTop(jpeg, info, scale, rows, block);
          if (top != null) {
            long differs = top.asSlice(0, rows * row).mismatch(whole.asSlice(0, rows * row));
            assertThat(differs).as("%d rows at %d/8", rows, eighths).isEqualTo(-1);
            done++;
          }
        }
        assertThat(done).isPositive();
      }
      assertThat(decoder.warnings()).isZero();
    }
  }

  /// Files that are cut, or end where it shows, are left to the whole.
  @Test
  void onlyTheWholeCanTell() throws DecodeException {
    byte[] sound = noise(Subsampling.S420);
    byte[] ended = sound.clone();
    ended[sound.length / 5] = (byte) 0xff;
    ended[sound.length / 5 + 1] = (byte) 0xd9;
    byte[] cut = Corrupter.cut(sound, sound.length - 1);
    try (var decoder = new JpegDecoder()) {
      for (byte[] bytes : new byte[][] {ended, cut}) {
        MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, bytes);
        ImageInfo info = decoder.probe(jpeg);
        assertThat(decoder.decodeTop(jpeg, info, JpegScale.FULL, 60, block)).isNull();
      }
      MemorySegment jpeg = arena.allocateFrom(JAVA_BYTE, sound);
      ImageInfo info = decoder.probe(jpeg);
      assertThat(decoder.decodeTop(jpeg, info, JpegScale.FULL, 60, block)).isNotNull();
      assertThat(decoder.decodeTop(jpeg, info, JpegScale.FULL, HEIGHT, block)).isNull();
    }
  }
}
