package io.headrace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.convert.Verifier;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other people's datasets, written as folders, are read as what they were.
final class FolderExportTest {
  private record Row(String key, long label, long bytes) {}

  /// @return samples that cannot be read
  private static int read(Dataset dataset, List<Row> rows) throws IOException {
    return Fixtures.stream(
            dataset,
            sample -> rows.add(new Row(sample.key(), sample.label(), sample.encodedBytes())))
        .size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parquet/hf",
        "parquet/plain/none.parquet",
        "parquet/plain/zstd.parquet",
        "mds/plain",
        "mds/packed-zstd",
        "mds/pil",
        "pcr/advanced",
        "pcr/tensorflow"
      })
  void everyContainerComesBackFromAFolder(String name, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    List<Row> before = new ArrayList<>();
    List<String> classes;
    try (Dataset dataset = Datasets.open(Fixtures.path(name))) {
      int faults = read(dataset, before);
      classes = dataset.classes();
      var options =
          new ConvertOptions(
              target,
              "data",
              Representation.of("folder", "none", "keep", "keep"),
              3,
              false,
              0,
              2,
              true,
              1L << 28);
      assertThat(new Converter(dataset, options).run().skipped()).hasSize(faults);
    }
    assertThat(before).isNotEmpty();
    try (Dataset dataset = Datasets.open(target)) {
      List<Row> after = new ArrayList<>();
      assertThat(read(dataset, after)).isZero();
      assertThat(after).isEqualTo(before);
      assertThat(dataset.classes()).isEqualTo(classes);
      assertThat(dataset.warnings()).isEmpty();
      assertThat(Verifier.verify(dataset, true).faults()).isEmpty();
    }
    Files.delete(target.resolve("dataset.json")); // lost on the way
    try (Dataset dataset = Datasets.open(target)) {
      assertThat(dataset.size()).isEqualTo(before.size());
    }
  }
}
