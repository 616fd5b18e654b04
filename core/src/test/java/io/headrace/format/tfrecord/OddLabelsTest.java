package io.headrace.format.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.ClassNames;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.format.example.Example;
import io.headrace.format.example.Feature;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Labels of Examples that are no single whole number, and Examples with names of their own.
final class OddLabelsTest {
  private static final String LABEL = "image/class/label";

  @TempDir private Path dir = Path.of(".");

  private static Feature image(int grey) {
    byte[] pnm = "P5\n1 1\n255\n?".getBytes(ISO_8859_1);
    pnm[pnm.length - 1] = (byte) grey;
    return Feature.of(MemorySegment.ofArray(pnm));
  }

  private static Feature texts(String... texts) {
    return new Feature.BytesList(
        List.of(texts).stream().map(t -> MemorySegment.ofArray(t.getBytes(UTF_8))).toList());
  }

  private static byte[] example(Map<String, Feature> features) {
    try (var block = new Block(MemoryBudget.unbounded())) {
      return new Example(features).write(block).toArray(JAVA_BYTE);
    } catch (io.headrace.error.DecodeException e) {
      throw new AssertionError(e);
    }
  }

  /// A folder of one shard with a record for each label, or none where it is null.
  private Path shard(String name, List<Feature> labels, Compression compression)
      throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (Feature label : labels) {
      Map<String, Feature> features = new LinkedHashMap<>();
      features.put("image/encoded", image(records.size()));
      features.put("image/filename", Feature.of("k" + records.size()));
      features.put(LABEL, label);
      records.add(example(features));
    }
    Path folder = Files.createDirectories(dir.resolve(name));
    Files.write(folder.resolve("a.tfrecord"), Records.write(records, compression));
    return folder;
  }

  private Path shard(String name, Feature... labels) throws IOException {
    return shard(name, List.of(labels), new Compression.None());
  }

  /// {@return a line a sample: label, then fields; or the fault}; the same by number and streamed
  private static List<String> read(Dataset data) throws IOException {
    List<String> streamed = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more) {
                streamed.add(line(sample));
              }
            } catch (CorruptDataException e) {
              streamed.add(e.fault() + ": " + e.reason());
              more = cursor.resumable();
            }
          }
        }
      }
      if (data.indexed()) {
        List<String> numbered = new ArrayList<>();
        try (Dataset.SampleReader reader = data.openReader()) {
          for (long i = 0; i < data.size(); i++) {
            try {
              reader.read(i, sample);
              numbered.add(line(sample));
            } catch (CorruptDataException e) {
              numbered.add(e.fault() + ": " + e.reason());
            }
          }
        }
        assertThat(numbered).isEqualTo(streamed);
      }
    }
    return streamed;
  }

  private static String line(Sample sample) {
    var line = new StringBuilder("" + sample.label());
    for (int f = 0; f < sample.fields(); f++) {
      line.append(' ').append(sample.fieldName(f));
      line.append(f == sample.labelField() ? "*" : "");
      if (!sample.isFeature(f)) {
        line.append('=').append(new String(sample.field(f).toArray(JAVA_BYTE), UTF_8));
      }
    }
    return line.toString();
  }

  private ConvertReport convert(Dataset source, String to, String packing)
      throws IOException, InterruptedException {
    var representation = Representation.of(packing, "none", "keep", "keep");
    return new Converter(source, ConvertOptions.of(dir.resolve(to), representation, 2)).run();
  }

  /// Law: texts become the numbers of their classes, in the order of their UTF-8 bytes, in every
  /// shard, compressed or not; bytes that are no text are a fault of that sample.
  @Test
  void textsBecomeClasses() throws IOException, InterruptedException {
    List<Feature> labels =
        List.of(texts("dog"), texts("Cat"), texts("äpfel"), texts("dog"), texts(""), texts("7"));
    for (Compression compression :
        List.<Compression>of(new Compression.None(), Compression.Zstd.DEFAULT)) {
      Path folder = shard(compression.kind().name(), labels, compression);
      try (Dataset data = Datasets.open(folder)) {
        assertThat(data.classes()).containsExactly("7", "Cat", "dog", "äpfel");
        assertThat(read(data)).containsExactly("2", "1", "3", "2", "-1", "0");
        assertThat(data.warnings()).anyMatch(w -> w.contains("labels are texts"));
        String to = "out-" + compression.kind();
        ConvertReport report = convert(data, to, "tfrecord");
        assertThat(report.unlabelled()).isEqualTo(1);
        try (Dataset converted = Datasets.open(dir.resolve(to))) {
          assertThat(converted.classes()).isEqualTo(data.classes());
          assertThat(read(converted)).containsExactly("2", "1", "3", "2", "-1", "0");
        }
      }
    }
    Path bad = shard("bad", texts("dog"), Feature.of(MemorySegment.ofArray(new byte[] {-1, 0})));
    try (Dataset data = Datasets.open(bad)) {
      assertThat(data.classes()).containsExactly("dog");
      assertThat(read(data).get(1)).startsWith("MISMATCH: label '");
    }
  }

  /// Law: texts that are all whole numbers are these numbers.
  @Test
  void textsThatSpellNumbersAreThese() throws IOException {
    try (Dataset data = Datasets.open(shard("numbers", texts("10"), texts("9")))) {
      assertThat(data.classes()).isEmpty();
      assertThat(read(data)).containsExactly("10", "9");
    }
  }

  /// Law: where the first label is a number a text is a fault, and its sample alone is lost.
  @Test
  void aTextAmongNumbersIsAFault() throws IOException {
    try (Dataset data = Datasets.open(shard("mixed", Feature.of(4), texts("cat"), Feature.of(5)))) {
      assertThat(read(data))
          .containsExactly(
              "4", "MISMATCH: the label is a text, 'cat', where others are numbers", "5");
    }
  }

  /// Law: a list of several is no label but a field, which every container keeps.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race", "folder"})
  void listsAreKeptAsFields(String packing) throws IOException, InterruptedException {
    var floats = new Feature.FloatList(List.of(0f, 1f, 0f));
    Path folder = shard("lists", Feature.of(0, 1, 0), texts("a", "b"), floats, Feature.of(3));
    try (Dataset data = Datasets.open(folder)) {
      assertThat(data.warnings()).anyMatch(w -> w.contains("labels are lists, kept as the field"));
      assertThat(read(data))
          .containsExactly("-1 " + LABEL + "*", "-1 " + LABEL + "*", "-1 " + LABEL + "*", "3");
      ConvertReport report = convert(data, "out", packing);
      assertThat(report.listLabels()).isEqualTo(3);
      assertThat(report.unlabelled()).isEqualTo(3);
    }
    try (Dataset data = Datasets.open(dir.resolve("out"))) {
      List<String> expected =
          switch (packing) {
            case "tar" ->
                List.of(
                    "-1 image.class.label.json=[0,1,0]\n",
                    "-1 image.class.label.json=[\"a\",\"b\"]\n",
                    "-1 image.class.label.json=[0.0,1.0,0.0]\n",
                    "3");
            case "race", "folder" -> List.of("-1 " + LABEL, "-1 " + LABEL, "-1 " + LABEL, "3");
            default -> List.of("-1 " + LABEL + "*", "-1 " + LABEL + "*", "-1 " + LABEL + "*", "3");
          };
      assertThat(read(data)).isEqualTo(expected);
    }
  }

  /// Law: a float is a class if it is whole, else a fault with the way to keep it.
  @Test
  void floatsAreClassesOnlyIfTheyAreWhole() throws IOException {
    Path folder =
        shard(
            "floats",
            new Feature.FloatList(List.of(2f)),
            new Feature.FloatList(List.of(0.5f)),
            new Feature.FloatList(List.of(Float.NaN)),
            new Feature.FloatList(List.of()),
            new Feature.NotSet());
    try (Dataset data = Datasets.open(folder)) {
      String reason = ", which is no class: --features label= keeps it as a field";
      assertThat(read(data))
          .containsExactly(
              "2",
              "MISMATCH: " + LABEL + " is 0.5" + reason,
              "MISMATCH: " + LABEL + " is NaN" + reason,
              "-1",
              "-1");
    }
    try (Dataset data = Datasets.open(folder, OpenOptions.DEFAULT.withFeatures("label="))) {
      assertThat(read(data)).allMatch(line -> line.equals("-1 " + LABEL));
    }
  }

  /// Law: the name of a class beside its number stays, where nobody else knows it.
  @Test
  void aClassTextBesideANumberIsNotLost() throws IOException, InterruptedException {
    Map<String, Feature> features =
        Map.of(
            "image/encoded",
            image(1),
            LABEL,
            Feature.of(3),
            "image/class/text",
            Feature.of("tabby"));
    Path folder = Files.createDirectories(dir.resolve("text"));
    Files.write(folder.resolve("a.tfrecord"), Records.plain(example(features)));
    try (Dataset data = Datasets.open(folder)) {
      assertThat(read(data)).containsExactly("3 image/class/text=tabby");
      ConvertReport _ = convert(data, "again", "tfrecord");
    }
    try (Dataset data = Datasets.open(dir.resolve("again"))) {
      assertThat(read(data)).containsExactly("3 image/class/text=tabby");
      assertThat(Verifier.verify(data, true).faults()).isEmpty();
    }
  }

  /// Law: one feature with several images is a fault; of two features the other stays a field.
  @Test
  void aSecondImageIsNeverDropped() throws IOException {
    byte[] one =
        example(Map.of("image/encoded", new Feature.BytesList(List.of(bytes("a"), bytes("b")))));
    byte[] two = example(Map.of("image/encoded", image(1), "image", image(2)));
    Path folder = Files.createDirectories(dir.resolve("two"));
    Files.write(folder.resolve("a.tfrecord"), Records.plain(one, two));
    try (Dataset data = Datasets.open(folder)) {
      List<String> lines = read(data);
      assertThat(lines.get(0))
          .isEqualTo("MISMATCH: several byte strings in image/encoded: expected one image");
      assertThat(lines.get(1)).startsWith("-1 image=P5");
    }
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(UTF_8));
  }

  /// Law: features of other names are listed, and the names that the message gives map them.
  @Test
  void featuresOfOtherNamesAreListedAndMapped() throws IOException {
    byte[] record =
        example(
            Map.of(
                "img",
                image(1),
                "target",
                Feature.of(2),
                "id",
                Feature.of("x"),
                "y",
                new Feature.FloatList(List.of(1f))));
    Path folder = Files.createDirectories(dir.resolve("names"));
    Files.write(folder.resolve("a.tfrecord"), Records.plain(record));
    try (Dataset data = Datasets.open(folder)) {
      assertThat(read(data).getFirst())
          .startsWith("MISMATCH: a tf.train.Example of 4 features")
          .contains("id (bytes), img (bytes), target (int64), y (float)")
          .contains("--features image=img,label=target ");
    }
    var said = OpenOptions.DEFAULT.withFeatures("image=img,label=target,key=id");
    try (Dataset data = Datasets.open(folder, said)) {
      assertThat(read(data)).containsExactly("2 y");
      assertThat(data.find("x")).isZero();
    }
    assertThatThrownBy(() -> OpenOptions.DEFAULT.withFeatures("picture=img"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown role 'picture'");
    assertThatThrownBy(() -> OpenOptions.DEFAULT.withFeatures("img"))
        .isInstanceOf(ConfigException.class);
  }

  /// Law: a list of classes gives texts its numbers; a class that it lacks is a fault that names
  /// it.
  @Test
  void aListOfClassesNumbersTexts() throws IOException {
    Path folder = shard("texts", texts("dog"), texts("fox"));
    var names = new ClassNames(List.of("ant", "dog"), "a list");
    try (Dataset data = Datasets.open(folder, OpenOptions.DEFAULT.withClasses(names))) {
      assertThat(data.classes()).containsExactly("ant", "dog");
      assertThat(read(data))
          .containsExactly("1", "MISMATCH: label 'fox' is none of the 2 classes of a list");
    }
    try (Dataset data =
        Datasets.open(
            shard("numbers", Feature.of(1), Feature.of(2)),
            OpenOptions.DEFAULT.withClasses(names))) {
      assertThat(read(data))
          .containsExactly("1", "MISMATCH: label 2 is none of the 2 classes of a list");
    }
  }
}
