package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Masks and boxes move as torchvision v2 moves them, and as their image does.
final class PairedGeometryTest {
  private static final int HEIGHT = 29;
  private static final int WIDTH = 37;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = PairedGeometryTest.class.getResourceAsStream("/pairs/" + name)) {
      return in.readAllBytes();
    }
  }

  private static MemorySegment png(String name, Arena arena) throws IOException {
    byte[] bytes = resource(name);
    MemorySegment png = arena.allocate(bytes.length);
    MemorySegment.copy(bytes, 0, png, JAVA_BYTE, 0, bytes.length);
    return png;
  }

  private static JsonNode goldens() throws IOException {
    return JsonMapper.builder().build().readTree(resource("expected.json"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resize=11x13",
        "resize=50x61,flip=1",
        "resize_shorter=20,center_crop=16",
        "center_crop=41x45",
        "vertical_flip=1,center_crop=15x18",
        "center_crop=20x30,resize=31x17,flip=1",
        "rotate=25..25",
        "resize=40x50,rotate=-50..-50,center_crop=30x20,flip=1"
      })
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
      geometry.mask(png("mask.png", arena), 0, 1, slot);
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          assertThat(slot.get(JAVA_BYTE, (long) y * width + x) & 0xff)
              .as("%d, %d", y, x)
              .isEqualTo(mask.get(y).get(x).asInt());
        }
      }
      MemorySegment boxes = boxes(all.path("boxes"), arena);
      geometry.boxes(boxes, all.path("boxes").size(), false);
      for (int i = 0; i < 4 * all.path("boxes").size(); i++) {
        assertThat(boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, i))
            .isCloseTo(
                (float) expected.path("boxes").get(i / 4).get(i % 4).asDouble(), within(1e-4f));
      }
    }
  }

  private static MemorySegment boxes(JsonNode given, Arena arena) {
    MemorySegment boxes = arena.allocate(16L * given.size());
    for (int i = 0; i < 4 * given.size(); i++) {
      boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, i, (float) given.get(i / 4).get(i % 4).asDouble());
    }
    return boxes;
  }

  @Test
  void numbersOfEveryDepthStayAsStored() throws IOException, DecodeException {
    JsonNode stored = goldens().path("stored");
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(Pipeline.parse(""), MemoryBudget.unbounded())) {
      geometry.set(HEIGHT, WIDTH, 0, 0, 0);
      MemorySegment eight = arena.allocate(HEIGHT * WIDTH);
      MemorySegment two = arena.allocate(HEIGHT * WIDTH);
      MemorySegment sixteen = arena.allocate(2L * HEIGHT * WIDTH);
      geometry.mask(png("mask.png", arena), 0, 1, eight);
      geometry.mask(png("small.png", arena), 0, 1, two);
      geometry.mask(png("deep.png", arena), 0, 2, sixteen);
      for (int i = 0; i < HEIGHT * WIDTH; i++) {
        int value = stored.get(i / WIDTH).get(i % WIDTH).asInt();
        assertThat(eight.get(JAVA_BYTE, i) & 0xff).isEqualTo(value);
        assertThat((int) two.get(JAVA_BYTE, i)).isEqualTo(value % 4);
        assertThat(sixteen.get(JAVA_SHORT_UNALIGNED, 2L * i) & 0xffff).isEqualTo(257 * value);
      }
      assertThatThrownBy(() -> geometry.mask(png("deep.png", arena), 0, 1, eight))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("mask:uint16");
    }
  }

  /// Law: an image whose red is its column's number and whose green is its row's, under any crop
  /// and mirroring, and a mask of the same numbers show the same places.
  @Test
  void moveWithTheirImage() throws IOException, DecodeException {
    Pipeline steps = Pipeline.parse("random_crop=9x8,flip,vertical_flip,uint8,hwc");
    byte[] head = "P6\n%d %d\n255\n".formatted(WIDTH, HEIGHT).getBytes(StandardCharsets.US_ASCII);
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(steps, MemoryBudget.unbounded());
        var processor =
            new SampleProcessor(steps, MemoryBudget.unbounded(), SampleProcessor.Options.exact())) {
      JsonNode stored = goldens().path("stored");
      MemorySegment image = arena.allocate(head.length + 3L * WIDTH * HEIGHT);
      MemorySegment.copy(head, 0, image, JAVA_BYTE, 0, head.length);
      for (int i = 0; i < WIDTH * HEIGHT; i++) {
        byte number = (byte) stored.get(i / WIDTH).get(i % WIDTH).asInt();
        image.set(JAVA_BYTE, head.length + 3L * i, number);
        image.set(JAVA_BYTE, head.length + 3L * i + 1, (byte) (i % WIDTH));
        image.set(JAVA_BYTE, head.length + 3L * i + 2, (byte) (i / WIDTH));
      }
      MemorySegment pixels = arena.allocate(3L * 9 * 8);
      MemorySegment mask = arena.allocate(9L * 8);
      MemorySegment box = arena.allocate(16);
      for (long id = 0; id < 50; id++) {
        processor.process(image, 7, 1, id, pixels);
        geometry.set(HEIGHT, WIDTH, 7, 1, id);
        geometry.mask(png("mask.png", arena), 255, 1, mask);
        for (int i = 0; i < 9 * 8; i++) {
          assertThat(mask.get(JAVA_BYTE, i)).isEqualTo(pixels.get(JAVA_BYTE, 3L * i));
        }
        int column = pixels.get(JAVA_BYTE, 3L * 10 + 1); // the pixel at row 1, column 2
        int row = pixels.get(JAVA_BYTE, 3L * 10 + 2);
        for (int i = 0; i < 4; i++) {
          box.setAtIndex(JAVA_FLOAT_UNALIGNED, i, i == 0 ? column : i == 1 ? row : 1);
        }
        geometry.boxes(box, 1, true);
        assertThat(box.toArray(JAVA_FLOAT_UNALIGNED)).containsExactly(2, 1, 1, 1);
      }
    }
  }

  /// Law: under warps that take the nearest pixel, mask and image are the same picture.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rotate=40",
        "random_crop=20x24,rotate=90,flip,resize=20x24",
        "perspective=0.6:interpolation=nearest",
        "rotate=20,vertical_flip,rotate=20,center_crop=19x30",
        "affine=30:translate=0.2/0.1:scale=0.8-1.2"
      })
  void warpsMoveBoth(String spelled) throws IOException, DecodeException {
    Pipeline steps = Pipeline.parse(spelled + ",uint8,hwc");
    byte[] head = "P6\n%d %d\n255\n".formatted(WIDTH, HEIGHT).getBytes(StandardCharsets.US_ASCII);
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(steps, MemoryBudget.unbounded());
        var processor =
            new SampleProcessor(steps, MemoryBudget.unbounded(), SampleProcessor.Options.exact())) {
      JsonNode stored = goldens().path("stored");
      MemorySegment image = arena.allocate(head.length + 3L * WIDTH * HEIGHT);
      MemorySegment.copy(head, 0, image, JAVA_BYTE, 0, head.length);
      for (int i = 0; i < 3 * WIDTH * HEIGHT; i++) {
        int number = stored.get(i / 3 / WIDTH).get(i / 3 % WIDTH).asInt();
        image.set(JAVA_BYTE, head.length + (long) i, (byte) number);
      }
      ImageSize size = steps.outputSize();
      int height = size == null ? HEIGHT : size.height();
      int width = size == null ? WIDTH : size.width();
      MemorySegment pixels = arena.allocate(3L * height * width);
      MemorySegment mask = arena.allocate((long) height * width);
      int shown = 0;
      for (long id = 0; id < 20; id++) {
        processor.process(image, 7, 1, id, pixels);
        geometry.set(HEIGHT, WIDTH, 7, 1, id);
        geometry.mask(png("mask.png", arena), 0, 1, mask);
        for (int i = 0; i < height * width; i++) {
          assertThat(mask.get(JAVA_BYTE, i)).isEqualTo(pixels.get(JAVA_BYTE, 3L * i));
          shown += mask.get(JAVA_BYTE, i) != 0 ? 1 : 0;
        }
      }
      assertThat(shown).isGreaterThan(20 * height * width / 4);
    }
  }

  @Test
  void whatNothingCanFollowIsRefused() {
    assertThatThrownBy(() -> PairedGeometry.requireFollowed(Pipeline.parse("aug_mix,resize=4x4")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("aug_mix");
  }

  @Test
  void aMaskOfAnotherSizeIsRefused() throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        var geometry = new PairedGeometry(Pipeline.parse("resize=4x4"), MemoryBudget.unbounded())) {
      geometry.set(HEIGHT, WIDTH + 1, 0, 0, 0);
      MemorySegment slot = arena.allocate(16);
      assertThatThrownBy(() -> geometry.mask(png("mask.png", arena), 0, 1, slot))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("37 x 29")
          .hasMessageContaining("38 x 29");
    }
  }
}
