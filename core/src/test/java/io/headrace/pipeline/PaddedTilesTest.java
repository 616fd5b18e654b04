package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageSize;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An image whose grid of tiles is wider than itself gives the samples of the image itself.
final class PaddedTilesTest {
  /// 23 MCUs of 16 columns: no number from 3 to 5 divides them.
  private static final int WIDTH = 361;

  private static final int HEIGHT = 150;

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  private MemorySegment plain(Subsampling subsampling) throws DecodeException {
    try (var encoder = new JpegEncoder();
        var block = new Block(MemoryBudget.unbounded())) {
      MemorySegment rgb = arena.allocateFrom(JAVA_BYTE, Picture.random(HEIGHT, WIDTH, 1).rgb());
      long size = encoder.encode(rgb, WIDTH, HEIGHT, 3, 60, subsampling, block);
      return kept(block.memory().asSlice(0, size));
    }
  }

  private MemorySegment kept(MemorySegment bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes.toArray(JAVA_BYTE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "random_resized_crop=32,flip | S420",
        "random_resized_crop=200,flip,normalize=imagenet,chw | S420",
        "random_crop=60x70,flip | S422",
        "resize_shorter=64,center_crop=32 | S420",
        "resize=20x30 | S420",
        "resize=150x361 | S440"
      })
  void sameSamples(String spec, Subsampling subsampling) throws DecodeException {
    MemorySegment jpeg = plain(subsampling);
    try (var out = new Block(MemoryBudget.unbounded())) {
      var tiles = new TileTable();
      long bytes = new TiledTranscoder().tile(jpeg, 4, out, tiles);
      assertThat(tiles.padding()).isPositive();
      MemorySegment padded = kept(out.memory().asSlice(0, bytes));
      MemorySegment table = arena.allocate(tiles.bytes());
      tiles.write(table);
      for (boolean scaling : new boolean[] {false, true}) {
        var options = new SampleProcessor.Options(scaling, true);
        var pipeline = Pipeline.parse(spec);
        try (var one = new SampleProcessor(pipeline, MemoryBudget.unbounded(), options);
            var other = new SampleProcessor(pipeline, MemoryBudget.unbounded(), options)) {
          MemorySegment a =
              arena.allocate(pipeline.outputSpec(new ImageSize(HEIGHT, WIDTH)).bytes());
          MemorySegment b = arena.allocate(a.byteSize());
          for (int i = 0; i < 20; i++) {
            one.process(padded, table, 1, 2, i, a);
            other.process(jpeg, 1, 2, i, b);
            assertThat(a.toArray(JAVA_BYTE)).as("sample %d", i).isEqualTo(b.toArray(JAVA_BYTE));
          }
        }
      }
    }
  }

  @Test
  void theTableOfAnotherImageIsFound() throws DecodeException {
    MemorySegment jpeg = plain(Subsampling.S420);
    try (var out = new Block(MemoryBudget.unbounded());
        var processor =
            new SampleProcessor(
                Pipeline.parse("resize=20x30"),
                MemoryBudget.unbounded(),
                new SampleProcessor.Options(false))) {
      var tiles = new TileTable();
      long bytes = new TiledTranscoder().tile(jpeg, 4, out, tiles);
      assertThat(bytes).isPositive();
      MemorySegment table = arena.allocate(tiles.bytes());
      tiles.write(table);
      MemorySegment slot = arena.allocate(3L * 20 * 30);
      assertThatThrownBy(() -> processor.process(jpeg, table, 1, 2, 3, slot))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("tile table of another jpeg");
    }
  }
}
