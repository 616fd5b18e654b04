package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageSize;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.lossless.LosslessEncoder;
import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.png.PngEncoding;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Images that are no JPEGs are processed by planes of red, green and blue under fast decoding.
final class ColourPlanesTest {
  private static final List<ImageEncoding> ALL =
      List.of(
          new LosslessEncoding(LosslessLevel.FAST),
          new LosslessEncoding(LosslessLevel.SMALL),
          PlainCodec.RAW,
          new PngEncoding(1),
          PlainCodec.BMP,
          PlainCodec.QOI);

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  private MemorySegment encode(Picture picture, ImageEncoding encoding) throws DecodeException {
    try (var encoder = new ImageEncoder();
        var block = new Block(MemoryBudget.unbounded())) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, picture.rgb());
      long size = encoder.encode(rgb, picture.width(), picture.height(), 3, encoding, block);
      return arena.allocateFrom(JAVA_BYTE, block.memory().asSlice(0, size).toArray(JAVA_BYTE));
    }
  }

  private byte[] run(
      String spec, SampleProcessor.Options options, MemorySegment image, ImageSize in, int sample)
      throws DecodeException {
    try (var processor =
        new SampleProcessor(Pipeline.parse(spec), MemoryBudget.unbounded(), options)) {
      MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(in).bytes());
      slot.fill((byte) 0x5a);
      processor.process(image, 1, 2, sample, slot);
      return slot.toArray(JAVA_BYTE);
    }
  }

  /// Law: within a level of the exact way, and the same whatever the image was stored as.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "resize=24x20",
        "random_resized_crop=40x30:area=0.1-1,flip",
        "resize_shorter=20,center_crop=30x24",
        "resize=40x40,flip=1,resize=20x30",
        "center_crop=20x10"
      })
  void nearTheExactWay(String spec) throws DecodeException {
    int[][] sizes = {{64, 96}, {61, 83}, {150, 333}, {33, 17}, {9, 8}, {1, 1}, {3, 40}};
    boolean twice = spec.indexOf("resize") != spec.lastIndexOf("resize");
    for (int[] s : sizes) {
      Picture picture = Picture.random(s[0], s[1], 3);
      var in = new ImageSize(s[0], s[1]);
      for (int i = 0; i < 3; i++) {
        byte[] first = null;
        for (ImageEncoding encoding : ALL) {
          MemorySegment image = encode(picture, encoding);
          byte[] exact = run(spec, SampleProcessor.Options.exact(), image, in, i);
          byte[] fast = run(spec, SampleProcessor.Options.fast(), image, in, i);
          for (int k = 0; k < exact.length; k++) {
            int difference = Math.abs((exact[k] & 0xff) - (fast[k] & 0xff));
            assertThat(difference).as("%s %s byte %d", encoding, in, k).isLessThan(twice ? 3 : 2);
          }
          first = first == null ? fast : first;
          assertThat(fast).as("%s %s", encoding, in).isEqualTo(first);
        }
      }
    }
  }

  /// Law: grey images too, which have one plane.
  @Test
  void greyLosslessImages() throws DecodeException {
    byte[] grey = new byte[70 * 90];
    new Random(5).nextBytes(grey);
    byte[] rgb = new byte[3 * grey.length];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = grey[i / 3];
    }
    var in = new ImageSize(70, 90);
    try (var encoder = new LosslessEncoder();
        var block = new Block(MemoryBudget.unbounded())) {
      long bytes =
          encoder.encode(MemorySegment.ofArray(grey), 90, 70, 1, LosslessLevel.BALANCED, block);
      MemorySegment one = arena.allocate(bytes).copyFrom(block.memory().asSlice(0, bytes));
      MemorySegment three = encode(new Picture(70, 90, rgb), PlainCodec.RAW);
      for (String spec : List.of("resize=31x40", "resize=31x40,normalize=imagenet,float32,chw")) {
        assertThat(run(spec, SampleProcessor.Options.fast(), one, in, 0))
            .isEqualTo(run(spec, SampleProcessor.Options.fast(), three, in, 0));
      }
    }
  }

  /// Law: damage is reported as in the exact way, if it is in what is decoded.
  @Test
  void damageIsReported() throws DecodeException {
    Picture picture = Picture.random(64, 96, 3);
    var in = new ImageSize(64, 96);
    for (ImageEncoding encoding : ALL) {
      byte[] sound = encode(picture, encoding).toArray(JAVA_BYTE);
      for (int percent = 10; percent < 100; percent += 20) {
        MemorySegment cut =
            arena
                .allocate(sound.length * percent / 100)
                .copyFrom(MemorySegment.ofArray(sound).asSlice(0, sound.length * percent / 100));
        String expected = null;
        try {
          run("resize=24x20", SampleProcessor.Options.exact(), cut, in, 0);
        } catch (DecodeException e) {
          expected = e.getMessage();
        }
        assertThat(expected).as("%s %d", encoding, percent).isNotNull();
        assertThatThrownBy(() -> run("resize=24x20", SampleProcessor.Options.fast(), cut, in, 0))
            .isInstanceOf(DecodeException.class)
            .hasMessage(expected);
      }
    }
  }
}
