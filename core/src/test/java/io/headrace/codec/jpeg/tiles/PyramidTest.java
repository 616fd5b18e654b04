package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PyramidTest {
  private final Tiled tiled = new Tiled();
  private final Pyramid pyramid = new Pyramid(MemoryBudget.unbounded());
  private final Block out = new Block(MemoryBudget.unbounded());

  @AfterEach
  void close() {
    out.close();
    pyramid.close();
    tiled.close();
  }

  /// A picture that changes slowly, and its value at a place.
  private static int value(double y, double x, int c) {
    return (int) Math.rint(120 + 60 * Math.sin(0.011 * x + 0.017 * y + c));
  }

  private MemorySegment picture(int height, int width) {
    MemorySegment rgb = tiled.arena.allocate(3L * height * width);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          rgb.set(JAVA_BYTE, 3L * (y * width + x) + c, (byte) value(y, x, c));
        }
      }
    }
    return rgb;
  }

  @Test
  void levelsAreThePictureMadeSmaller() throws DecodeException {
    int height = 205;
    int width = 301;
    MemorySegment rgb = picture(height, width);
    for (JpegScale level : Pyramid.LEVELS) {
      long bytes = pyramid.make(rgb, height, width, level, 95, out, tiled.tiles);
      MemorySegment jpeg = out.memory().asSlice(0, bytes);
      tiled.tiles.check(jpeg);
      int h = level.scaled(height);
      int w = level.scaled(width);
      assertThat(tiled.tiles.height()).isEqualTo(h);
      assertThat(tiled.tiles.width()).isEqualTo(w);
      byte[] all = tiled.region(jpeg, new Region(0, 0, h, w), JpegScale.FULL);
      int side = 8 / level.eighths();
      for (int y = 0; y < h - 1; y++) {
        for (int x = 0; x < w - 1; x++) {
          int expected = value((y + 0.5) * side - 0.5, (x + 0.5) * side - 0.5, 1);
          assertThat(all[3 * (y * w + x) + 1] & 0xff).isBetween(expected - 6, expected + 6);
        }
      }
    }
  }

  @Test
  void smallPicturesHaveLevelsToo() throws DecodeException {
    pyramid.make(picture(1, 1), 1, 1, JpegScale.EIGHTH, 90, out, tiled.tiles);
    assertThat(tiled.tiles.width()).isEqualTo(1);
    assertThatThrownBy(
            () -> pyramid.make(picture(1, 1), 1, 1, JpegScale.FULL, 90, out, tiled.tiles))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
