package io.headrace.interop.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.interop.Fixtures;
import io.headrace.testkit.Corrupter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that `datasets` and pyarrow wrote, and damaged ones.
final class ArrowDatasetTest {
  private static String row(Sample sample) {
    var fields = new TreeMap<String, String>();
    for (int i = 0; i < sample.fields(); i++) {
      fields.put(sample.fieldName(i), new String(sample.field(i).toArray(JAVA_BYTE), UTF_8));
    }
    return "%08x %d %s"
        .formatted(Arrays.hashCode(sample.encoded().toArray(JAVA_BYTE)), sample.label(), fields);
  }

  private static List<String> rows(Dataset dataset) throws IOException {
    List<String> rows = new ArrayList<>();
    assertThat(Fixtures.stream(dataset, sample -> rows.add(row(sample)))).isEmpty();
    return rows;
  }

  /// Law: a table has the same rows, classes and warnings in Arrow as in Parquet; and the same by
  /// number as one after the other.
  @ParameterizedTest
  @CsvSource({
    "parquet/hf, arrow/hf",
    "parquet/nested/rows.parquet, arrow/nested.arrow",
    "parquet/audio/hf.parquet, arrow/audio"
  })
  void rowsAreThoseOfParquet(String parquet, String arrow) throws IOException {
    try (Dataset theirs = Datasets.open(Fixtures.path(parquet));
        Dataset dataset = Datasets.open(Fixtures.path(arrow));
        var reader = dataset.openReader();
        Sample sample = Fixtures.sample()) {
      List<String> expected = rows(theirs);
      assertThat(expected).hasSizeGreaterThan(2);
      assertThat(dataset).isInstanceOf(ArrowDataset.class);
      assertThat(rows(dataset)).isEqualTo(expected);
      assertThat(dataset.classes()).isEqualTo(theirs.classes());
      assertThat(dataset.warnings()).isEqualTo(theirs.warnings());
      assertThat(dataset.size()).isEqualTo(expected.size());
      for (int i = expected.size() - 1; i >= 0; i--) {
        reader.read(i, sample);
        assertThat(row(sample)).isEqualTo(expected.get(i));
      }
      assertThat(sample.key()).endsWith(".arrow#0");
      assertThat(sample.storedBytes()).isGreaterThanOrEqualTo(sample.encodedBytes());
    }
  }

  /// Batches of two rows, offsets of 64 bits, lists of a fixed size, all kinds of nulls.
  @Test
  void rarerTypesAreRead() throws IOException {
    List<String> rows = new ArrayList<>();
    Path file = Fixtures.path("arrow/rows.arrow");
    var said = OpenOptions.DEFAULT.withFeatures("image=picture,label=");
    try (Dataset dataset = Datasets.open(file, said)) {
      assertThat(dataset.warnings()).singleElement().asString().endsWith(": kind");
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> rows.add(row(s).substring(9) + (char) s.encoded().get(JAVA_BYTE, 3))))
          .isEmpty();
    }
    assertThat(rows)
        .containsExactly(
            "-1 {big=18446744073709551615, flags=[true,null], halves=[0.5,-1.5], label=4.0,"
                + " text=a}0",
            "-1 {big=0, flags=[], halves=[0.5,-1.5], label=3.0, text=é}1",
            "-1 {big=1, flags=[false], halves=[0.5,-1.5], text=}2",
            "-1 {halves=[0.5,-1.5], label=1.0}3",
            "-1 {big=2, flags=[true], label=0.5, text=e}4");
    try (Dataset dataset = Datasets.open(file, OpenOptions.DEFAULT.withFeatures("image=picture"))) {
      List<Long> labels = new ArrayList<>();
      List<CorruptDataException> faults = Fixtures.stream(dataset, s -> labels.add(s.label()));
      assertThat(labels).containsExactly(4L, 3L, Sample.NO_LABEL, 1L);
      assertThat(faults).singleElement().asString().contains("label 0.5 is no class", "record=4");
    }
  }

  @Test
  void oneOfSeveralSplitsIsOpened() throws IOException {
    Path folder = Fixtures.path("arrow/splits");
    assertThatThrownBy(() -> Datasets.open(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holds the splits train, test: name one with --split");
    try (Dataset test = Datasets.open(folder, OpenOptions.DEFAULT.withSplit("test"))) {
      assertThat(test.size()).isEqualTo(3);
    }
  }

  @Test
  void whatIsNotReadIsNamed(@TempDir Path dir) throws IOException {
    assertThatThrownBy(() -> Datasets.open(Fixtures.path("arrow/packed.arrow")))
        .isInstanceOfSatisfying(
            CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED))
        .hasMessageContaining("a body that is compressed");
    Fixtures.copy(Fixtures.path("arrow/hf"), dir);
    Path state = dir.resolve("state.json");
    String text = Files.readString(state);
    Files.writeString(
        state,
        text.replace("{\n  \"_data", "{\"_indices_data_files\": [{\"filename\": \"i\"}], \"_data"));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("flatten_indices()");
  }

  /// Law: a file that is cut or has a flipped bit gives rows or says what is wrong, by file and
  /// place; never another exception.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damageIsReported(long seed, @TempDir Path dir) throws IOException {
    var random = new Random(seed);
    boolean nested = random.nextBoolean();
    byte[] whole =
        Files.readAllBytes(Fixtures.path(nested ? "arrow/nested.arrow" : "arrow/rows.arrow"));
    var said = OpenOptions.DEFAULT.withFeatures(nested ? "image=image" : "image=picture");
    boolean cut = random.nextInt(3) == 0;
    byte[] bad =
        cut
            ? Corrupter.cut(whole, random.nextInt(whole.length))
            : Corrupter.flipBit(whole, random.nextInt(8 * whole.length));
    Path file = Files.write(dir.resolve("bad.arrow"), bad);
    try (Dataset dataset = Datasets.open(file, said)) {
      for (CorruptDataException fault : Fixtures.stream(dataset, sample -> {})) {
        assertThat(fault.where().file()).isEqualTo(file.toString());
      }
    } catch (CorruptDataException e) {
      assertThat(e.where().file()).isEqualTo(file.toString());
    } catch (ConfigException e) {
      assertThat(e).hasMessageContaining("column"); // a name was hit
    }
  }
}
