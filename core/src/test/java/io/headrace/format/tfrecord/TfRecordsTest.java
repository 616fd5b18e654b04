package io.headrace.format.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.StreamKind;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.example.Example;
import io.headrace.format.example.Feature;
import io.headrace.format.files.ShardName;
import io.headrace.format.shard.ShardOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TfRecordsTest {
  private static final List<Compression> KINDS =
      List.of(
          new Compression.None(),
          Gzip.DEFAULT,
          Zlib.DEFAULT,
          Zstd.DEFAULT,
          Compression.Lz4.DEFAULT,
          new Compression.Snappy(),
          new Compression.Xz(0),
          new Compression.Bzip2(1));

  @TempDir private Path folder;

  private static byte[] image(String key, int label, int bytes) {
    try (var block = new Block(MemoryBudget.unbounded())) {
      var record = new ImageRecord(key, label, "c" + label, "jpeg", 4, 3, 3);
      return record
          .write(MemorySegment.ofArray(new byte[bytes]), block)
          .toArray(ValueLayout.JAVA_BYTE);
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  private static List<byte[]> images(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> image("k" + i, i, 10 + i)).toList();
  }

  private Path put(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private Path put(String name, List<byte[]> payloads) throws IOException {
    return put(name, Records.write(payloads, new Compression.None()));
  }

  /// {@return keys of all samples by number; a fault stands as its kind}
  private static List<String> read(TfRecords data) throws IOException {
    List<String> keys = new ArrayList<>();
    try (var reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (long i = 0; i < data.size(); i++) {
        try {
          reader.read(i, sample);
          keys.add(sample.key());
        } catch (CorruptDataException e) {
          keys.add(e.fault().name());
        }
      }
    }
    return keys;
  }

  private static List<String> stream(TfRecords data) throws IOException {
    List<String> keys = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int s = 0; s < data.shards().size(); s++) {
        try (var cursor = data.openCursor(s)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more) {
                keys.add(sample.key());
              }
            } catch (CorruptDataException e) {
              keys.add(e.fault().name());
              more = cursor.resumable();
            }
          }
        }
      }
    }
    return keys;
  }

  private static TfRecords open(Path path) throws IOException {
    return TfRecords.open(path, ShardOptions.DEFAULT);
  }

  @Test
  void readsTensorFlowsImages() throws IOException {
    Path file = put("images.tfrecord", TensorFlowFixturesTest.bytes("images.tfrecord"));
    JsonNode records = TensorFlowFixturesTest.json("images.json").get("records");
    try (var data = open(file);
        var reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThat(data.size()).isEqualTo(records.size());
      for (int i = 0; i < records.size(); i++) {
        reader.read(i, sample);
        JsonNode record = records.get(i);
        assertThat(sample.key()).isEqualTo(record.get("image/filename").asString());
        assertThat(sample.label()).isEqualTo(record.get("image/class/label").asLong());
        assertThat(sample.encodedBytes()).isEqualTo(record.get("encoded_length").asLong());
        assertThat(io.headrace.codec.ImageFormat.detect(sample.encoded())).isNotNull();
      }
    }
  }

  /// Odd input 1.
  @Test
  void compressionIsFoundOutOrDeclaredRight() throws IOException {
    List<byte[]> payloads = List.of(new byte[] {'a', 'b', 'c'}, new byte[] {'d'}, new byte[0]);
    for (Compression stored : KINDS) {
      String name =
          stored.kind() + (stored.kind() == StreamKind.ZLIB ? ".tfrecord.zz" : ".tfrecord");
      Path file = put(name, Records.write(payloads, stored));
      try (var data = open(file)) {
        assertThat(data.count()).isEqualTo(3);
        assertThat(data.indexed()).isEqualTo(stored.kind() == StreamKind.NONE);
        assertThat(data.size()).isEqualTo(data.indexed() ? 3 : -1);
      }
      for (StreamKind declared : StreamKind.values()) {
        var options = ShardOptions.compressed(declared.name());
        if (declared == stored.kind()) {
          try (var data = TfRecords.open(file, options)) {
            assertThat(data.count()).isEqualTo(3);
          }
        } else {
          assertThatThrownBy(() -> TfRecords.open(file, options))
              .isInstanceOf(CorruptDataException.class)
              .hasMessageStartingWith("MISMATCH: declared as " + declared.label())
              .hasMessageContaining(stored.label())
              .hasMessageContaining("[file=" + file);
        }
      }
    }
    assertThatThrownBy(() -> ShardOptions.compressed("GZ1P"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("GZ1P");
    assertThat(ShardOptions.compressed("auto")).isEqualTo(ShardOptions.DEFAULT);
  }

  /// A length may look like magic: 0x088b1f is gzip's, 376 = 0x0178 is zlib's.
  /// `SequenceExample { Features context = 1; FeatureLists feature_lists = 2 }`, by the wire
  /// format.
  @Test
  void aSequenceExampleIsUnsupportedByItsName() throws IOException {
    byte[] message = {0x0a, 0, 0x12, 9, 0x0a, 7, 0x0a, 3, 'a', '/', 'b', 0x12, 0};
    try (var data = open(put("s.tfrecord", Records.plain(message)));
        var reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      assertThatThrownBy(() -> reader.read(0, sample))
          .isInstanceOfSatisfying(
              CorruptDataException.class,
              e -> {
                assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED);
                assertThat(e.reason())
                    .startsWith("a tf.train.SequenceExample, with lists of features (a/b)");
              });
    }
  }

  @Test
  void aSoundLengthWinsOverMagicBytes() throws IOException {
    for (int length : new int[] {0x088b1f, 0x0178}) {
      byte[] file = Records.plain(new byte[length]);
      assertThat(StreamKind.sniff(MemorySegment.ofArray(file))).isNotEqualTo(StreamKind.NONE);
      assertThat(StreamDetector.detect(MemorySegment.ofArray(file))).isEqualTo(StreamKind.NONE);
    }
    byte[] damaged = Corrupter.flipBit(Records.plain(new byte[0x0178]), 8 * 7);
    try (var data = open(put("d.tfrecord", damaged))) {
      assertThat(read(data)).containsExactly("CORRUPT");
    }
  }

  /// Odd input 9.
  @Test
  void emptyFileAmongGoodOnesIsNoRecordsAndAWarning() throws IOException {
    for (String suffix : List.of("", ".gz")) {
      Path a = put("a.tfrecord" + suffix, images(0, 2));
      Path b = put("b.tfrecord" + suffix, new byte[0]);
      Path c = put("c.tfrecord" + suffix, images(2, 5));
      try (var data = TfRecords.open(folder, List.of(a, b, c), ShardOptions.DEFAULT)) {
        assertThat(read(data)).containsExactly("k0", "k1", "k2", "k3", "k4");
        assertThat(stream(data)).isEqualTo(read(data));
        assertThat(data.warnings()).containsExactly(b + " is empty: no records");
      }
      for (Path file : List.of(a, b, c)) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> open(folder.resolve("*.tfrecord")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("no input files match " + folder.resolve("*.tfrecord"));
    assertThatThrownBy(() -> open(folder)).hasMessage("no input files match " + folder);
    assertThatThrownBy(() -> TfRecords.open(folder, List.of(), ShardOptions.DEFAULT))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> open(folder.resolve("gone")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("gone");
  }

  /// Odd inputs 5 and 7 by number: what the index cannot reach is one sample that throws.
  @Test
  void aDamagedTailCannotGoUnnoticed() throws IOException {
    byte[] good = Records.write(images(0, 5), new Compression.None());
    byte[] three = Records.write(images(0, 2), new Compression.None());
    Path _ = put("a.tfrecord", Corrupter.flipBit(good, 8L * (three.length + 3)));
    Path _ = put("b.tfrecord", Corrupter.cut(good, three.length + 5));
    Path _ = put("c.tfrecord", images(7, 8));
    try (var data = open(folder)) {
      assertThat(data.size()).isEqualTo(7);
      var expected = List.of("k0", "k1", "CORRUPT", "k0", "k1", "TRUNCATED", "k7");
      assertThat(read(data)).isEqualTo(expected);
      assertThat(stream(data)).isEqualTo(expected);
      try (var reader = data.openReader();
          var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
        assertThatThrownBy(() -> reader.read(2, sample))
            .hasMessageContaining("length CRC-32C")
            .hasMessageContaining("record=2, offset=" + three.length)
            .hasMessageContaining(
                "the last %d bytes are dropped".formatted(good.length - three.length));
      }
    }
  }

  @Test
  void aDamagedPayloadIsReportedByNumberToo() throws IOException {
    byte[] good = Records.write(images(0, 3), new Compression.None());
    Path file = put("a.tfrecord", Corrupter.flipBit(good, 8 * 20));
    try (var data = open(file)) {
      assertThat(read(data)).containsExactly("CORRUPT", "k1", "k2");
      assertThat(stream(data)).containsExactly("CORRUPT", "k1", "k2");
    }
  }

  /// Odd input 15: an index holds for the bytes it was built from, and no others.
  @Test
  void rewrittenFileIsAMismatch() throws IOException {
    Path file = put("a.tfrecord", images(0, 3));
    try (var data = open(file);
        var reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      reader.read(1, sample);
      Path _ = put("a.tfrecord", List.of(image("x", 0, 50), image("y", 0, 7), image("z", 0, 12)));
      assertThatThrownBy(() -> reader.read(1, sample))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageStartingWith("MISMATCH: the file has changed since it was indexed")
          .hasMessageContaining("[file=" + file + ", record=1");
      Path _ = put("a.tfrecord", new byte[10]);
      assertThatThrownBy(() -> reader.read(2, sample)).hasMessageStartingWith("MISMATCH");
    }
  }

  @Test
  void fileReplacedBeforeTheFirstReadIsAMismatch() throws IOException {
    Path file = put("a.tfrecord", images(0, 3));
    try (var data = open(file)) {
      Path _ = put("a.tfrecord", images(0, 4));
      assertThat(read(data)).containsExactly("MISMATCH");
    }
  }

  @Test
  void recordsThatAreNoImagesAreNamed() throws IOException {
    byte[] noExample = "hello".getBytes(StandardCharsets.US_ASCII);
    byte[] other = write(Map.of("x", Feature.of(1), "y", Feature.of("z")));
    byte[] noKey = write(Map.of("image/encoded", Feature.of("img"), "label", Feature.of(-5)));
    byte[] datasets =
        write(
            Map.of(
                "image", Feature.of("img"),
                "label", Feature.of(3),
                "file_name", Feature.of("f.png")));
    Path file = put("s.tfrecord", List.of(noExample, other, noKey, datasets, new byte[0]));
    try (var data = open(file);
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var reader = data.openReader()) {
      var expected = List.of("MISMATCH", "MISMATCH", "s.tfrecord#2", "f.png", "MISMATCH");
      assertThat(read(data)).isEqualTo(expected);
      assertThat(stream(data)).isEqualTo(expected);
      assertThatThrownBy(() -> reader.read(0, sample))
          .hasMessageContaining("not a tf.train.Example")
          .hasMessageContaining("record=0, offset=0");
      assertThatThrownBy(() -> reader.read(1, sample))
          .hasMessageContaining("of 2 features, but none is image/encoded")
          .hasMessageContaining("record=1, key=s.tfrecord#1, offset=21");
      reader.read(2, sample);
      assertThat(sample.label()).isEqualTo(-5);
      reader.read(3, sample);
      assertThat(sample.label()).isEqualTo(3);
      assertThat(sample.encoded().toArray(ValueLayout.JAVA_BYTE)).asString().isEqualTo("img");
    }
  }

  private static byte[] write(Map<String, Feature> features) {
    try (var block = new Block(MemoryBudget.unbounded())) {
      return new Example(features).write(block).toArray(ValueLayout.JAVA_BYTE);
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shardsAreFoundSortedAndCounted() throws IOException {
    for (int i = 0; i < 12; i++) {
      var name = new ShardName("train", i, 12, ".tfrecord");
      assertThat(ShardName.parse(name.fileName())).isEqualTo(name);
      Path _ = put(name.fileName(), images(i, i + 1));
    }
    Path _ = put("dataset.json.tmp", new byte[3]);
    Path _ = put(".train-00099-of-00012.tfrecord", new byte[3]);
    for (Path path : List.of(folder, folder.resolve("train-*-of-00012*"))) {
      try (var data = open(path)) {
        assertThat(data.shards()).hasSize(12);
        assertThat(read(data))
            .containsExactlyElementsOf(IntStream.range(0, 12).mapToObj(i -> "k" + i).toList());
      }
    }
    Files.delete(folder.resolve("train-00007-of-00012.tfrecord"));
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("train-00007-of-00012.tfrecord is missing: 11 of 12 are there");
    try (var data = TfRecords.open(folder, new ShardOptions(null, true, 27))) {
      assertThat(data.size()).isEqualTo(11);
    }
    try (var data = open(folder.resolve("train-00003-of-00012.tfrecord"))) {
      assertThat(data.size()).isEqualTo(1);
    }
    Path first = folder.resolve("train-00000-of-00012.tfrecord");
    var twice = List.of(first, first);
    assertThatThrownBy(() -> TfRecords.open(folder, twice, ShardOptions.DEFAULT))
        .hasMessageContaining("is given twice");
  }

  @Test
  void manifestGivesClassesAndCountsAndIsHeldAgainstTheFiles() throws IOException {
    for (Compression compression : KINDS) {
      byte[] good = Records.write(images(0, 5), compression);
      Path file = put("a.tfrecord", good);
      manifest(compression, good.length, 5).write(folder);
      try (var data = (TfRecords) Datasets.open(folder)) {
        assertThat(data.size()).isEqualTo(5);
        assertThat(data.classes()).containsExactly("c0", "c1");
        assertThat(data.count()).isEqualTo(5);
        assertThat(stream(data)).containsExactly("k0", "k1", "k2", "k3", "k4");
      }
      // whole records missing: a clean end, were it not for the manifest
      Path _ = Files.write(file, Records.write(images(0, 3), compression));
      try (var data = (TfRecords) Datasets.open(folder)) {
        assertThat(stream(data)).containsExactly("k0", "k1", "k2", "TRUNCATED");
        if (data.indexed()) {
          assertThat(read(data)).containsExactly("k0", "k1", "k2", "TRUNCATED", "TRUNCATED");
        }
      }
      manifest(compression, good.length, 2).write(folder);
      try (var data = (TfRecords) Datasets.open(folder)) {
        assertThat(stream(data)).containsExactly("k0", "k1", "k2", "MISMATCH");
        if (data.indexed()) {
          assertThatThrownBy(data::openReader).hasMessageContaining("MISMATCH: more than the 2");
        }
      }
    }
    Files.delete(folder.resolve("a.tfrecord"));
    assertThatThrownBy(() -> Datasets.open(folder))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("a.tfrecord");
  }

  private static Manifest manifest(Compression compression, long bytes, long samples) {
    return new Manifest(
        "n",
        "0",
        "tfrecord",
        compression.spec(),
        "jpeg",
        List.of("c0", "c1"),
        samples,
        List.of(new Manifest.Shard("a.tfrecord", bytes, samples, "")),
        "",
        "",
        null,
        Map.of());
  }

  @Test
  void compressedShardsOnlyStream() throws IOException {
    Path _ = put("a.tfrecord", Records.write(images(0, 2), Gzip.DEFAULT));
    try (var data = TfRecords.open(folder, ShardOptions.DEFAULT)) {
      assertThat(data.size()).isEqualTo(-1);
      assertThatThrownBy(data::openReader).isInstanceOf(UnsupportedOperationException.class);
      assertThat(stream(data)).containsExactly("k0", "k1");
      assertThat(data.storedBytes()).isEqualTo(Files.size(folder.resolve("a.tfrecord")));
    }
  }
}
