package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.codec.ImageSize;
import io.headrace.codec.images.ImageCodecs;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.images.Pictures;
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
  private static final List<String> ENCODINGS =
      List.of("webp:80", "avif:60", "png", "qoi", "lossless", "bmp", "ppm", "raw");

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
      List<MemorySegment> images = images(arena, out);
      for (MemorySegment image : images) {
        ImageSize size = processor.sizeOf(image, MemorySegment.NULL);
        processed++;
        for (int epoch = 0; epoch < 5; epoch++) {
          MemorySegment slot = arena.allocate(processor.pipeline().outputSpec(size).bytes());
          processor.process(image, 1, epoch, processed, slot);
          processed++;
          assertThat(source.headersRead()).isEqualTo(processed);
        }
      }
      assertThat(images).hasSize(7 + ENCODINGS.size());
      assertThat(processed).isEqualTo(6L * images.size());
    }
  }

  /// JPEGs plain, tiled, turned by what EXIF says, and of other kinds; then other formats.
  private static List<MemorySegment> images(Arena arena, Block out)
      throws IOException, DecodeException {
    Path photo = Photos.sorted(Photos.sorted(Photos.folder()).getFirst()).getFirst();
    byte[] plain = Files.readAllBytes(photo);
    List<MemorySegment> images = new ArrayList<>();
    images.add(arena.allocateFrom(JAVA_BYTE, plain));
    long bytes = new TiledTranscoder().tile(images.getFirst(), 4, out, new TileTable());
    MemorySegment tiled = arena.allocate(bytes);
    images.add(tiled.copyFrom(out.memory().asSlice(0, bytes)));
    for (String name : List.of("orientation-6-mm", "progressive", "cmyk", "grey", "odd")) {
      try (var in = HeadersTest.class.getResourceAsStream("/jpeg/" + name + ".jpg")) {
        images.add(arena.allocateFrom(JAVA_BYTE, Objects.requireNonNull(in, name).readAllBytes()));
      }
    }
    MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, Pictures.smooth(72, 66, 3));
    try (var encoder = new ImageEncoder()) {
      for (String encoding : ENCODINGS) {
        bytes = encoder.encode(rgb, 72, 66, 3, ImageCodecs.parse(encoding), out);
        images.add(arena.allocate(bytes).copyFrom(out.memory().asSlice(0, bytes)));
      }
    }
    return images;
  }
}
