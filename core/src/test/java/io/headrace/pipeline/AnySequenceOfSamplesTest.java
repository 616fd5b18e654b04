package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.JpegSurgery;
import io.headrace.testkit.Seeds;
import io.headrace.testkit.Sequences;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: a processor makes of any sequence of images what fresh ones make of each, sample or fault.
final class AnySequenceOfSamplesTest {
  private static final List<String> IMAGES =
      List.of(
          "jpeg/baseline.jpg",
          "jpeg/odd.jpg",
          "jpeg/grey.jpg",
          "jpeg/progressive.jpg",
          "jpeg/restart-rows.jpg",
          "jpeg/restart-blocks.jpg",
          "jpeg/arithmetic.jpg",
          "jpeg/cmyk.jpg",
          "jpeg/orientation-6-mm.jpg",
          "png/type2-08.png",
          "png/type3-04.png",
          "avif/yuv420.avif");

  /// Makes the same crop of every image.
  private static final class Crops implements Sequences.Context {
    private final SampleProcessor processor;

    Crops(boolean upright) {
      processor =
          new SampleProcessor(
              Pipeline.parse("random_resized_crop=24x24,flip,uint8"),
              MemoryBudget.unbounded(),
              new SampleProcessor.Options(true, true, upright, false));
    }

    @Override
    public String outcome(byte[] input) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment slot = arena.allocate(3 * 24 * 24);
        processor.process(arena.allocateFrom(JAVA_BYTE, input), 5, 0, input.length, slot);
        var crc = new CRC32();
        crc.update(slot.asByteBuffer());
        return "%08x".formatted(crc.getValue());
      } catch (DecodeException e) {
        return "fault %s: %s".formatted(e.fault(), e.getMessage());
      }
    }

    @Override
    public void close() {
      processor.close();
    }
  }

  private static List<byte[]> corpus() throws IOException {
    List<byte[]> images = new ArrayList<>();
    for (String name : IMAGES) {
      try (InputStream in = AnySequenceOfSamplesTest.class.getResourceAsStream("/" + name)) {
        byte[] image = Objects.requireNonNull(in, name).readAllBytes();
        images.add(image);
        if (name.startsWith("jpeg")) {
          images.add(JpegSurgery.without(image, 0xc4));
          images.add(JpegSurgery.without(image, 0xdb));
          images.add(Arrays.copyOf(image, image.length - 20));
        }
      }
    }
    return images;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anySequenceGivesWhatFreshOnesGive(boolean upright) throws IOException {
    long seed = Seeds.random().findFirst().orElseThrow();
    int sound = Sequences.check(() -> new Crops(upright), corpus(), seed, 150, 1500);
    assertThat(sound).as("-Dheadrace.seed=%d", seed).isGreaterThan(50);
  }
}
