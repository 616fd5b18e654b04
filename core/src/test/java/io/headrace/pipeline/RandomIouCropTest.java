package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.step.Boxes;
import io.headrace.pipeline.step.Plan;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// SSD's crops are those of torchvision for the same draws, and so are the boxes after them.
final class RandomIouCropTest {
  @Test
  void windowsAndBoxesAreThoseOfTorchvision() throws IOException, DecodeException {
    JsonNode all;
    try (InputStream in = getClass().getResourceAsStream("/pairs/iou-crops.json")) {
      all = JsonMapper.builder().build().readTree(in);
    }
    int height = all.path("height").asInt();
    int width = all.path("width").asInt();
    Pipeline steps = Pipeline.parse("random_iou_crop");
    var boxes = new Boxes();
    var plan = new Plan(steps.steps());
    plan.boxes(boxes);
    var random = new CounterRandom();
    int cropped = 0;
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(steps, MemoryBudget.unbounded())) {
      geometry.boxes(boxes);
      for (int id = 0; id < all.path("results").size(); id++) {
        JsonNode expected = all.path("results").get(id);
        int count = expected.path("boxes").size();
        MemorySegment moved = arena.allocate(16L * count);
        float[] edges = boxes.begin(count);
        for (int i = 0; i < 4 * count; i++) {
          edges[i] = (float) all.path("boxes").get(i / 4).get(i % 4).asDouble();
          moved.setAtIndex(JAVA_FLOAT_UNALIGNED, i, edges[i]);
        }
        random.reset(1, 2, id);
        plan.set(height, width, random);
        assertThat(plan.height()).as("%d", id).isEqualTo(expected.path("size").get(0).asInt());
        assertThat(plan.width()).as("%d", id).isEqualTo(expected.path("size").get(1).asInt());
        assertThat(random.nextLong()).as("%d", id).isEqualTo(after(id, expected));
        cropped += plan.width() < width ? 1 : 0;
        geometry.set(height, width, 1, 2, id);
        geometry.boxes(moved, count, false);
        for (int i = 0; i < 4 * count; i++) {
          assertThat(moved.getAtIndex(JAVA_FLOAT_UNALIGNED, i))
              .as("%d, number %d", id, i)
              .isCloseTo(
                  (float) expected.path("boxes").get(i / 4).get(i % 4).asDouble(), within(1e-4f));
        }
      }
    }
    assertThat(cropped).isBetween(20, 59);
  }

  /// {@return the draw after as many as torchvision took}
  private static long after(int id, JsonNode expected) {
    var random = new CounterRandom();
    random.reset(1, 2, id);
    for (int i = 0; i < expected.path("draws").asInt(); i++) {
      random.nextLong();
    }
    return random.nextLong();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flip,random_iou_crop",
        "random_iou_crop=overlaps=0.1/0.5",
        "random_iou_crop=scale=0-1",
        "random_iou_crop=tries=0",
        "views=1",
        "views=2,flip,views=3",
        "views=2,resize=8x8,mixup=1"
      })
  void whatMakesNoSenseIsRefused(String steps) {
    assertThatThrownBy(() -> Pipeline.parse(steps))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(steps.contains("views") ? "views" : "random_iou_crop");
  }
}
