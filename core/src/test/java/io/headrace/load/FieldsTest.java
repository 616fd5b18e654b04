package io.headrace.load;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.example.Example;
import io.headrace.format.example.Feature;
import io.headrace.format.field.FieldRequest;
import io.headrace.format.tfrecord.RecordWriter;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fields come with their image: whole, in its slot, from every container and for any number of
/// threads.
final class FieldsTest {
  private static final int COUNT = 30;
  private static final String ALL = "key,text,boxes,score,pose,age:fill=-1";

  @TempDir static Path root;
  private static Path folder = Path.of(".");

  /// Pictures with a table: text of growing length, 0 to 2 boxes, a decimal, an array of one shape.
  /// Picture 11 has neither text nor age.
  @BeforeAll
  static void make() throws IOException {
    folder = Tiny.folder(root.resolve("folder"), COUNT);
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < COUNT; k++) {
      lines.add(
          ("{\"file_name\": \"class%d/%05d.ppm\", \"label\": %d, \"boxes\": %s, \"score\": %s,"
                  + " \"pose\": [[%d, 1], [2, 3], [4, 5]]%s}")
              .formatted(
                  3 * k / COUNT,
                  k,
                  k % 4,
                  boxes(k),
                  k / 8.0,
                  k,
                  k == 11 ? "" : ", \"age\": %d, \"text\": \"%s\"".formatted(k + 20, text(k))));
    }
    Files.write(folder.resolve("metadata.jsonl"), lines);
  }

  private static String text(int k) {
    return "é%d ".formatted(k).repeat(k % 5);
  }

  private static String boxes(int k) {
    List<List<Integer>> boxes = new ArrayList<>();
    for (int row = 0; row < k % 3; row++) {
      boxes.add(List.of(k, row, 3, 4));
    }
    return boxes.toString();
  }

  private static LoadOptions.Builder options(String fields) {
    return LoadOptions.builder().batchSize(8).threads(2).seed(5).fields(FieldRequest.parse(fields));
  }

  /// {@return what a slot of a batch holds of all fields, in words}
  static String words(Batch batch, int slot) {
    List<String> words = new ArrayList<>();
    List<FieldSpec> fields = batch.fields();
    for (int f = 0; f < fields.size(); f++) {
      FieldSpec spec = fields.get(f);
      words.add(spec.kind() == FieldSpec.Kind.TEXT ? batch.text(f, slot) : numbers(batch, f, slot));
    }
    return String.join("|", words);
  }

  private static String numbers(Batch batch, int field, int slot) {
    FieldSpec spec = batch.fields().get(field);
    long row = spec.rowBytes();
    long from = spec.ragged() ? batch.offset(field, slot) : slot;
    long to = spec.ragged() ? batch.offset(field, slot + 1) : slot + 1;
    var bytes = batch.values(field).asSlice(from * row, (to - from) * row);
    return switch (spec.dtype()) {
      case INT64 -> Arrays.toString(bytes.toArray(JAVA_LONG_UNALIGNED));
      case FLOAT64 -> Arrays.toString(bytes.toArray(JAVA_DOUBLE_UNALIGNED));
      case FLOAT32 -> Arrays.toString(bytes.toArray(JAVA_FLOAT_UNALIGNED));
      default -> Arrays.toString(bytes.toArray(JAVA_BYTE));
    };
  }

  /// {@return by the samples' identities what all slots that count hold, and their labels}
  private static Map<Long, String> load(Path path, LoadOptions options, Pipeline steps)
      throws IOException {
    Map<Long, String> seen = new TreeMap<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, steps, options)) {
      for (int number = 0; number < 2; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          for (Batch next = epoch.next(); next != null; next = epoch.next()) {
            try (Batch batch = next) {
              for (int i = 0; i < batch.validCount(); i++) {
                String words = batch.label(i) + " " + words(batch, i);
                String before = seen.put(batch.id(i), words);
                assertThat(before).isIn(null, words);
              }
            }
          }
        }
      }
    }
    return seen;
  }

  private static Map<Long, String> load(Path path, LoadOptions options) throws IOException {
    return load(path, options, Tiny.PIPELINE);
  }

  @Test
  void everyValueIsInItsSlot() throws IOException {
    Map<Long, String> seen = load(folder, options(ALL).build());
    assertThat(seen).hasSize(COUNT);
    for (String words : seen.values()) {
      String[] parts = words.split("[ |]", 3);
      int k = Integer.parseInt(parts[1].substring(7, 12));
      boolean lacks = k == 11;
      String boxes = boxes(k).replace("[[", "[").replace("]]", "]").replace("], [", ", ");
      assertThat(words)
          .isEqualTo(
              "%d class%d/%05d.ppm|%s|%s|[%s]|[%d, 1, 2, 3, 4, 5]|[%d]"
                  .formatted(
                      k % 4,
                      3 * k / COUNT,
                      k,
                      lacks ? "" : text(k),
                      boxes,
                      k / 8.0,
                      k,
                      lacks ? -1 : k + 20));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void threadsMakeNoDifference(int threads) throws IOException {
    assertThat(load(folder, options(ALL).threads(threads).readers(threads).build()))
        .isEqualTo(load(folder, options(ALL).build()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tfrecord", "race", "race:blobs=zstd:1,block=4000"})
  void everyContainerKeepsThem(String packing) throws IOException {
    Map<Long, String> expected = load(folder, options(ALL).build());
    String name = packing.replaceAll("\\W", "-");
    Path once = Tiny.convert(folder, root.resolve(name), packing, "none", 3);
    assertThat(load(once, options(ALL).build())).isEqualTo(expected);
    Path back = Tiny.convert(once, root.resolve(name + "-back"), "tar", "none", 2);
    assertThat(load(back, options(ALL).build())).isEqualTo(expected);
  }

  @Test
  void streamsKeepThem() throws IOException {
    Path packed = Tiny.convert(folder, root.resolve("stream"), "tfrecord", "gzip", 3);
    assertThat(load(packed, options(ALL).build())).isEqualTo(load(folder, options(ALL).build()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru:1MiB", "minio:20KiB", "minio:1MiB:decoded", "lru:1MiB:decoded"})
  void cachesKeepThem(String cache) throws IOException {
    CacheSpec kept = CacheSpec.parse(cache);
    Decoding decoding = kept.decoded() ? Decoding.EXACT : Decoding.FAST;
    assertThat(load(folder, options(ALL).cache(kept).decoding(decoding).build()))
        .isEqualTo(load(folder, options(ALL).build()));
  }

  /// Levels of a pyramid are chosen by the crop; fields lie with the smallest.
  @ParameterizedTest
  @ValueSource(strings = {"none", "lru:4MiB"})
  void pyramidsKeepThem(String cache) throws IOException {
    Path photos = Photos.few(root.resolve("photos-" + cache.charAt(0)), 2, 3);
    List<String> lines = new ArrayList<>();
    for (Path group : Photos.sorted(photos)) {
      for (Path photo : Photos.sorted(group)) {
        String name = photos.relativize(photo).toString();
        lines.add("{\"file_name\": \"%s\", \"text\": \"of %s\"}".formatted(name, name));
      }
    }
    Files.write(photos.resolve("metadata.jsonl"), lines);
    Path pyramid =
        Tiny.convert(
            photos,
            root.resolve("pyramid-" + cache.charAt(0)),
            Representation.of("race", "none", "pyramid:85", "keep"),
            2);
    Map<Long, String> seen =
        load(
            pyramid,
            options("key,text").cache(CacheSpec.parse(cache)).build(),
            Pipeline.parse("random_resized_crop=32,uint8,hwc"));
    assertThat(seen.values())
        .hasSize(6)
        .allSatisfy(words -> assertThat(words).matches("-?\\d+ (.+)\\|of \\1"));
  }

  /// Features of the detection kind: lists of floats and whole numbers whose length varies, several
  /// texts, one number; and what a tar makes of them.
  @Test
  void featuresOfExamples() throws IOException, DecodeException {
    Path file = Files.createDirectories(root.resolve("examples")).resolve("a.tfrecord");
    try (var writer =
            new RecordWriter(FileChannel.open(file, CREATE, WRITE), new Compression.None());
        var block = new Block(MemoryBudget.unbounded())) {
      for (int k = 0; k < 6; k++) {
        Map<String, Feature> features = new TreeMap<>();
        features.put("image/encoded", Feature.of(MemorySegment.ofArray(Tiny.picture(k))));
        features.put("image/class/label", Feature.of(k));
        features.put("ids", Feature.of(LongStream.range(0, k % 3).toArray()));
        features.put(
            "image/object/bbox/xmin",
            new Feature.FloatList(IntStream.range(0, k % 3).mapToObj(i -> 0.1f * i).toList()));
        features.put("weight", new Feature.FloatList(List.of(k / 3f)));
        features.put(
            "names",
            new Feature.BytesList(
                IntStream.range(0, 2 + k % 2)
                    .mapToObj(i -> MemorySegment.ofArray(("n" + i).getBytes(UTF_8)))
                    .toList()));
        writer.write(new Example(features).write(block));
      }
    }
    String wanted = "ids,image/object/bbox/xmin,weight,names";
    List<String> expected = new ArrayList<>();
    for (int k = 0; k < 6; k++) {
      float[] xmin = new float[k % 3];
      for (int i = 0; i < xmin.length; i++) {
        xmin[i] = 0.1f * i;
      }
      expected.add(
          "%d %s|%s|[%s]|%s"
              .formatted(
                  k,
                  Arrays.toString(LongStream.range(0, k % 3).toArray()),
                  Arrays.toString(xmin),
                  k / 3f,
                  k % 2 == 0 ? "[\"n0\",\"n1\"]" : "[\"n0\",\"n1\",\"n2\"]"));
    }
    assertThat(load(file, options(wanted).build()).values())
        .containsExactlyInAnyOrderElementsOf(expected);
    Path tar = Tiny.convert(file, root.resolve("examples-tar"), "tar", "none", 1);
    String inTar = "ids.json,image.object.bbox.xmin.json:float32,weight.json:float32:1,names.json";
    assertThat(load(tar, options(inTar).build()).values())
        .map(String::strip)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void pixelsAndOrderAreThoseWithoutFields() throws IOException {
    EpochReport without = Tiny.load(folder, LoadOptions.builder().seed(5).build(), 3);
    EpochReport with = Tiny.load(folder, options(ALL).batchSize(64).build(), 3);
    assertThat(with.digest()).isEqualTo(without.digest());
    assertThat(without.missing()).isEmpty();
    assertThat(with.missing()).isEqualTo(Map.of("text", 1L, "age", 1L));
  }

  @Test
  void badSamplesTakeTheirFieldsAlong() throws IOException {
    String fields = "key,text,boxes,age";
    assertThatThrownBy(() -> load(folder, options(fields).build()))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("field 'age'")
        .hasMessageContaining("age:fill=")
        .hasMessageContaining("00011.ppm");
    Map<Long, String> skipped = load(folder, options(fields).policy(ErrorPolicy.SKIP).build());
    assertThat(skipped).hasSize(COUNT - 1);
    Map<Long, String> whole = load(folder, options("key,text,boxes,age:fill=-1").build());
    assertThat(whole).containsAllEntriesOf(skipped);
    var options =
        options("key,text")
            .policy(ErrorPolicy.SUBSTITUTE)
            .lastBatch(LastBatch.PAD)
            .shuffle(false)
            .fields(FieldRequest.parse("key,text,age"))
            .build();
    try (Dataset dataset = Datasets.open(folder);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      List<String> all = new ArrayList<>();
      for (Batch next = epoch.next(); next != null; next = epoch.next()) {
        try (Batch batch = next) {
          for (int i = 0; i < batch.size(); i++) {
            all.add(words(batch, i));
          }
        }
      }
      assertThat(all).hasSize(32); // 30, and two that fill the last batch up
      assertThat(all.get(11)).isEqualTo(all.get(10)).startsWith("class1/00010.ppm|");
      assertThat(all.get(30)).isEqualTo(all.get(24));
    }
  }

  @Test
  void tooLargeAValueIsNeverCut() {
    assertThatThrownBy(() -> load(folder, options("text:max=8").build()))
        .isInstanceOfSatisfying(
            CorruptDataException.class,
            e -> {
              assertThat(e.fault()).isEqualTo(Fault.LIMIT);
              assertThat(e.reason()).contains("field 'text'", "room for 8", "text:max=");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "text,text",
        "text:float32",
        "text:fill=3",
        "age:fill=x",
        "age:uint8:fill=300",
        "score:wide",
        "",
        "boxes:boxes:int64",
        "boxes:boxes:least=2",
        "boxes:least=0.5",
        "boxes:points:least=1",
        "score:points",
        "boxes:boxes,pose:of=boxes",
        "boxes:boxes:least=0,age:of=boxes",
        "pose:3x2:*"
      })
  void requestsThatMakeNoSenseAreRefused(String fields) {
    assertThatThrownBy(() -> load(folder, options(fields).build()))
        .isInstanceOf(ConfigException.class);
  }

  /// A picture of 10 rows and 20 columns, of which the middle 8 and 10 are taken: of its boxes one
  /// is outside, one inside, one is cut to 7/32, and one has no area.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          0.2; [3.0, 2.0, 4.0, 4.0, 9.0, 1.0, 1.0, 7.0]|[8, 9]|[4.0, 3.0, 2.0, 0.0, 7.0, 0.0]; 2
          0.3; [3.0, 2.0, 4.0, 4.0]|[8]|[4.0, 3.0, 2.0]; 3
          """)
  void boxesOutsideLeaveWithWhatBelongsToThem(
      String least, String expected, long gone, @TempDir Path dir) throws IOException {
    Files.write(dir.resolve("a.ppm"), "P6 20 10 255\n".getBytes(UTF_8));
    Files.write(dir.resolve("a.ppm"), new byte[600], APPEND);
    Files.writeString(
        dir.resolve("metadata.jsonl"),
        """
        {"file_name": "a.ppm", "category": [7, 8, 9, 5],\
         "bbox": [[0, 0, 4, 4], [8, 3, 4, 4], [14, 2, 4, 8], [9, 9, 0, 0]],\
         "pose": [[1, 1, 2], [9, 4, 2], [2, 9, 0], [0, 0, 0]]}
        """);
    String fields =
        "bbox:boxes-xywh:least=%s,category:of=bbox,pose:*x3:points:of=bbox".formatted(least);
    LoadOptions options = options(fields).build();
    Pipeline steps = Pipeline.parse("center_crop=8x10");
    assertThat(load(dir, options, steps).values()).containsExactly("-1 " + expected);
    try (Dataset dataset = Datasets.open(dir);
        var loader = new Loader(dataset, steps, options);
        Epoch epoch = loader.epoch(0)) {
      List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
      assertThat(epoch.report().outside())
          .isEqualTo(Map.of("bbox", gone, "category", gone, "pose", gone));
    }
    // a row each, without the boxes: those outside the result leave, else they go to its edge
    assertThat(load(dir, options("pose:*x3:points:least=1").build(), steps).values())
        .containsExactly("-1 [4.0, 3.0, 2.0]");
    assertThat(load(dir, options("pose:points").build(), steps).values())
        .containsExactly("-1 [0.0, 0.0, 2.0, 4.0, 3.0, 2.0, 0.0, 7.0, 0.0, 0.0, 0.0, 0.0]");
    Path table = dir.resolve("metadata.jsonl");
    Files.writeString(table, Files.readString(table).replace("8, 9, 5]", "8, 9]"));
    assertThatThrownBy(() -> load(dir, options, steps))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("field 'category': 3 rows beside 4 of 'bbox'");
  }

  @Test
  void typesAndShapesAreAsAskedFor() throws IOException {
    try (Dataset dataset = Datasets.open(folder);
        var loader =
            new Loader(
                dataset,
                Tiny.PIPELINE,
                options("text,boxes:float32,score,pose:*x2,age:text,key").build())) {
      assertThat(loader.layout().fields())
          .extracting(FieldSpec::toString)
          .containsExactly(
              "text text",
              "boxes float32 [*, 4]",
              "score float64",
              "pose int64 [*, 2]",
              "age text",
              "key text");
      for (int f = 0; f < loader.layout().fields().size(); f++) {
        assertThat(loader.layout().values(f) % 64).isZero();
        if (loader.layout().fields().get(f).ragged()) {
          assertThat(loader.layout().offsets(f) % 64).isZero();
        }
      }
    }
    assertThat(load(folder, options("boxes:float32").build()).values())
        .contains("2 [2.0, 0.0, 3.0, 4.0, 2.0, 1.0, 3.0, 4.0]");
  }

  @Test
  void memoryForFieldsIsBounded() {
    assertThatThrownBy(() -> load(folder, options("text:max=1GiB").memory(64 << 20).build()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("with their fields")
        .hasMessageContaining("NAME:max=SIZE");
  }
}
