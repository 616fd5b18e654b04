package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import org.junit.jupiter.api.Test;

/// Crops and mirrors, worked out by hand. Images are rows of grey values.
final class CropTest {
  private static Picture grey(int width, int... values) {
    byte[] rgb = new byte[3 * values.length];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) values[i / 3];
    }
    return new Picture(values.length / width, width, rgb);
  }

  private static int[] red(byte[] rgb) {
    int[] red = new int[rgb.length / 3];
    for (int i = 0; i < red.length; i++) {
      red[i] = rgb[3 * i] & 0xff;
    }
    return red;
  }

  private static int[] run(String spec, Picture picture) throws DecodeException {
    return red(Processing.run(spec, picture));
  }

  @Test
  void flip() throws DecodeException {
    assertThat(run("flip=1", grey(3, 1, 2, 3, 4, 5, 6))).containsExactly(3, 2, 1, 6, 5, 4);
    assertThat(run("flip=0", grey(3, 1, 2, 3))).containsExactly(1, 2, 3);
    assertThat(run("flip=1,flip=1", grey(3, 1, 2, 3))).containsExactly(1, 2, 3);
  }

  @Test
  void flipMirrorsChannelsTogether() throws DecodeException {
    Picture picture = new Picture(1, 2, new byte[] {1, 2, 3, 4, 5, 6});
    assertThat(Processing.run("flip=1", picture)).containsExactly(4, 5, 6, 1, 2, 3);
    assertThat(Processing.run("flip=1,chw", picture)).containsExactly(4, 1, 5, 2, 6, 3);
  }

  @Test
  void centerCropRoundsHalvesToEven() throws DecodeException {
    assertThat(run("center_crop=1x2", grey(3, 1, 2, 3))).containsExactly(1, 2); // 0.5 to 0
    assertThat(run("center_crop=1x2", grey(5, 1, 2, 3, 4, 5))).containsExactly(3, 4); // 1.5 to 2
    assertThat(run("center_crop=1x2", grey(7, 1, 2, 3, 4, 5, 6, 7))).containsExactly(3, 4);
    assertThat(run("center_crop=1x1", grey(3, 1, 2, 3, 4, 5, 6, 7, 8, 9))).containsExactly(5);
  }

  @Test
  void centerCropAfterFlip() throws DecodeException {
    assertThat(run("flip=1,center_crop=1x2", grey(3, 1, 2, 3))).containsExactly(3, 2);
    assertThat(run("center_crop=1x2,flip=1", grey(3, 1, 2, 3))).containsExactly(2, 1);
  }

  @Test
  void centerCropPadsWithZeros() throws DecodeException {
    assertThat(run("center_crop=1x5", grey(2, 8, 9))).containsExactly(0, 8, 9, 0, 0);
    assertThat(run("center_crop=3x1", grey(3, 7, 8, 9))).containsExactly(0, 8, 0);
    assertThat(run("center_crop=3", grey(1, 7))).containsExactly(0, 0, 0, 0, 7, 0, 0, 0, 0);
  }

  @Test
  void whatWasCutOffStaysCutOff() throws DecodeException {
    assertThat(run("center_crop=1x1,center_crop=1x3", grey(3, 1, 2, 3))).containsExactly(0, 2, 0);
  }

  @Test
  void paddingIsResizedToo() throws DecodeException {
    Picture wide = grey(2, 100, 100);
    assertThat(run("center_crop=1x4,resize=1x2", wide))
        .isEqualTo(red(wide.centerCrop(1, 4).resize(1, 2).rgb()));
  }

  @Test
  void shorterSide() {
    assertThat(new ImageSize(375, 500).withShorterSide(256)).isEqualTo(new ImageSize(256, 341));
    assertThat(new ImageSize(500, 375).withShorterSide(256)).isEqualTo(new ImageSize(341, 256));
    assertThat(new ImageSize(100, 100).withShorterSide(7)).isEqualTo(new ImageSize(7, 7));
  }

  @Test
  void randomCropOfSmallImageFails() {
    assertThatThrownBy(() -> run("random_crop=2", grey(3, 1, 2, 3)))
        .isInstanceOf(DecodeException.class)
        .hasMessage("an image of 1 x 3 pixels is smaller than random_crop=2x2");
  }

  @Test
  void threadOfAnImageFails() {
    assertThatThrownBy(() -> run("resize_shorter=32768,center_crop=2", Picture.blank(1, 40_000)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("1310720000 long");
  }

  /// Law: no picture takes the whole heap: what is resized has a bound, what is cut out of it has
  /// none.
  @Test
  void whatIsTooLongToBeResizedFails() throws DecodeException {
    Picture wide = Picture.blank(1, (1 << 20) + 1);
    for (String steps : new String[] {"resize=2x2", "resize_shorter=2,center_crop=1"}) {
      assertThatThrownBy(() -> run(steps, wide))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("1048577 x 1 pixels are not resized")
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
    assertThat(run("center_crop=1x4,resize=1x2", wide)).containsExactly(0, 0);
    assertThat(run("resize=1x2", Picture.blank(1, 1 << 20))).containsExactly(0, 0);
  }
}
