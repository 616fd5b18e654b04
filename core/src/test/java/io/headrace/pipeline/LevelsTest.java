package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.tiles.Pyramid;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.step.Plan;
import io.headrace.random.CounterRandom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which level of a pyramid is chosen, and what comes out of it.
final class LevelsTest {
  private static final Pipeline PIPELINE =
      Pipeline.parse("random_resized_crop=48:area=0.02-1,flip");

  /// Law: the choice is that of [Region#scaleFor] for the crop that will be drawn.
  @Test
  void theSmallestLevelThatSuffices() throws DecodeException {
    var chooser = new LevelChooser(PIPELINE, 5, 2);
    var plan = new Plan(PIPELINE.steps());
    var random = new CounterRandom();
    int[] chosen = new int[4];
    for (long id = 0; id < 300; id++) {
      int height = 100 + (int) (id * 7 % 900);
      int width = 120 + (int) (id * 13 % 1100);
      random.reset(5, 2, id);
      plan.set(height, width, random);
      Stage first = plan.stage(0);
      var crop = new Region(first.boxTop, first.boxLeft, first.boxHeight, first.boxWidth);
      JpegScale level = crop.scaleFor(first.resizedHeight, first.resizedWidth);
      int found = chooser.choose(id, height, width, 4);
      assertThat(8 >> (3 - found)).isEqualTo(level.eighths());
      chosen[found]++;
      assertThat(chooser.choose(id, height, width, 2)).isEqualTo(found == 3 ? 1 : 0);
      assertThat(chooser.choose(id, height, width, 1)).isZero();
    }
    assertThat(chosen).doesNotContain(0);
  }

  @ParameterizedTest
  @CsvSource({"0,10", "10,0", "-5,10", "40000,10", "10,2147483647"})
  void anIndexThatCannotBeRightReadsTheImageItself(int height, int width) {
    assertThat(new LevelChooser(PIPELINE, 0, 0).choose(1, height, width, 4)).isEqualTo(3);
  }

  @Test
  void whatCannotBeCroppedReadsTheImageItself() {
    var chooser = new LevelChooser(Pipeline.parse("random_crop=64,resize=8x8"), 0, 0);
    assertThat(chooser.choose(1, 32, 500, 4)).isEqualTo(3);
  }

  /// Law: a level is processed as if the image had been halved while being decoded; every size.
  @ParameterizedTest
  @CsvSource({"520,776", "511,513", "400,651", "513,1025"})
  void levelsGiveTheSamePicture(int height, int width) throws DecodeException {
    Picture picture = Picture.smooth(height, width);
    var pipeline = Pipeline.parse("random_resized_crop=40:area=0.5-1,flip");
    var budget = MemoryBudget.unbounded();
    try (Arena arena = Arena.ofConfined();
        var pyramid = new Pyramid(budget);
        var jpeg = new Block(budget);
        var sample = new Sample(new Block(budget));
        var fast = new SampleProcessor(pipeline, budget, SampleProcessor.Options.fast());
        var plain = new FakePixels(false);
        var exact = new SampleProcessor(pipeline, budget, SampleProcessor.Options.exact(), plain)) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, picture.rgb());
      MemorySegment slot = arena.allocate(3L * 40 * 40);
      MemorySegment expected = arena.allocate(3L * 40 * 40);
      for (int halvings = 1; halvings <= 3; halvings++) {
        var table = new TileTable();
        var scale = new JpegScale(8 >> halvings);
        long bytes = pyramid.make(rgb, height, width, scale, 98, jpeg, table);
        place(sample, jpeg.memory().asSlice(0, bytes), table);
        sample.level(3 - halvings, 4, height, width);
        for (int epoch = 0; epoch < 4; epoch++) {
          fast.process(sample, 3, epoch, slot);
          exact.process(FakePixels.encode(arena, picture), 3, epoch, sample.id(), expected);
          assertThat(mean(slot, expected)).as("%d halvings", halvings).isLessThan(3.0);
        }
        sample.level(3 - halvings, 4, height + 8, width);
        assertThatThrownBy(() -> fast.process(sample, 3, 0, slot))
            .isInstanceOf(DecodeException.class)
            .hasMessageContaining("a level of");
      }
    }
  }

  private static void place(Sample sample, MemorySegment jpeg, TileTable table)
      throws DecodeException {
    sample.place("made", 0, 0);
    sample.key("made");
    MemorySegment memory = sample.ensure(jpeg.byteSize() + table.bytes());
    MemorySegment.copy(jpeg, 0, memory, 0, jpeg.byteSize());
    table.write(memory.asSlice(jpeg.byteSize(), table.bytes()));
    sample.encoded(0, jpeg.byteSize());
    sample.tiles(jpeg.byteSize(), table.bytes());
  }

  /// {@return mean difference of two pictures, in steps of 256}
  private static double mean(MemorySegment a, MemorySegment b) {
    long sum = 0;
    for (long i = 0; i < a.byteSize(); i++) {
      sum += Math.abs((a.get(JAVA_BYTE, i) & 0xff) - (b.get(JAVA_BYTE, i) & 0xff));
    }
    return (double) sum / a.byteSize();
  }
}
