package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.Resampler;
import io.headrace.pipeline.resize.ResamplerGoldenTest;
import io.headrace.testkit.Allocations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SampleProcessorTest {
  private static final String TRAIN = "random_resized_crop=32,flip,normalize=imagenet,float16,chw";

  private static SampleProcessor processor(String spec, boolean dctScaling, FakePixels pixels) {
    return new SampleProcessor(
        Pipeline.parse(spec),
        MemoryBudget.unbounded(),
        new SampleProcessor.Options(dctScaling),
        pixels);
  }

  /// Law: what was processed before does not show.
  @Test
  void reuseDoesNotShow() throws DecodeException {
    String[] specs = {
      TRAIN, "resize_shorter=20,center_crop=48", "center_crop=24,chw", "resize=9x7,resize=30x31,hwc"
    };
    for (String spec : specs) {
      try (Arena arena = Arena.ofConfined();
          var reused = processor(spec, false, new FakePixels(false))) {
        for (int i = 0; i < 40; i++) {
          Picture picture = Picture.random(1 + i * 31 % 90, 1 + i * 17 % 70, i);
          assertThat(Processing.run(reused, arena, picture, 1, 2, i))
              .as("%s, image %d", spec, i)
              .isEqualTo(Processing.run(Pipeline.parse(spec), picture, 1, 2, i));
        }
        assertThat(reused.decodeNanos()).isPositive();
        assertThat(reused.transformNanos()).isPositive();
      }
    }
  }

  @Test
  void steadyStateMakesNoGarbage() throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var processor = processor(TRAIN, false, new FakePixels(false))) {
      MemorySegment image = FakePixels.encode(arena, Picture.random(60, 80, 1));
      MemorySegment slot = arena.allocate(processor.pipeline().outputSpec().bytes());
      for (int i = 0; i < 5000; i++) {
        processor.process(image, 1, 0, i, slot);
      }
      int n = 2000;
      long before = Allocations.ofThisThread();
      for (int i = 0; i < n; i++) {
        processor.process(image, 2, 0, i, slot);
      }
      long perImage = (Allocations.ofThisThread() - before) / n;
      assertThat(perImage).as("bytes an image").isLessThan(200);
    }
  }

  @Test
  void slotMustFit() throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var processor = processor("resize=4x4", false, new FakePixels(false))) {
      MemorySegment image = FakePixels.encode(arena, Picture.blank(5, 5));
      assertThatThrownBy(() -> processor.process(image, 0, 0, 0, arena.allocate(49)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("slot of 49 bytes for a sample of 48");
    }
  }

  @Test
  void largeImagesAreWithinTheBudget() {
    try (Arena arena = Arena.ofConfined();
        var processor =
            new SampleProcessor(
                Pipeline.parse("resize=4x4"),
                new MemoryBudget(10_000),
                SampleProcessor.Options.exact(),
                new FakePixels(false))) {
      MemorySegment header = arena.allocate(8);
      header.set(JAVA_INT, 0, 60_000);
      header.set(JAVA_INT, 4, 60_000);
      assertThatThrownBy(() -> processor.process(header, 0, 0, 0, arena.allocate(48)))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("needs 10800000000 bytes");
      assertThatThrownBy(() -> processor.process(arena.allocate(2), 0, 0, 0, header))
          .isInstanceOf(DecodeException.class)
          .hasMessage("no header");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "resize=32x32, 512, 600, 1",
    "resize=32x32, 255, 600, 2",
    "resize=32x32, 64, 64, 4",
    "resize=32x32, 64, 63, 8",
    "resize=32x32, 20, 900, 8",
    "center_crop=32, 900, 900, 8",
    "'resize_shorter=40,center_crop=32', 330, 500, 1",
    "'resize_shorter=40,center_crop=32,chw', 319, 500, 2",
    "'center_crop=200,resize=100x100', 900, 900, 4"
  })
  void dctScaling(String spec, int height, int width, int eighths) throws DecodeException {
    Picture picture = Picture.smooth(height, width);
    var pixels = new FakePixels(true);
    try (Arena arena = Arena.ofConfined();
        var scaling = processor(spec, true, pixels)) {
      byte[] scaled = Processing.run(scaling, arena, picture, 1, 2, 3);
      assertThat(pixels.lastEighths).isEqualTo(eighths);
      byte[] exact = Processing.run(spec, picture);
      assertThat(ResamplerGoldenTest.greatestDifference(scaled, exact)).isLessThan(12);
    }
  }

  @Test
  void dctScalingKeepsBoxesInside() throws DecodeException {
    var pixels = new FakePixels(true);
    try (Arena arena = Arena.ofConfined();
        var scaling = processor("random_resized_crop=8:area=0.01-1,flip", true, pixels)) {
      for (int i = 0; i < 500; i++) {
        Picture picture = Picture.smooth(1 + i * 7 % 97, 1 + i * 13 % 89);
        byte[] sample = Processing.run(scaling, arena, picture, 1, 2, i);
        assertThat(sample).hasSize(8 * 8 * 3);
      }
    }
  }

  @Test
  void resamplerChecksItsSegments() {
    var resampler = new Resampler();
    var four = new ImageSize(4, 4);
    MemorySegment enough = MemorySegment.ofArray(new byte[48]);
    MemorySegment less = MemorySegment.ofArray(new byte[47]);
    assertThatThrownBy(() -> resampler.resize(less, four, enough, four))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> resampler.resize(enough, four, less, four))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(
            () -> resampler.resize(enough, four, 1, 0, four, enough, new ImageSize(1, 1)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    resampler.resize(enough, four, 3, 3, new ImageSize(1, 1), enough.asSlice(0, 3), one());
    assertThat(enough.get(JAVA_BYTE, 0)).isZero();
  }

  private static ImageSize one() {
    return new ImageSize(1, 1);
  }
}
