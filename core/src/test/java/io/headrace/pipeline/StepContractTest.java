package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.FreshJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws of all steps, checked on the examples of each.
final class StepContractTest {
  /// Vectors are objects until their code is compiled. The JIT may have much else to compile first.
  private static final long MAX_NANOS = 60_000_000_000L;

  private static final int HEIGHT = 260;
  private static final int WIDTH = 300;

  /// Bytes a sample: interpreted, every copied row takes some objects. A picture's rows would take
  /// far more.
  private static final long LITTLE = 3L * HEIGHT * WIDTH;

  private static Stream<String> examples() {
    return Steps.KINDS.stream().flatMap(kind -> kind.examples().stream());
  }

  private static Stream<String> onImages() {
    return Steps.KINDS.stream()
        .filter(kind -> kind.applies() != Applies.SOUND && kind.applies() != Applies.BATCH)
        .flatMap(kind -> kind.examples().stream());
  }

  private static Stream<String> onPixels() {
    return onImages().filter(example -> Steps.parse(example) instanceof PixelStep);
  }

  /// {@return an image without black and white, so that steps that stretch it change it}
  private static Picture picture(long seed) {
    byte[] rgb = Picture.random(HEIGHT, WIDTH, seed).rgb();
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (40 + (rgb[i] & 0x7f));
    }
    return new Picture(HEIGHT, WIDTH, rgb);
  }

  @Test
  void everyKindIsNamedOnce() {
    assertThat(Steps.KINDS.stream().map(StepKind::name)).doesNotHaveDuplicates();
    for (StepKind kind : Steps.KINDS) {
      assertThat(kind.examples()).as(kind.name()).isNotEmpty();
      assertThat(kind.form()).startsWith(kind.name());
      assertThat(kind.help()).as(kind.name()).endsWith(".").doesNotContain("\n");
    }
  }

  /// Law: the text form comes back, and belongs to the kind.
  @ParameterizedTest
  @MethodSource("examples")
  void textComesBack(String example) {
    Step step = Steps.parse(example);
    assertThat(step.spec()).isEqualTo(example);
    assertThat(Steps.parse(step.spec())).isEqualTo(step);
    assertThat(example).matches("\\Q" + step.kind().name() + "\\E(=.*)?");
  }

  /// Law: no option is passed over.
  @ParameterizedTest
  @MethodSource("examples")
  void unknownOptionsAreRefused(String example) {
    String more = example + (example.contains("=") ? ":" : "=") + "bogus=1";
    assertThatThrownBy(() -> Steps.parse(more)).isInstanceOf(ConfigException.class);
  }

  /// Law: a step draws numbers if and only if it says so, and the same at the same place.
  @ParameterizedTest
  @MethodSource("onPixels")
  void drawsAreThoseOfThePlace(String example) throws DecodeException {
    Step step = Steps.parse(example);
    var fresh = new CounterRandom();
    fresh.reset(1, 2, 3);
    assertThat(nextAfter(step) != fresh.nextLong()).isEqualTo(step.random());
    assertThat(step.kind().draws().isEmpty() && step.random()).isFalse();
    assertThat(nextAfter(step)).isEqualTo(nextAfter(step));
  }

  /// {@return the number that comes after those that a step draws}
  private static long nextAfter(Step step) throws DecodeException {
    var random = new CounterRandom();
    random.reset(1, 2, 3);
    new Plan(List.of(step)).set(HEIGHT, WIDTH, random);
    return random.nextLong();
  }

  /// Law: pixels are the same at the same place, whatever the processor did before; nothing is
  /// written outside the sample, and all of the sample is written.
  @ParameterizedTest
  @MethodSource("onImages")
  void pixelsAreThoseOfThePlace(String example) throws DecodeException {
    Pipeline pipeline = Pipeline.parse(example);
    Picture picture = picture(1);
    var size = new ImageSize(HEIGHT, WIDTH);
    int bytes = (int) pipeline.outputSpec(size).bytes();
    try (Arena arena = Arena.ofConfined();
        var used = processor(pipeline)) {
      MemorySegment encoded = FakePixels.encode(arena, picture);
      MemorySegment around = arena.allocate(bytes + 128L);
      for (int id = 0; id < 3; id++) {
        byte[] zeros = sample(used, encoded, id, around, bytes, 0);
        byte[] ones = sample(used, encoded, id, around, bytes, 0xff);
        assertThat(zeros).as("sample %d", id).isEqualTo(ones);
        try (var fresh = processor(pipeline)) {
          assertThat(sample(fresh, encoded, id, around, bytes, 7)).isEqualTo(zeros);
        }
      }
    }
  }

  private static byte[] sample(
      SampleProcessor processor,
      MemorySegment encoded,
      long id,
      MemorySegment around,
      int bytes,
      int fill)
      throws DecodeException {
    around.fill((byte) fill);
    processor.process(encoded, 5, 1, id, around.asSlice(64, bytes));
    byte[] all = around.toArray(JAVA_BYTE);
    byte[] edge = new byte[64];
    Arrays.fill(edge, (byte) fill);
    assertThat(Arrays.copyOf(all, 64)).isEqualTo(edge);
    assertThat(Arrays.copyOfRange(all, 64 + bytes, all.length)).isEqualTo(edge);
    return Arrays.copyOfRange(all, 64, 64 + bytes);
  }

  /// Law: another epoch draws other numbers.
  @ParameterizedTest
  @MethodSource("onPixels")
  void epochsDiffer(String example) throws DecodeException {
    Pipeline pipeline = Pipeline.parse(example);
    Picture picture = picture(2);
    Set<Integer> seen = new HashSet<>();
    for (int epoch = 0; epoch < 6; epoch++) {
      seen.add(Arrays.hashCode(Processing.run(pipeline, picture, 1, epoch, 3)));
    }
    if (pipeline.steps().getFirst().random() && !pipeline.takesBoxes()) { // there are none
      assertThat(seen).hasSizeGreaterThan(1);
    } else {
      assertThat(seen).hasSize(1);
    }
  }

  /// Law: the size that is foretold is the size that comes out, and what keeps an image does so.
  @ParameterizedTest
  @MethodSource("onPixels")
  void sizesAreForetold(String example) throws DecodeException {
    var step = (PixelStep) Steps.parse(example);
    var plan = new Plan(List.of(step));
    plan.set(HEIGHT, WIDTH, new CounterRandom());
    ImageSize size = step.size(new ImageSize(HEIGHT, WIDTH));
    if (size != null) { // else it depends on the image
      assertThat(size).isEqualTo(new ImageSize(plan.height(), plan.width()));
    }
    if (step.keeps(HEIGHT, WIDTH)) {
      Picture picture = picture(4);
      assertThat(Processing.run(example, picture)).isEqualTo(picture.rgb());
    }
  }

  /// Law: an effect before a crop and a flip gives what it gives when it is done first and kept.
  @ParameterizedTest
  @MethodSource("onPixels")
  void whatIsDoneLaterGivesTheSame(String example) throws DecodeException {
    Picture picture = picture(5);
    Pipeline first = Pipeline.parse(example);
    List<Integer> shape = first.outputSpec(new ImageSize(HEIGHT, WIDTH)).shape();
    String rest = "center_crop=100x90,flip=1,vertical_flip=1,resize=50x60";
    byte[] done = Processing.run(first, picture, 1, 0, 7);
    var kept = new Picture(shape.get(0), shape.get(1), done);
    assertThat(Processing.run(Pipeline.parse(example + "," + rest), picture, 1, 0, 7))
        .isEqualTo(Processing.run(rest, kept));
  }

  /// Law: once the processor has seen some images, and vectors are compiled, samples leave no
  /// garbage but a few small objects.
  @Test
  void samplesLeaveNoGarbage() throws IOException {
    List<String> lines = FreshJvm.run(StepContractTest.class).lines().toList();
    assertThat(lines).hasSize((int) onImages().count());
    assertThat(lines)
        .as("example: bytes a sample")
        .filteredOn(line -> bytes(line) >= LITTLE)
        .isEmpty();
  }

  private static long bytes(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }

  /// Prints the bytes of garbage that a sample makes with each example.
  public static void main(String[] args) throws DecodeException {
    for (String example : onImages().toList()) {
      System.out.println(example + ": " + garbage(example));
    }
  }

  private static long garbage(String example) throws DecodeException {
    Pipeline pipeline = Pipeline.parse(example);
    Picture picture = picture(6);
    try (Arena arena = Arena.ofConfined();
        var processor = processor(pipeline)) {
      MemorySegment encoded = FakePixels.encode(arena, picture);
      var size = new ImageSize(HEIGHT, WIDTH);
      MemorySegment slot = arena.allocate(pipeline.outputSpec(size).bytes());
      for (int id = 0; id < 8; id++) {
        processor.process(encoded, 1, 0, id, slot);
      }
      long least = Long.MAX_VALUE;
      long start = System.nanoTime();
      while (least >= LITTLE && System.nanoTime() - start < MAX_NANOS) {
        long before = Allocations.ofThisThread();
        for (int id = 0; id < 5; id++) {
          processor.process(encoded, 1, 0, id, slot);
        }
        least = Math.min(least, (Allocations.ofThisThread() - before) / 5);
      }
      return least;
    }
  }

  private static SampleProcessor processor(Pipeline pipeline) {
    return new SampleProcessor(
        pipeline, MemoryBudget.unbounded(), SampleProcessor.Options.exact(), new FakePixels(false));
  }
}
