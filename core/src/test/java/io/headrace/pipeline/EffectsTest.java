package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Effects are the same wherever the pass before them got its pixels from, and run where they may.
final class EffectsTest {
  /// Law: planes of a JPEG or a PNG, with effects on the way, give what they give without, kept,
  /// and
  /// the effects then done to it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resize=24x20                   | invert
          resize=24x20,flip=1            | brightness=1.3,saturation=0.4,hue=0.2
          resize=24x20,vertical_flip=1   | contrast=0.4,invert
          resize=24x20                   | invert,contrast=0.4,invert,sharpness=2,posterize=3
          resize=24x20,center_crop=31x33 | invert,contrast=0.4
          resize=24x20,center_crop=31x33 | invert
          resize=24x20                   | gaussian_blur=5:sigma=1,rotate=20..20,resize=9x9
          resize_shorter=30              | center_crop=20,grayscale,chw
          resize=24x20                   | equalize,normalize=imagenet,float16,chw
          """)
  void effectsOnPlanes(String first, String then) throws IOException, DecodeException {
    for (String name : List.of("/jpeg/baseline.jpg", "/jpeg/grey.jpg", "/png/type2-08.png")) {
      byte[] image;
      try (InputStream in = Objects.requireNonNull(EffectsTest.class.getResourceAsStream(name))) {
        image = in.readAllBytes();
      }
      try (Arena arena = Arena.ofConfined();
          var one = processor(first);
          var both = processor(first + "," + then)) {
        MemorySegment encoded = arena.allocateFrom(JAVA_BYTE, image);
        var size = one.sizeOf(encoded, MemorySegment.NULL);
        byte[] kept = run(one, encoded, arena, size.rgbBytes());
        var picture = new Picture(size.height(), size.width(), kept);
        byte[] expected = Processing.run(then, picture);
        assertThat(run(both, encoded, arena, expected.length)).as(name).isEqualTo(expected);
      }
    }
  }

  private static SampleProcessor processor(String spec) {
    return new SampleProcessor(
        Pipeline.parse(spec), MemoryBudget.unbounded(), SampleProcessor.Options.fast());
  }

  private static byte[] run(
      SampleProcessor processor, MemorySegment encoded, Arena arena, long bytes)
      throws DecodeException {
    MemorySegment slot = arena.allocate(bytes);
    processor.process(encoded, 1, 0, 7, slot);
    return slot.toArray(JAVA_BYTE);
  }

  /// What changes single pixels waits for the crop; what needs the image does not.
  @Test
  void orderIsChosen() throws DecodeException {
    var size = new ImageSize(300, 400);
    String rows =
        SampleProcessor.explain(
            Pipeline.parse("brightness=1.5,center_crop=224,flip=1"),
            SampleProcessor.Options.exact(),
            size);
    assertThat(rows)
        .contains(
            """
            pass 1: cut out 224x224 at row 38, column 88, mirror
              then brightness 1.5
              (cut out or mirrored first: the same colours, of fewer pixels)
            """)
        .doesNotContain("pass 2");
    String canvas =
        SampleProcessor.explain(
            Pipeline.parse("contrast=1.5,center_crop=224"), SampleProcessor.Options.exact(), size);
    assertThat(canvas)
        .contains(
            """
            pass 1: copy
              then contrast 1.5
              to uint8 [300, 400, 3]
            pass 2: cut out 224x224 at row 38, column 88
            """);
  }

  @Test
  void erasingWorksOnFloatsAfterValues() throws DecodeException {
    Picture picture = Picture.random(30, 40, 1);
    String spec = "normalize=imagenet,chw,random_erasing=1:value=7";
    MemorySegment out = MemorySegment.ofArray(Processing.run(spec, picture));
    MemorySegment whole = MemorySegment.ofArray(Processing.run("normalize=imagenet,chw", picture));
    int erased = 0;
    for (int i = 0; i < 3 * 30 * 40; i++) {
      float value = out.get(Processing.FLOAT, 4L * i);
      assertThat(value).isIn(7f, whole.get(Processing.FLOAT, 4L * i));
      erased += value == 7f ? 1 : 0;
    }
    assertThat(erased % 3).isZero();
    assertThat(erased / 3.0 / 1200).isBetween(0.01, 0.4);
  }

  @Test
  void noiseIsThatOfThePlace() throws DecodeException {
    Pipeline pipeline = Pipeline.parse("normalize=imagenet,random_erasing=1:value=random");
    Picture picture = Picture.random(90, 90, 1);
    byte[] once = Processing.run(pipeline, picture, 1, 2, 3);
    assertThat(Processing.run(pipeline, picture, 1, 2, 3)).isEqualTo(once);
    assertThat(Processing.run(pipeline, picture, 1, 2, 4)).isNotEqualTo(once);
    MemorySegment out = MemorySegment.ofArray(once);
    byte[] plain = Processing.run(Pipeline.parse("normalize=imagenet"), picture, 1, 2, 3);
    MemorySegment whole = MemorySegment.ofArray(plain);
    double sum = 0;
    double squares = 0;
    int n = 0;
    for (int i = 0; i < 3 * 90 * 90; i++) {
      float value = out.get(Processing.FLOAT, 4L * i);
      if (value != whole.get(Processing.FLOAT, 4L * i)) {
        sum += value;
        squares += value * value;
        n++;
      }
    }
    assertThat(n).isGreaterThan(300);
    assertThat(Math.abs(sum / n)).isLessThan(0.25);
    assertThat(squares / n).isBetween(0.7, 1.3);
  }
}
