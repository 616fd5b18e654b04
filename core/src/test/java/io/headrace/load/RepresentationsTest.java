package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same samples come out of every representation that keeps the pixels.
final class RepresentationsTest {
  @TempDir static Path shared;
  private static Path photos = Path.of(".");
  private static String expected = "";

  @BeforeAll
  static void load() throws IOException {
    photos = Photos.few(shared.resolve("photos"), 3, 5);
    expected = digest(photos);
  }

  private static String digest(Path path) throws IOException {
    var options =
        LoadOptions.builder().batchSize(4).seed(3).digest(true).decoding(Decoding.EXACT).build();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse("train"), options);
        Epoch epoch = loader.epoch(1)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      EpochReport report = epoch.report();
      assertThat(report.delivered()).isEqualTo(15);
      return report.digest();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "race, keep",
    "race:blobs=zstd:3, tiled",
    "race, progressive",
    "race, pyramid",
    "race, packed",
    "race:blobs=zstd:3, packed:2",
    "race, mix:1*packed:3+1*tiled",
    "tfrecord, tiled:8",
    "folder, baseline:standard",
    "race, mix:1*tiled+1*progressive"
  })
  void samePixels(String packing, String encoding, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("t");
    try (Dataset dataset = Datasets.open(photos)) {
      Representation to = Representation.of(packing, "none", encoding, "keep");
      new Converter(dataset, ConvertOptions.of(target, to, 3)).run();
    }
    assertThat(digest(target)).isEqualTo(expected);
  }
}
