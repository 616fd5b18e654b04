package io.headrace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other people's datasets, written as folders, are read as what they were.
final class FolderExportTest {
  private record Row(String key, long label, long bytes, Map<String, Integer> fields) {}

  /// @return samples that cannot be read
  private static int read(Dataset dataset, List<Row> rows) throws IOException {
    return Fixtures.stream(
            dataset,
            sample -> {
              Map<String, Integer> fields = new TreeMap<>();
              for (int f = 0; f < sample.fields(); f++) {
                byte[] value = sample.field(f).toArray(ValueLayout.JAVA_BYTE);
                fields.put(sample.fieldName(f) + sample.isFeature(f), Arrays.hashCode(value));
              }
              rows.add(new Row(sample.key(), sample.label(), sample.encodedBytes(), fields));
            })
        .size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parquet/hf",
        "parquet/plain/none.parquet",
        "parquet/plain/zstd.parquet",
        "arrow/nested.arrow",
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
    try (var files = Files.walk(target); // of a field
        Dataset dataset = Datasets.open(target)) {
      Path field =
          files.filter(f -> f.toString().matches(".*\\.jpg\\..*")).findFirst().orElse(null);
      assertThat(field == null).isEqualTo(before.stream().allMatch(row -> row.fields().isEmpty()));
      if (field != null) {
        Files.write(field, new byte[] {1}, StandardOpenOption.APPEND);
        assertThat(Verifier.verify(dataset, false).faults()).hasSize(1);
      }
    }
    Files.delete(target.resolve("dataset.json")); // lost on the way
    try (Dataset dataset = Datasets.open(target)) {
      assertThat(dataset.size()).isEqualTo(before.size());
    }
  }
}
