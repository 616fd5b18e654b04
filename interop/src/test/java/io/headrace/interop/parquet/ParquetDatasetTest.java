package io.headrace.interop.parquet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.interop.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that pyarrow wrote, and damaged ones.
final class ParquetDatasetTest {
  private static byte[] image(int number) throws IOException {
    return Files.readAllBytes(Fixtures.path("mds/images/%d.jpg".formatted(number)));
  }

  private static Map<String, String> fields(Sample sample) {
    Map<String, String> fields = new TreeMap<>();
    for (int i = 0; i < sample.fields(); i++) {
      fields.put(sample.fieldName(i), new String(sample.field(i).toArray(JAVA_BYTE), UTF_8));
    }
    return fields;
  }

  /// The layout of the Hugging Face Hub: `data/train-…`, a struct of bytes and path, class names
  /// in the metadata, nulls, a nested column; zstd and snappy, two row groups and one.
  @Test
  void aHuggingFaceDatasetIsRead() throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("parquet/hf"))) {
      assertThat(dataset).isInstanceOf(ParquetDataset.class);
      assertThat(dataset.classes()).containsExactly("cat", "dog", "eel");
      assertThat(dataset.size()).isEqualTo(7);
      assertThat(dataset.indexed()).isFalse();
      assertThat(dataset.warnings()).isEmpty();
      var count = new int[1];
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    int i = count[0]++;
                    assertThat(s.encoded().toArray(JAVA_BYTE)).isEqualTo(image(i));
                    assertThat(s.label()).isEqualTo(i % 3);
                    assertThat(s.key())
                        .isEqualTo("train-0000%d-of-00002.parquet#%d".formatted(i / 4, i % 4));
                    Map<String, String> expected = new TreeMap<>();
                    expected.put("score", String.valueOf(i / 4.0));
                    expected.put("boxes", "[[%d,2]]".formatted(i));
                    expected.put("image.path", i + ".jpg");
                    if (i != 1) {
                      expected.put("caption", "picture " + i + ": é");
                    }
                    assertThat(fields(s)).isEqualTo(expected);
                  }))
          .isEmpty();
      assertThat(count[0]).isEqualTo(7);
    }
  }

  /// Law: members of structs are fields by their path, of structs in lists as lists; what a row
  /// lacks is no field of it. Maps are left out and named.
  @Test
  void nestedColumnsAreFieldsByPath() throws IOException {
    List<Map<String, String>> all = new ArrayList<>();
    try (Dataset dataset = Datasets.open(Fixtures.path("parquet/nested/rows.parquet"))) {
      assertThat(dataset.warnings()).singleElement().asString().endsWith(": about.tags");
      assertThat(Fixtures.stream(dataset, s -> all.add(fields(s)))).isEmpty();
    }
    assertThat(all)
        .containsExactly(
            Map.of(
                "about.by",
                "Ann",
                "about.size.height",
                "3",
                "about.size.width",
                "4.5",
                "objects.bbox",
                "[[1.0,2.0,3.0,4.0],[5.0,6.0,7.0,8.0]]",
                "objects.name",
                "[\"a\",\"b\"]",
                "grid",
                "[[[1],[]],[]]"),
            Map.of("about.size.height", "7", "objects.bbox", "[]", "objects.name", "[]"),
            Map.of("objects.bbox", "[null]", "objects.name", "[null]", "grid", "[[null]]"));
  }

  /// An Audio feature of the package `datasets`, and plain bytes under a telling name.
  @Test
  void soundsAreRead() throws IOException {
    Path folder = Fixtures.path("parquet/audio");
    try (Dataset dataset = Datasets.open(folder.resolve("hf.parquet"))) {
      assertThat(dataset.classes()).containsExactly("no", "yes");
      var count = new int[1];
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    int i = count[0]++;
                    assertThat(Content.of(s.encoded())).isEqualTo(Content.SOUND);
                    assertThat(s.encoded().byteSize()).isEqualTo(44 + 2 * (300 + 10 * i));
                    assertThat(s.label()).isEqualTo(i % 2);
                    assertThat(fields(s))
                        .isEqualTo(Map.of("clip.path", i + ".wav", "text", "word " + i));
                  }))
          .isEmpty();
      assertThat(count[0]).isEqualTo(5);
    }
    try (Dataset dataset = Datasets.open(folder.resolve("plain.parquet"))) {
      assertThat(Content.ofFirst(dataset)).isEqualTo(Content.SOUND);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "none", "snappy", "zstd", "lz4", "v2"})
  void plainBinaryColumnsAreReadInEveryCompression(String name) throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("parquet/plain/" + name + ".parquet"))) {
      assertThat(dataset.size()).isEqualTo(7);
      assertThat(dataset.warnings()).singleElement().asString().endsWith(": when");
      List<Long> labels = new ArrayList<>();
      assertThat(
              Fixtures.stream(
                  dataset,
                  s -> {
                    assertThat(s.encoded().toArray(JAVA_BYTE)).isEqualTo(image(labels.size()));
                    assertThat(s.fields()).isZero();
                    labels.add(s.label());
                  }))
          .isEmpty();
      assertThat(labels).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    }
  }

  /// A row without bytes names its image; one that cannot be had is a fault of that row alone.
  @Test
  void imagesThatAreOnlyNamedAreReadFromTheFolder() throws IOException {
    try (Dataset dataset = Datasets.open(Fixtures.path("parquet/path/refs.parquet"))) {
      List<byte[]> images = new ArrayList<>();
      List<CorruptDataException> faults =
          Fixtures.stream(dataset, s -> images.add(s.encoded().toArray(JAVA_BYTE)));
      assertThat(images).containsExactly(image(0), image(1));
      assertThat(faults)
          .extracting(CorruptDataException::fault)
          .containsExactly(Fault.IO, Fault.UNSUPPORTED, Fault.CORRUPT, Fault.CORRUPT);
      assertThat(faults.get(0).reason()).contains("gone.jpg");
      assertThat(faults.get(1).reason()).contains("../../secret.jpg");
      assertThat(faults.get(0).where().record()).isEqualTo(1);
    }
  }

  @Test
  void severalSplitsInOneFolderAreRefused() {
    assertThatThrownBy(() -> Datasets.open(Fixtures.path("parquet/splits")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the splits test, train")
        .hasMessageContaining("--split test");
  }

  @Test
  void aPatternChoosesASplit() throws IOException {
    Path pattern = Fixtures.path("parquet/splits").resolve("train-*.parquet");
    try (Dataset dataset = Datasets.open(pattern)) {
      assertThat(dataset.size()).isEqualTo(1);
    }
  }

  @Test
  void aFileOfASetThatIsMissingIsNamed(@TempDir Path dir) throws IOException {
    Files.copy(
        Fixtures.path("parquet/hf/data/train-00000-of-00002.parquet"),
        dir.resolve("train-00000-of-00002.parquet"));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("train-00001-of-00002.parquet is missing");
  }

  @Test
  void columnsOfTheWrongTypeAreListed() {
    assertThatThrownBy(() -> Datasets.open(Fixtures.path("parquet/wrong/text.parquet")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no image column in text.parquet")
        .hasMessageContaining("image: BYTE_ARRAY");
  }

  @Test
  void aCutFileIsAFaultThatNamesIt(@TempDir Path dir) throws IOException {
    byte[] whole = Files.readAllBytes(Fixtures.path("parquet/plain/zstd.parquet"));
    for (int length : new int[] {0, 3, 11, 100, whole.length / 2, whole.length - 1}) {
      Path file = dir.resolve("cut.parquet");
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> Datasets.open(file))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining(file.toString());
    }
  }

  /// Law: whatever bytes are changed, reading ends with samples or with a fault at a place.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void changedBytesNeverDoHarm(long seed, @TempDir Path dir) throws IOException {
    var random = new Random(seed);
    String[] names = {"gzip", "none", "snappy", "zstd", "lz4", "v2"};
    byte[] bytes =
        Files.readAllBytes(
            Fixtures.path(
                "parquet/plain/%s.parquet".formatted(names[random.nextInt(names.length)])));
    for (int i = 0; i < 2; i++) {
      int at = random.nextInt(random.nextBoolean() ? bytes.length : 64);
      at = random.nextBoolean() ? at : bytes.length - 1 - at % 900;
      bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ 1);
    }
    Path file = dir.resolve("x.parquet");
    Files.write(file, bytes);
    try (Dataset dataset = Datasets.open(file)) {
      for (CorruptDataException e : Fixtures.stream(dataset, s -> {})) {
        assertThat(e.where().file()).isEqualTo(file.toString());
      }
    } catch (CorruptDataException | ConfigException e) {
      assertThat(e).hasMessageContaining("x.parquet");
    }
  }
}
