package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Orientation;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Quadrants red, green, blue and yellow, turned by EXIF (odd-inputs 66).
final class OrientationTest {
  private static final int WIDTH = 24;
  private static final int HEIGHT = 16;

  private static byte[] quadrants() {
    int[][] colours = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}};
    byte[] pixels = new byte[3 * WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      int quadrant = 2 * (i / WIDTH / (HEIGHT / 2)) + i % WIDTH / (WIDTH / 2);
      for (int c = 0; c < 3; c++) {
        pixels[3 * i + c] = (byte) colours[quadrant][c];
      }
    }
    return pixels;
  }

  /// {@return a JPEG of the quadrants with an EXIF block after its first marker}
  private static byte[] jpeg(Arena arena, int orientation) throws DecodeException {
    try (var out = new Block(MemoryBudget.unbounded());
        var encoder = new ImageEncoder()) {
      MemorySegment pixels = Pictures.offHeap(arena, quadrants());
      var encoding = new JpegEncoding(95, Subsampling.S444);
      long bytes = encoder.encode(pixels, WIDTH, HEIGHT, 3, encoding, out);
      byte[] plain = out.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
      var whole = new ByteArrayOutputStream();
      whole.write(plain, 0, 2);
      whole.writeBytes(
          HexFormat.of()
              .parseHex(
                  "ffe10022457869660000" // APP1 of 34 bytes
                      + "49492a0008000000" // TIFF, lowest byte first, directory at 8
                      + "0100120103000100" // one entry: tag 0112, a SHORT
                      + "00000%d000000".formatted(orientation)
                      + "00000000"));
      whole.write(plain, 2, plain.length - 2);
      return whole.toByteArray();
    }
  }

  /// {@return the colours at the middles of the quadrants, row by row}
  private static String corners(byte[] rgb, int width, int height) {
    var text = new StringBuilder();
    for (int y = height / 4; y < height; y += height / 2) {
      for (int x = width / 4; x < width; x += width / 2) {
        int at = 3 * (y * width + x);
        int code = (rgb[at] < 0 ? 4 : 0) | (rgb[at + 1] < 0 ? 2 : 0) | (rgb[at + 2] < 0 ? 1 : 0);
        text.append("?BG?R?Y?".charAt(code));
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "1, RGBY, 24, 16",
    "2, GRYB, 24, 16",
    "3, YBGR, 24, 16",
    "4, BYRG, 24, 16",
    "5, RBGY, 16, 24",
    "6, BRYG, 16, 24",
    "7, YGBR, 16, 24",
    "8, GYRB, 16, 24",
  })
  void everyOrientationIsAppliedWhereAsked(int orientation, String corners, int width, int height)
      throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var stored = new ImageDecoder();
        var upright = new ImageDecoder(MemoryBudget.unbounded(), 1000, true)) {
      MemorySegment jpeg = Pictures.offHeap(arena, jpeg(arena, orientation));
      ImageInfo asStored = stored.probe(jpeg);
      assertThat(asStored.orientation()).isEqualTo(orientation);
      MemorySegment rgb = arena.allocate(asStored.rgbBytes());
      stored.decodeRgb(jpeg, asStored, rgb);
      assertThat(corners(rgb.toArray(JAVA_BYTE), WIDTH, HEIGHT)).isEqualTo("RGBY");

      ImageInfo info = upright.probe(jpeg);
      assertThat(info.width()).isEqualTo(width);
      assertThat(info.height()).isEqualTo(height);
      assertThat(info.orientation()).isEqualTo(1);
      upright.decodeRgb(jpeg, info, rgb);
      assertThat(corners(rgb.toArray(JAVA_BYTE), width, height)).isEqualTo(corners);
      MemorySegment half = arena.allocate(JpegScale.HALF.rgbBytes(info));
      upright.decodeRgb(jpeg, info, JpegScale.HALF, half);
      assertThat(corners(half.toArray(JAVA_BYTE), width / 2, height / 2)).isEqualTo(corners);
    }
  }

  /// Law: turning and then turning back gives the picture, whatever its size.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void turningBackGivesThePicture(int orientation) {
    int back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
    for (int[] size : new int[][] {{1, 1}, {1, 7}, {33, 31}, {70, 65}, {64, 1}}) {
      int width = size[0];
      int height = size[1];
      byte[] pixels = Pictures.smooth(width, height, 3);
      byte[] turned = new byte[pixels.length];
      byte[] again = new byte[pixels.length];
      boolean swap = Orientation.swapsSides(orientation);
      Orientation.apply(
          MemorySegment.ofArray(pixels), width, height, orientation, MemorySegment.ofArray(turned));
      Orientation.apply(
          MemorySegment.ofArray(turned),
          swap ? height : width,
          swap ? width : height,
          back,
          MemorySegment.ofArray(again));
      assertThat(again).isEqualTo(pixels);
    }
  }

  @Test
  void valuesThatExifDoesNotHaveAreRefused() {
    MemorySegment pixel = MemorySegment.ofArray(new byte[3]);
    assertThatThrownBy(() -> Orientation.apply(pixel, 1, 1, 9, pixel))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
