package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageSize;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.pixels.CodecPixels;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Law: the header of a sample is read once, whichever way its pixels take.
final class HeadersTest {
  @ParameterizedTest
  @CsvSource({
    "false, false, random_resized_crop=32",
    "false, false, resize=64x64",
    "true, false, random_resized_crop=32",
    "true, true, random_resized_crop=32",
    "true, true, center_crop=16",
    "false, true, resize=50x60"
  })
  void aHeaderIsReadOnce(boolean fast, boolean upright, String steps)
      throws IOException, DecodeException {
    var source = new CodecPixels(MemoryBudget.unbounded(), upright); // the processor closes it
    try (Arena arena = Arena.ofConfined();
        var out = new Block(MemoryBudget.unbounded());
        var processor =
            new SampleProcessor(
                Pipeline.parse(steps),
                MemoryBudget.unbounded(),
                fast ? SampleProcessor.Options.fast() : SampleProcessor.Options.exact(),
                source)) {
      long processed = 0;
      for (MemorySegment jpeg : jpegs(arena, out)) {
        ImageSize size = processor.sizeOf(jpeg, MemorySegment.NULL);
        processed++;
        for (int epoch = 0; epoch < 5; epoch++) {
          MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(size).bytes());
          processor.process(jpeg, 1, epoch, processed, slot);
          processed++;
          assertThat(source.headersRead()).isEqualTo(processed);
        }
      }
      assertThat(processed).isEqualTo(7 * 6);
    }
  }

  /// Plain, tiled, turned by what EXIF says, and of other kinds.
  private static List<MemorySegment> jpegs(Arena arena, Block out)
      throws IOException, DecodeException {
    Path photo = Photos.sorted(Photos.sorted(Photos.folder()).getFirst()).getFirst();
    byte[] plain = Files.readAllBytes(photo);
    List<MemorySegment> jpegs = new ArrayList<>();
    jpegs.add(arena.allocateFrom(JAVA_BYTE, plain));
    long bytes = new TiledTranscoder().tile(jpegs.getFirst(), 4, out, new TileTable());
    MemorySegment tiled = arena.allocate(bytes);
    jpegs.add(tiled.copyFrom(out.memory().asSlice(0, bytes)));
    for (String name : List.of("orientation-6-mm", "progressive", "cmyk", "grey", "odd")) {
      try (var in = HeadersTest.class.getResourceAsStream("/jpeg/" + name + ".jpg")) {
        jpegs.add(arena.allocateFrom(JAVA_BYTE, Objects.requireNonNull(in, name).readAllBytes()));
      }
    }
    return jpegs;
  }
}
