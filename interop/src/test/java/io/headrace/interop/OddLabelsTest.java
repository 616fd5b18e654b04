package io.headrace.interop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Columns whose labels are no single whole number, in Parquet files that pyarrow wrote
/// (`parquet/generate.py`) and in MDS shards written here.
final class OddLabelsTest {
  @TempDir private Path dir = Path.of(".");

  /// {@return a line a sample: label, then fields; images in them as their length; then the faults}
  private static List<String> read(Dataset data) throws IOException {
    List<String> lines = new ArrayList<>();
    List<CorruptDataException> faults =
        Fixtures.stream(
            data,
            sample -> {
              var line = new StringBuilder("" + sample.label());
              for (int f = 0; f < sample.fields(); f++) {
                byte[] value = sample.field(f).toArray(JAVA_BYTE);
                line.append(' ').append(sample.fieldName(f));
                line.append(f == sample.labelField() ? "*=" : "=");
                line.append(value.length > 300 ? "image" : new String(value, UTF_8));
              }
              lines.add(line.toString());
            });
    faults.forEach(fault -> lines.add(fault.fault() + ": " + fault.reason()));
    return lines;
  }

  private static Dataset parquet(String name) throws IOException {
    return Datasets.open(Fixtures.path("parquet/labels/" + name + ".parquet"));
  }

  /// Law: texts become classes, and a second image with its path stays a field, through a
  /// conversion too.
  @Test
  void textsOfParquetBecomeClassesAndTheSecondImageStays()
      throws IOException, InterruptedException {
    List<String> fields = new ArrayList<>();
    try (Dataset data = parquet("text")) {
      assertThat(data.classes()).containsExactly("cat", "dog");
      assertThat(data.warnings())
          .containsExactly(
              "labels are texts; all samples were read to find their 2 classes, numbered by name: a"
                  + " list of them as --classes FILE saves that");
      fields.addAll(read(data));
      assertThat(fields)
          .containsExactly(
              "1 mask=image image.path=0.jpg",
              "0 image.path=1.jpg",
              "-1 mask=image mask.path=m.jpg image.path=2.jpg",
              "1 image.path=3.jpg");
      var representation = Representation.of("race", "none", "keep", "keep");
      var options = ConvertOptions.of(dir.resolve("out"), representation, 1);
      ConvertReport report = new Converter(data, options).run();
      assertThat(report.unlabelled()).isEqualTo(1);
    }
    try (Dataset data = Datasets.open(dir.resolve("out"))) {
      assertThat(data.classes()).containsExactly("cat", "dog");
      assertThat(read(data)).isEqualTo(fields);
    }
  }

  /// Law: lists are fields in JSON; floats and truth values are classes where they are whole.
  @Test
  void listsOfParquetAreFieldsAndNumbersClasses() throws IOException {
    try (Dataset data = parquet("list")) {
      assertThat(data.warnings()).singleElement().asString().contains("labels are lists");
      assertThat(read(data).stream().map(line -> line.split(" ", -1)[1]).toList())
          .containsExactly("label*=[0,1,0]", "label*=[]", "mask=image", "label*=[1,null]");
    }
    try (Dataset data = parquet("texts")) {
      assertThat(read(data).getFirst()).startsWith("-1 label*=[\"a\",\"b\\\"é\"]");
    }
    try (Dataset data = parquet("float")) {
      assertThat(read(data).stream().map(line -> line.split(" ", -1)[0]).toList())
          .containsExactly("1", "-1", "2", "MISMATCH:");
      assertThat(read(data).getLast())
          .isEqualTo("MISMATCH: label 0.5 is no class: --features label= keeps it as a field");
    }
    try (Dataset data = parquet("bool")) {
      assertThat(read(data).stream().map(line -> line.split(" ", -1)[0]).toList())
          .containsExactly("1", "0", "-1", "1");
    }
  }

