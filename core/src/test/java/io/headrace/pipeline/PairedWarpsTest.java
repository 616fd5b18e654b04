package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
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
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Masks, boxes and points are warped as torchvision v2 warps them, and as their image is.
final class PairedWarpsTest {
  private static final int HEIGHT = 29;
  private static final int WIDTH = 37;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PairedWarpsTest.class.getResourceAsStream("/pairs/" + name))) {
      return in.readAllBytes();
    }
  }

  private static JsonNode goldens() throws IOException {
    return JsonMapper.builder().build().readTree(resource("warps.json"));
  }

  private static List<String> sequences() throws IOException {
    return List.copyOf(goldens().path("expected").propertyNames());
  }

  private static MemorySegment mask(Arena arena) throws IOException {
    return arena.allocateFrom(JAVA_BYTE, resource("mask.png"));
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void asTorchvision(String steps) throws IOException, DecodeException {
    JsonNode all = goldens();
    JsonNode expected = all.path("expected").path(steps);
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(Pipeline.parse(steps), MemoryBudget.unbounded())) {
      geometry.set(HEIGHT, WIDTH, 1, 2, 3);
      JsonNode mask = expected.path("mask");
      int height = mask.size();
      int width = mask.get(0).size();
      MemorySegment slot = arena.allocate((long) height * width);
      geometry.mask(mask(arena), 0, 1, slot);
      int other = 0;
      for (int i = 0; i < height * width; i++) {
        int value = mask.get(i / width).get(i % width).asInt();
        other += (slot.get(JAVA_BYTE, i) & 0xff) == value ? 0 : 1;
      }
      assertThat(other).as("pixels that lie between two").isLessThanOrEqualTo(1);
      MemorySegment boxes = numbers(all.path("boxes"), 4, arena);
      geometry.boxes(boxes, all.path("boxes").size(), false);
      same(boxes, expected.path("boxes"), 4);
      MemorySegment points = numbers(all.path("points"), 2, arena);
      int count = all.path("points").size();
      assertThat(geometry.points(points, count, 2, false)).isEqualTo(count);
      for (int i = 0; i < count; i++) { // as ClampKeyPoints
        double x = Math.clamp(expected.path("points").get(i).get(0).asDouble(), 0, width - 1.0);
        double y = Math.clamp(expected.path("points").get(i).get(1).asDouble(), 0, height - 1.0);
        float column = points.getAtIndex(JAVA_FLOAT_UNALIGNED, 2L * i);
        float row = points.getAtIndex(JAVA_FLOAT_UNALIGNED, 2L * i + 1);
        assertThat((double) column).isCloseTo(x, within(1e-3));
        assertThat((double) row).isCloseTo(y, within(1e-3));
      }
    }
  }

  private static MemorySegment numbers(JsonNode given, int each, Arena arena) {
    MemorySegment numbers = arena.allocate(4L * each * given.size());
    for (int i = 0; i < each * given.size(); i++) {
      double number = given.get(i / each).get(i % each).asDouble();
      numbers.setAtIndex(JAVA_FLOAT_UNALIGNED, i, (float) number);
    }
    return numbers;
  }

  private static void same(MemorySegment numbers, JsonNode expected, int each) {
    for (int i = 0; i < each * expected.size(); i++) {
      assertThat((double) numbers.getAtIndex(JAVA_FLOAT_UNALIGNED, i))
          .as("number %d of row %d", i % each, i / each)
          .isCloseTo(expected.get(i / each).get(i % each).asDouble(), within(1e-3));
    }
  }

  /// Law: a picture whose red is the mask's number, warped to its nearest pixels by any policy, and
  /// the mask show the same.
  @Test
  void policiesAreFollowed() throws IOException, DecodeException {
    Pipeline steps =
        Pipeline.parse("random_crop=20x25,flip,rotate=90,affine=20:shear=9:translate=0.1/0.2");
    byte[] head = "P6\n%d %d\n255\n".formatted(WIDTH, HEIGHT).getBytes(US_ASCII);
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(steps, MemoryBudget.unbounded());
        var whole = new PairedGeometry(Pipeline.parse(""), MemoryBudget.unbounded());
        var processor =
            new SampleProcessor(steps, MemoryBudget.unbounded(), SampleProcessor.Options.exact())) {
      MemorySegment stored = arena.allocate((long) WIDTH * HEIGHT);
      whole.set(HEIGHT, WIDTH, 0, 0, 0);
      whole.mask(mask(arena), 0, 1, stored);
      MemorySegment image = arena.allocate(head.length + 3L * WIDTH * HEIGHT);
      MemorySegment.copy(head, 0, image, JAVA_BYTE, 0, head.length);
      for (int i = 0; i < WIDTH * HEIGHT; i++) {
        image.set(JAVA_BYTE, head.length + 3L * i, stored.get(JAVA_BYTE, i));
      }
      MemorySegment pixels = arena.allocate(3L * 20 * 25);
      MemorySegment mask = arena.allocate(20L * 25);
      for (long id = 0; id < 30; id++) {
        processor.process(image, 7, 1, id, pixels);
        geometry.set(HEIGHT, WIDTH, 7, 1, id);
        geometry.mask(mask(arena), 0, 1, mask);
        for (int i = 0; i < 20 * 25; i++) {
          assertThat(mask.get(JAVA_BYTE, i)).isEqualTo(pixels.get(JAVA_BYTE, 3L * i));
        }
      }
    }
  }

  @Test
  void whatIsOutsideIsLeftOutAndCounted() throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var geometry =
            new PairedGeometry(Pipeline.parse("center_crop=9x17"), MemoryBudget.unbounded())) {
      geometry.set(HEIGHT, WIDTH, 0, 0, 0); // rows 10 to 19, columns 10 to 27
      float[] given = {0, 0, 5, 5, 10, 10, 20, 19, 0, 10, 20, 20, 11, 11, 11, 15};
      MemorySegment boxes = arena.allocate(4L * given.length);
      MemorySegment.copy(given, 0, boxes, JAVA_FLOAT_UNALIGNED, 0, given.length);
      assertThat(geometry.boxes(boxes, 4, false, 0.4)).isEqualTo(2);
      assertThat(geometry.kept(0)).isEqualTo(1);
      assertThat(geometry.kept(1)).isEqualTo(2); // 90 of 200
      assertThat(boxes.asSlice(0, 32).toArray(JAVA_FLOAT_UNALIGNED))
          .containsExactly(0, 0, 10, 9, 0, 0, 10, 9);
      assertThat(geometry.dropped()).isEqualTo(2);
      MemorySegment.copy(given, 0, boxes, JAVA_FLOAT_UNALIGNED, 0, given.length);
      assertThat(geometry.boxes(boxes, 4, false, 0.5)).isEqualTo(1);
      float[] places = {3, 4, 1, 12, 13, 2};
      MemorySegment points = arena.allocate(24);
      MemorySegment.copy(places, 0, points, JAVA_FLOAT_UNALIGNED, 0, 6);
      assertThat(geometry.points(points, 2, 3, true)).isEqualTo(1);
      assertThat(geometry.kept(0)).isEqualTo(1);
      assertThat(points.asSlice(0, 12).toArray(JAVA_FLOAT_UNALIGNED)).containsExactly(2, 3, 2);
    }
  }

  @Test
  void whatCannotBeFollowedIsRefused() {
    assertThatThrownBy(
            () ->
                PairedGeometry.requireFollowed(
                    Pipeline.parse("decode,resize=9x9,flip").after("decode,resize=9x9")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("step 'resize=9x9', done ahead");
    assertThatThrownBy(() -> PairedGeometry.requireFollowed(Pipeline.parse("aug_mix")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'aug_mix': masks and boxes do not follow it");
    PairedGeometry.requireFollowed(Pipeline.parse("trivial_augment,rotate=9"));
  }
}
