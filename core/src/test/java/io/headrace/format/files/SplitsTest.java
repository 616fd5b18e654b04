package io.headrace.format.files;

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
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Folders that hold several datasets, and folders that are no classes.
final class SplitsTest {
  private static final byte[] PICTURE = "P5\n1 1\n255\n?".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path dir = Path.of(".");

  private void picture(String path) throws IOException {
    Path file = dir.resolve(path);
    Path _ = Files.createDirectories(file.getParent());
    Files.write(file, PICTURE);
  }

  /// Puts a dataset of `count` samples into `dir`, as shards called `name`.
  private void shards(String packing, String name, int count)
      throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      picture("source-%s/c/%d.pgm".formatted(name, i));
    }
    Path out = dir.resolve("made-" + name);
    try (Dataset source = Datasets.open(dir.resolve("source-" + name))) {
      var representation = Representation.of(packing, "none", "keep", "keep");
      var options = new ConvertOptions(out, name, representation, 2, false, 0, 1, false, 1L << 28);
      ConvertReport _ = new Converter(source, options).run();
    }
    Files.createDirectories(dir.resolve("set"));
    try (var files = Files.list(out)) {
      for (Path file : files.filter(f -> f.toString().contains("-of-")).toList()) {
        Files.move(file, dir.resolve("set").resolve(file.getFileName().toString()));
      }
    }
  }

  private long size(String path, OpenOptions options) throws IOException {
    try (Dataset data = Datasets.open(dir.resolve(path), options)) {
      return data.size();
    }
  }

  private static OpenOptions split(String name) {
    return OpenOptions.DEFAULT.withSplit(name);
  }

  private void refused(String path, OpenOptions options, String... words) {
    assertThatThrownBy(() -> Datasets.open(dir.resolve(path), options))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(words);
  }

  /// Law: shards of several splits in a folder, or matched by a pattern, are not one dataset unless
  /// that is said.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race"})
  void shardsOfSeveralSplitsAreNotOneDataset(String packing)
      throws IOException, InterruptedException {
    shards(packing, "x-train", 3);
    shards(packing, "x-validation", 2);
    refused("set", OpenOptions.DEFAULT, "the splits x-train, x-validation", "--split x-train");
    refused("set/x-*", OpenOptions.DEFAULT, "the splits x-train, x-validation");
    refused("set", split("test"), "no split 'test'", "x-train, x-validation");
    assertThat(size("set", split("train"))).isEqualTo(3);
    assertThat(size("set", split("x-validation"))).isEqualTo(2);
    assertThat(size("set", split("*vali*"))).isEqualTo(2);
    assertThat(size("set", split("*"))).isEqualTo(5);
    assertThat(size("set/x-train-*", OpenOptions.DEFAULT)).isEqualTo(3);
  }

  /// Law: parts of other names are one dataset, as ever.
  @Test
  void partsThatAreNoSplitsAreOneDataset() throws IOException, InterruptedException {
    shards("tar", "cats", 1);
    shards("tar", "dogs", 2);
    assertThat(size("set", OpenOptions.DEFAULT)).isEqualTo(3);
  }

  @Test
  void aManifestIsAboutOneDataset() throws IOException, InterruptedException {
    shards("tar", "train", 1);
    refused("made-train", split("val"), "no split 'val'");
  }

  @ParameterizedTest
  @CsvSource({
    "train-00000-of-00002.parquet, train",
    "mnist-test.tfrecord-00000-of-00001, mnist-test",
    "validation-00001-of-00128, validation",
    "imagenet-train-000123.tar.gz, imagenet-train",
    "val_7.tfrecord, val",
    "000.tar, ''",
    "a.b.0001.tar, a.b",
  })
  void namesTellSplits(String file, String split) {
    assertThat(Splits.nameOf(file)).isEqualTo(split);
  }

  /// Law: folders called as splits are no classes; they are named, and open by name.
  @Test
  void foldersOfSplitsAreNoClasses() throws IOException {
    picture("data/train2017/cat/1.pgm");
    picture("data/train2017/dog/2.pgm");
    picture("data/val2017/cat/3.pgm");
    picture("data/annotations/x.json");
    refused("data", OpenOptions.DEFAULT, "the splits train2017, val2017", "--split train2017");
    refused("data", split("test"), "train2017, val2017");
    assertThat(size("data", split("train"))).isEqualTo(2);
    try (Dataset data = Datasets.open(dir.resolve("data"), split("val2017"))) {
      assertThat(data.root()).isEqualTo(dir.resolve("data/val2017"));
      assertThat(data.classes()).containsExactly("cat");
    }
    try (Dataset data =
        Datasets.open(dir.resolve("data"), OpenOptions.DEFAULT.withFoldersAsClasses(true))) {
      assertThat(data.classes()).contains("train2017", "val2017");
      assertThat(data.size()).isEqualTo(4);
    }
  }

  /// Law: one split alone is no class either; among other classes it is one, such as a vehicle.
  @Test
  void aTrainIsAClassAmongVehicles() throws IOException {
    picture("alone/train/cat/1.pgm");
    refused("alone", OpenOptions.DEFAULT, "the splits train");
    picture("vehicles/bus/1.pgm");
    picture("vehicles/train/1.pgm");
    assertThat(size("vehicles", OpenOptions.DEFAULT)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"images, labels", "images, masks", "JPEGImages, SegmentationClass", "img, gt"})
  void picturesBesideWhatIsSaidOfThemAreNoClasses(String pictures, String beside)
      throws IOException {
    picture("data/%s/1.pgm".formatted(pictures));
    picture("data/%s/1.pgm".formatted(beside));
    refused("data", OpenOptions.DEFAULT, pictures + " beside " + beside, "data/" + pictures);
    assertThat(size("data", OpenOptions.DEFAULT.withFoldersAsClasses(true))).isEqualTo(2);
  }

  /// Law: a folder above folders of shards names these.
  @Test
  void foldersOfShardsAreNamed() throws IOException, InterruptedException {
    shards("tar", "one", 3);
    shards("race", "two", 2);
    Path above = Files.createDirectories(dir.resolve("above"));
    Files.move(dir.resolve("made-one"), above.resolve("made"));
    Files.move(dir.resolve("set"), above.resolve("test"));
    refused("above", OpenOptions.DEFAULT, "test (race)", "--split made");
    Files.move(above.resolve("made"), above.resolve("train"));
    refused("above", OpenOptions.DEFAULT, "test (race)", "--split test");
  }

  private long[] labels(Path path, OpenOptions options) throws IOException {
    try (Dataset data = Datasets.open(path, options);
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      long[] labels = new long[(int) data.size()];
      for (int i = 0; i < labels.length; i++) {
        reader.read(i, sample);
        labels[i] = sample.label();
      }
      return labels;
    }
  }

  /// Law: with training's classes a validation set has training's numbers, whatever it lacks; a
  /// class that training has not is named.
  @Test
  void classesComeFromAListOrADataset() throws IOException {
    picture("train/ant/0.pgm");
    picture("train/bee/0.pgm");
    picture("train/cat/0.pgm");
    picture("val/bee/0.pgm");
    picture("val/cat/0.pgm");
    Path val = dir.resolve("val");
    assertThat(labels(val, OpenOptions.DEFAULT)).containsExactly(0, 1);
    Path text = Files.writeString(dir.resolve("names.txt"), "ant\nbee\n\ncat\n");
    Path json =
        Files.writeString(dir.resolve("names.json"), "{\"classes\":[\"ant\",\"bee\",\"cat\"]}");
    for (Path list : List.of(text, json, dir.resolve("train"))) {
      var said = OpenOptions.DEFAULT.withClasses(OpenOptions.classesOf(list));
      assertThat(labels(val, said)).containsExactly(1, 2);
    }
    Files.writeString(text, "ant\ncat\n");
    refused(
        "val",
        OpenOptions.DEFAULT.withClasses(OpenOptions.classesOf(text)),
        "has the classes bee, which are not among the 2 of " + text);
    Files.writeString(text, "ant\nant\n");
    assertThatThrownBy(() -> OpenOptions.classesOf(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("class 'ant' is twice");
    Files.writeString(text, "\n");
    assertThatThrownBy(() -> OpenOptions.classesOf(text)).hasMessageContaining("lists no classes");
  }

  /// Law: numbers of a dataset without names must be below the number of classes given.
  @Test
  void aTableGivesLabelsAndFields() throws IOException {
    picture("t/b.pgm");
    picture("t/a.pgm");
    picture("t/deep/c.pgm");
    picture("t/d.pgm");
    Path table = dir.resolve("t/metadata.csv");
    Files.writeString(
        table,
        String.join(
            "\r\n",
            "\ufefffile_name,label,caption",
            "a.pgm,dog,\"a \"\"b\"\",\nc\"",
            "./b.pgm,cat,",
            "deep/c.pgm,,x",
            "gone.pgm,dog,",
            ""));
    try (Dataset data = Datasets.open(dir.resolve("t"));
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(data.classes()).containsExactly("cat", "dog");
      assertThat(labels(dir.resolve("t"), OpenOptions.DEFAULT)).containsExactly(1, 0, -1, -1);
      reader.read(0, sample);
      assertThat(sample.key()).isEqualTo("a.pgm");
      assertThat(sample.fields()).isEqualTo(1);
      assertThat(sample.fieldName(0)).isEqualTo("caption");
      assertThat(SampleIds.utf8(sample.field(0))).isEqualTo("a \"b\",\nc");
      assertThat(data.warnings())
          .anyMatch(w -> w.contains("names 1 pictures that are not there, such as gone.pgm"))
          .anyMatch(w -> w.contains("1 pictures are not in") && w.contains("d.pgm"));
    }
    Files.delete(table);
    Files.writeString(
        dir.resolve("t/metadata.jsonl"),
        """
        {"file_name": "a.pgm", "y": 3, "boxes": [[1, 2]], "none": null}
        {"file_name": "b.pgm", "y": [0, 1], "label": "x"}
        """);
    try (Dataset data =
            Datasets.open(dir.resolve("t"), OpenOptions.DEFAULT.withFeatures("label=y"));
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(data.classes()).isEmpty();
      reader.read(0, sample);
      assertThat(sample.label()).isEqualTo(3);
      assertThat(SampleIds.utf8(sample.field(0))).isEqualTo("[[1,2]]");
      reader.read(1, sample);
      assertThat(sample.label()).isEqualTo(-1);
      assertThat(sample.fieldName(sample.labelField())).isEqualTo("y");
      assertThat(sample.fields()).isEqualTo(2);
    }
  }

  /// Law: a table that makes no sense is refused with its line.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "file_name,label;a.pgm,1,2 | line 2: 3 cells, the first line has 2",
        "file_name,label;a.pgm,1;a.pgm,2 | a.pgm is named in lines 2 and 3",
        "file_name,label;a.pgm,\"1 | line 2: a quotation mark that nothing closes",
        "file_name,label;a.pgm,0.5 | line 2: label 0.5 is no class",
      })
  void aTableThatMakesNoSenseIsRefusedWithItsLine(String text, String reason) throws IOException {
    picture("t/a.pgm");
    Files.writeString(dir.resolve("t/metadata.csv"), text.replace(';', '\n'));
    assertThatThrownBy(() -> Datasets.open(dir.resolve("t")))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(reason);
  }

  /// Law: a table of other things changes nothing, and is said not to be read.
  @Test
  void aTableOfOtherThingsIsNotRead() throws IOException {
    picture("t/x/a.pgm");
    Files.writeString(dir.resolve("t/metadata.csv"), "id,label\n1,2\n");
    try (Dataset data = Datasets.open(dir.resolve("t"))) {
      assertThat(data.classes()).containsExactly("x");
      assertThat(data.warnings()).anyMatch(w -> w.contains("has no column file_name: not read"));
    }
    Files.writeString(dir.resolve("t/metadata.csv"), "file_name,caption\nx/a.pgm,hello\n");
    try (Dataset data = Datasets.open(dir.resolve("t"))) {
      assertThat(data.classes()).containsExactly("x");
      assertThat(labels(dir.resolve("t"), OpenOptions.DEFAULT)).containsExactly(0);
    }
  }
}