  @Test
  void columnsOfParquetMayBeNamed() throws IOException {
    Path file = Fixtures.path("parquet/labels/names.parquet");
    assertThatThrownBy(() -> Datasets.open(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("foto", "kind", "--features image=NAME,label=NAME");
    var said = OpenOptions.DEFAULT.withFeatures("image=foto,label=kind");
    try (Dataset data = Datasets.open(file, said)) {
      assertThat(data.classes()).containsExactly("a", "b");
      assertThat(read(data)).containsExactly("1", "0");
    }
    assertThatThrownBy(
            () -> Datasets.open(file, OpenOptions.DEFAULT.withFeatures("image=foto,label=gone")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no column gone");
  }

  /// A folder of one MDS shard.
  ///
  /// @param columns encodings by name, all of varying size
  private Path mds(String name, Map<String, String> columns, List<List<byte[]>> rows)
      throws IOException {
    var samples = new ByteArrayOutputStream();
    ByteBuffer table = ByteBuffer.allocate(4 * (rows.size() + 2)).order(ByteOrder.LITTLE_ENDIAN);
    table.putInt(rows.size()).putInt(table.capacity());
    for (List<byte[]> row : rows) {
      ByteBuffer sizes = ByteBuffer.allocate(4 * row.size()).order(ByteOrder.LITTLE_ENDIAN);
      row.forEach(value -> sizes.putInt(value.length));
      samples.write(sizes.array());
      for (byte[] value : row) {
        samples.write(value);
      }
      table.putInt(table.capacity() + samples.size());
    }
    Path folder = Files.createDirectories(dir.resolve(name));
    var shard = new ByteArrayOutputStream();
    shard.write(table.array());
    shard.write(samples.toByteArray());
    Files.write(folder.resolve("shard.00000.mds"), shard.toByteArray());
    List<String> names = List.copyOf(columns.keySet());
    var sizes = new ArrayList<Object>();
    names.forEach(_ -> sizes.add(null));
    Files.writeString(
        folder.resolve("index.json"),
        JsonMapper.builder()
            .build()
            .writeValueAsString(
                Map.of(
                    "version",
                    2,
                    "shards",
                    List.of(
                        new java.util.TreeMap<>(
                            Map.of(
                                "format",
                                "mds",
                                "version",
                                2,
                                "column_names",
                                names,
                                "column_encodings",
                                names.stream().map(columns::get).toList(),
                                "column_sizes",
                                sizes,
                                "samples",
                                rows.size(),
                                "hashes",
                                List.of(),
                                "raw_data",
                                Map.of(
                                    "basename",
                                    "shard.00000.mds",
                                    "bytes",
                                    shard.size(),
                                    "hashes",
                                    Map.of())))))));
    return folder;
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] jpeg(int number) throws IOException {
    return Files.readAllBytes(Fixtures.path("mds/images/%d.jpg".formatted(number)));
  }

  /// Law: texts of MDS become classes, lists stay fields, and no column is left out.
  @Test
  void labelsOfMds() throws IOException {
    Map<String, String> columns = new java.util.LinkedHashMap<>();
    columns.put("image", "jpeg");
    columns.put("label", "str");
    columns.put("mask", "png");
    Path texts =
        mds(
            "texts",
            columns,
            List.of(
                List.of(jpeg(0), text("dog"), jpeg(1)), List.of(jpeg(2), text("cat"), jpeg(3))));
    try (Dataset data = Datasets.open(texts)) {
      assertThat(data.classes()).containsExactly("cat", "dog");
      assertThat(read(data)).containsExactly("1 mask=image", "0 mask=image");
      assertThat(data.indexed()).isTrue();
      try (var reader = data.openReader();
          var sample = Fixtures.sample()) {
        reader.read(0, sample);
        assertThat(sample.label()).isEqualTo(1);
      }
    }
    columns.put("label", "json");
    columns.put("mask", "pkl");
    Path lists =
        mds(
            "lists",
            columns,
            List.of(
                List.of(jpeg(0), text("[0, 1]"), text("pickle")),
                List.of(jpeg(2), text("\"cat\""), text(""))));
    try (Dataset data = Datasets.open(lists)) {
      assertThat(data.classes()).containsExactly("cat");
      assertThat(read(data)).containsExactly("-1 label*=[0, 1] mask=pickle", "0 mask=");
      assertThat(data.warnings())
          .contains("columns kept as the bytes they are stored as: mask:pkl");
    }
  }
}
