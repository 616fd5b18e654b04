package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.checkpoint.Staging;
import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Identity;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written as a folder is read as what it was.
final class FolderExportTest {
  private static final String LONG = "long-" + "n".repeat(300) + ".ppm";

  /// Keys that are no paths, or are those of other things.
  private static final List<String> KEYS =
      List.of(
          "cat/0001.ppm",
          "/abs/1.ppm",
          "../../up/1.ppm",
          "a/../b.ppm",
          ".hidden.ppm",
          "line\nbreak\t.ppm",
          "train-00000-of-00001.parquet#0",
          "train-00000-of-00016",
          "shard.tar",
          "noext",
          "d.o.t/a.png",
          "cat/0001.jpg",
          LONG,
          "inner.ppm/x.ppm",
          "\u0416/\ud835\udd38.ppm");

  @TempDir private Path dir;

  private record Row(String key, long label) {}

  private static byte[] picture(int number) {
    byte[] head = "P6\n3 2\n255\n".getBytes(StandardCharsets.US_ASCII);
    byte[] picture = java.util.Arrays.copyOf(head, head.length + 18);
    for (int i = head.length; i < picture.length; i++) {
      picture[i] = (byte) (number * 37 + i);
    }
    return picture;
  }

  /// Writes a folder by hand, whose list gives samples any keys and labels.
  private Path source(List<String> classes, List<Row> rows) throws IOException {
    Path folder = Files.createDirectories(dir.resolve("source"));
    var list = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      String name = "%03d.ppm".formatted(i);
      Files.write(folder.resolve(name), picture(i));
      String key = Staging.json(rows.get(i).key());
      list.append(
          "{\"path\":\"%s\",\"key\":%s,\"label\":%d,\"bytes\":29,\"crc32c\":\"0\"}\n"
              .formatted(name, key, rows.get(i).label()));
    }
    Path file = Files.writeString(folder.resolve("dataset.files"), list);
    var shard =
        new Manifest.Shard(
            "dataset.files",
            Files.size(file),
            rows.size(),
            "%08x".formatted(io.headrace.store.FileChecksum.crc32c(file)));
    new Manifest(
            "n",
            "0",
            "folder",
            "none",
            "keep",
            classes,
            rows.size(),
            List.of(shard),
            "",
            "",
            null,
            java.util.Map.of())
        .write(folder);
    return folder;
  }

  private ConvertReport convert(Path from, String to, String packing, String encoding, boolean skip)
      throws IOException, InterruptedException {
    return convert(from, to, Representation.of(packing, "none", encoding, "keep"), 3, skip);
  }

  private ConvertReport convert(
      Path from, String to, Representation representation, int shards, boolean skip)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(from)) {
      var options =
          new ConvertOptions(
              dir.resolve(to), "data", representation, shards, false, 0, 2, skip, 1L << 28);
      return new Converter(dataset, options).run();
    }
  }

  private static List<Row> rows(Path path) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          while (cursor.next(sample)) {
            rows.add(new Row(sample.key(), sample.label()));
          }
        }
      }
    }
    return rows;
  }

  private static List<String> classes(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      return dataset.classes();
    }
  }

  private static List<String> faults(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      return Verifier.verify(dataset, true).faults();
    }
  }

  private List<String> names(String folder) throws IOException {
    Path root = dir.resolve(folder);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> root.relativize(f).toString())
          .sorted()
          .toList();
    }
  }

  /// Law: container → folder → opened has the same keys, labels, classes and order.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race", "folder"})
  void everyContainerComesBackFromAFolder(String packing) throws IOException, InterruptedException {
    List<String> classes = List.of("dog", "cat", "nobody", "a/b", ".dots");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < KEYS.size(); i++) {
      rows.add(
          new Row(KEYS.get(i), i % 7 == 6 ? -1 : i % 7)); // some without label, some without a name
    }
    ConvertReport packed = convert(source(classes, rows), "packed", packing, "keep", false);
    assertThat(rows(dir.resolve("packed"))).isEqualTo(rows);
    ConvertReport report = convert(dir.resolve("packed"), "back", "folder", "keep", false);
    assertThat(rows(dir.resolve("back"))).isEqualTo(rows);
    assertThat(classes(dir.resolve("back"))).isEqualTo(classes);
    assertThat(faults(dir.resolve("back"))).isEmpty();
    assertThat(report.setDigest()).isEqualTo(packed.setDigest());
    assertThat(report.contradiction()).isEmpty();
    assertThat(report.shards()).isZero();
    assertThat(report.fileBytes()).isEqualTo(29L * rows.size());
    try (Dataset a = Datasets.open(dir.resolve("packed"));
        Dataset b = Datasets.open(dir.resolve("back"))) {
      assertThat(Difference.of(a, b).same()).isTrue();
      assertThat(b.warnings()).isEmpty();
      assertThat(Identity.of(b).since(Identity.of(a))).isEmpty();
    }
    assertThat(names("back")).contains("dog/cat/0001.ppm", "cat/abs/1.ppm", "dataset.json");
    convert(dir.resolve("back"), "again", packing, "keep", false);
    assertThat(rows(dir.resolve("again"))).isEqualTo(rows);
  }

  @Test
  void labelsWithoutNamesGetFoldersThatSortAsNumbers() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (long label : new long[] {10, 9, 2, 100, 3_000_000_000L}) {
      rows.add(new Row("k" + label + ".ppm", label));
    }
    convert(source(List.of(), rows), "out", "folder", "keep", false);
    assertThat(names("out"))
        .contains("00002/k2.ppm", "00009/k9.ppm", "00010/k10.ppm", "00100/k100.ppm");
    assertThat(rows(dir.resolve("out"))).isEqualTo(rows);
    assertThat(classes(dir.resolve("out"))).isEmpty();
  }

  /// Names like a shard's end in an image's extension: the folder is no set of shards, with or
  /// without its manifest.
  @Test
  void samplesWithoutLabelsAreNotTakenForShards() throws IOException, InterruptedException {
    List<Row> rows =
        List.of(
            new Row("train-00000-of-00016", -1), new Row("train-00003-of-00016.tfrecord#2", -1));
    convert(source(List.of(), rows), "out", "folder", "keep", false);
    assertThat(rows(dir.resolve("out"))).isEqualTo(rows);
    Files.delete(dir.resolve("out/dataset.json"));
    assertThat(rows(dir.resolve("out")))
        .containsExactly(
            new Row("train-00000-of-00016.ppm", -1),
            new Row("train-00003-of-00016.tfrecord#2.ppm", -1));
  }

  @ParameterizedTest
  @CsvSource({"keep, 5", "png, 3", "mix:1*png+1*keep, 4"})
  void clashesAreFoundBeforeAnythingIsEncoded(String encoding, int atLeast)
      throws IOException, InterruptedException {
    List<Row> rows =
        List.of(
            new Row("x/1.ppm", 0),
            new Row("x/1.pgm", 0), // as PNG the same file
            new Row("1.pgm", 0), // in the folder of its class the same file
            new Row("x/1.png/inner.ppm", 0), // a folder with the name of a file
            new Row("x/2.ppm", 0),
            new Row("x/2.ppm", 0)); // the key twice
    Path source = source(List.of("x"), rows);
    assertThatThrownBy(() -> convert(source, "out", "folder", encoding, false))
        .isInstanceOfSatisfying(
            CorruptDataException.class,
            e -> {
              assertThat(e.fault()).isEqualTo(Fault.DUPLICATE);
              assertThat(e.where().key()).isNotEmpty();
            })
        .hasMessageContaining("in the file x/");
    assertThat(dir.resolve("out")).doesNotExist();
    ConvertReport report = convert(source, "out", "folder", encoding, true);
    assertThat(report.written() + report.skipped().size()).isEqualTo(6);
    assertThat(report.skipped()).isNotEmpty().allMatch(s -> s.contains("DUPLICATE"));
    assertThat(report.written()).isLessThanOrEqualTo(atLeast);
    assertThat(faults(dir.resolve("out"))).isEmpty();
    assertThat(rows(dir.resolve("out"))).hasSize((int) report.written());
  }

  @Test
  void aClashInALaterShardOfAStreamIsThatSamples() throws IOException, InterruptedException {
    List<Row> rows =
        List.of(
            new Row("x/1.ppm", 0),
            new Row("x/2.ppm", 0),
            new Row("x/3.ppm", 0),
            new Row("x/4.ppm", 0),
            new Row("x/4.ppm", 0), // the key twice
            new Row("x/5.ppm", 0));
    Path source = source(List.of("x"), rows);
    var streamed = Representation.of("tfrecord", "gzip", "keep", "keep");
    convert(source, "stream", streamed, 2, false);
    ConvertReport report = convert(dir.resolve("stream"), "out", "folder", "keep", true);
    assertThat(report.skipped()).hasSize(1).allMatch(s -> s.contains("x/4.ppm"));
    assertThat(rows(dir.resolve("out"))).hasSize(5).contains(rows.getLast());
    assertThat(faults(dir.resolve("out"))).isEmpty();
  }

  @Test
  void keysDoNotChangeWithTheEncoding() throws IOException, InterruptedException {
    List<Row> rows = List.of(new Row("x/1.jpg", 0), new Row("x/2.ppm", 0), new Row("y/3.bmp", 1));
    Path source = source(List.of("x", "y"), rows);
    ConvertReport report = convert(source, "out", "folder", "webp-lossless", false);
    assertThat(names("out"))
        .containsExactly("dataset.files", "dataset.json", "x/1.webp", "x/2.webp", "y/3.webp");
    try (Dataset a = Datasets.open(source);
        Dataset b = Datasets.open(dir.resolve("out"))) {
      Difference.Report difference = Difference.of(a, b);
      assertThat(difference.samePixels()).isEqualTo(3);
      assertThat(difference.same()).isTrue();
      assertThat(Verifier.verify(b, true).setDigest()).isEqualTo(report.setDigest());
    }
  }

  @Test
  void whatBecameOfTheFilesIsSaid() throws IOException, InterruptedException {
    List<Row> rows = List.of(new Row("x/1.ppm", 1), new Row("x/2.ppm", 1), new Row("y/3.ppm", 0));
    convert(source(List.of("y", "x"), rows), "out", "folder", "keep", false);
    Path out = dir.resolve("out");
    Files.delete(out.resolve("x/1.ppm"));
    Files.write(out.resolve("x/2.ppm"), picture(77));
    Files.write(out.resolve("x/new.ppm"), picture(8));
    Files.write(Files.createDirectory(out.resolve("z")).resolve("other.ppm"), picture(9));
    try (Dataset dataset = Datasets.open(out)) {
      assertThat(dataset.warnings())
          .containsExactly(
              "dataset.files lists 1 that is not there, such as x/1.ppm",
              "left out: 1 picture that dataset.json does not list (other.ppm)");
    }
    assertThat(rows(out))
        .containsExactly(new Row("x/2.ppm", 1), new Row("y/3.ppm", 0), new Row("x/new.ppm", 1));
    assertThat(faults(out))
        .anyMatch(f -> f.contains("x/1.ppm: in the list of files, but not there"))
        .anyMatch(f -> f.contains("x/2.ppm: CRC-32C is"));
    Files.writeString(out.resolve("dataset.files"), "{}\n");
    assertThatThrownBy(() -> Datasets.open(out))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("CRC-32C of the list is");
    Files.delete(out.resolve("dataset.files"));
    assertThatThrownBy(() -> Datasets.open(out)).hasMessageContaining("dataset.files");
  }
}
