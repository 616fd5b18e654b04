package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SetDigest;
import io.headrace.format.example.Example;
import io.headrace.format.example.Feature;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.tar.archive.MemberReader;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.StreamBytes;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written is read back as it was, by our reader and under WebDataset's rules.
class TarContainerTest {
  private static final String JPEG = "\u00ff\u00d8\u00ff";

  @TempDir private Path folder;

  /// A sample to be written; fields are name, value pairs, `feature:NAME` a serialised feature.
  private record Item(String key, long label, String image, List<String> fields) {
    Item(String key, long label) {
      this(key, label, JPEG + key.length(), List.of());
    }
  }

  private static byte[] write(Compression compression, List<Item> items) throws IOException {
    var container = new TarContainer(compression);
    var bytes = new ByteArrayOutputStream();
    try (var packer = container.newPacker();
        var writer =
            container.newShard(new ShardTarget(Channels.newChannel(bytes), Path.of("s"), 0, 1));
        var packed = new Block(MemoryBudget.unbounded());
        var image = new Block(MemoryBudget.unbounded());
        var source = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (Item item : items) {
        fill(source, item.fields());
        MemorySegment encoded = put(image, 0, item.image().getBytes(ISO_8859_1));
        var meta = new SampleMeta(item.key(), item.label(), "", "jpeg", 1, 1, 3);
        long length = packer.pack(meta, encoded, source, packed);
        writer.write(meta, packed.memory().asSlice(0, length));
      }
      writer.finish();
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static void fill(Sample source, List<String> fields) throws DecodeException {
    source.place("", 0, 0);
    long at = 0;
    for (int f = 0; f < fields.size(); f += 2) {
      boolean feature = fields.get(f).startsWith("feature:");
      byte[] name = fields.get(f).substring(feature ? 8 : 0).getBytes(UTF_8);
      byte[] value = fields.get(f + 1).getBytes(ISO_8859_1);
      MemorySegment _ = put(source.block(), at, name);
      MemorySegment _ = put(source.block(), at + name.length, value);
      source.addField(at, name.length, at + name.length, value.length, feature);
      at += name.length + value.length;
    }
  }

  private static MemorySegment put(Block block, long at, byte[] bytes) throws DecodeException {
    MemorySegment into = block.ensureKeeping(at + bytes.length).asSlice(at, bytes.length);
    into.copyFrom(MemorySegment.ofArray(bytes));
    return into;
  }

  private List<String> read(byte[] tar) throws IOException {
    try (Tars data = Tars.open(Files.write(folder.resolve("t.tar"), tar), ShardOptions.DEFAULT)) {
      List<String> lines = Outcomes.both(data);
      assertThat(data.warnings()).allMatch(w -> w.contains("have no label"));
      return lines;
    }
  }

  /// {@return the names of an archive's members, in order}
  private static List<String> names(byte[] tar) throws IOException {
    List<String> names = new ArrayList<>();
    var in = new StreamBytes(Channels.newChannel(new java.io.ByteArrayInputStream(tar)), 0, 4096);
    try (in;
        var members = new MemberReader(in, "", new Notes())) {
      while (members.next()) {
        names.add(members.name());
        long _ = in.skip(TarHeader.padded(members.size()));
      }
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Test
  void everyKeyComesBackAndNoTwoSamplesBecomeOne() throws IOException {
    List<String> keys =
        List.of(
            "cat/0001.jpg",
            "cat/0001.JPEG", // the same stem in other words
            "cat/0001.jpe",
            "cat/0001.png", // an extension that does not fit the content
            "cat/img.v1.jpg",
            "cat/img.v2.jpg",
            "cat/img_v1.jpg", // what dots become
            "d.o.t/a.jpg",
            "/abs/1.jpg",
            "../../up/1.jpg",
            "a/../b.jpg",
            "./000.JPG",
            "__meta__/a.jpg",
            "__a__.jpg",
            ".hidden.jpg",
            "d/.jpg",
            "no-extension",
            "part-00000-of-00016.tfrecord#7",
            "a//b.jpg",
            "tail/",
            "k".repeat(96) + ".jpg",
            "k".repeat(97) + ".jpg",
            "k".repeat(150) + ".jpg",
            "f".repeat(90) + "/" + "g".repeat(64) + "/" + "n".repeat(95) + ".jpg",
            "x/".repeat(400) + "1.jpg",
            "häuser/straße ☃/猫.jpg",
            "猫".repeat(60) + ".jpg",
            "line\nbreak.jpg",
            "nul\0.jpg",
            "c/" + "y".repeat(300) + ".v1.jpg");
    List<Item> items = keys.stream().map(k -> new Item(k, k.length())).toList();
    byte[] tar = write(new Compression.None(), items);
    List<String> expected =
        keys.stream().map(k -> k + " " + k.length() + " " + JPEG + k.length()).toList();
    assertThat(read(tar)).isEqualTo(expected);
    Set<String> stems = new HashSet<>();
    List<String> names = names(tar);
    for (int i = 0; i < names.size(); i += 2) {
      String name = names.get(i);
      assertThat(name).doesNotStartWith("/").doesNotContain("..", "\0").isNotEqualTo("");
      String base = name.substring(name.lastIndexOf('/') + 1);
      assertThat(base.chars().filter(c -> c == '.').count()).isEqualTo(1);
      String stem = name.substring(0, name.lastIndexOf('.'));
      assertThat(stems.add(stem)).as(stem).isTrue();
      assertThat(names.get(i + 1)).isEqualTo(stem + ".cls");
    }
    assertThat(names)
        .startsWith("cat/0001.jpg", "cat/0001.cls", "cat/0001-2.JPEG", "cat/0001-2.cls");
    assertThat(names).contains("./000.JPG", "abs/1.jpg", "up/1.jpg", "cat/img_v1.jpg");
  }

  @Test
  void plainNamesAreUstarAlone() throws IOException {
    byte[] tar = write(new Compression.None(), List.of(new Item("cat/0001.JPEG", 3)));
    byte[] expected =
        new Tarball().file("cat/0001.JPEG", JPEG + "13").file("cat/0001.cls", "3").zeros(2).bytes();
    assertThat(tar).hasSize(10240);
    assertThat(names(tar)).containsExactly("cat/0001.JPEG", "cat/0001.cls");
    for (int i = 0; i < expected.length; i++) {
      boolean device = i % 1024 >= 329 && i % 1024 < 345;
      boolean sum = i % 1024 >= 148 && i % 1024 < 156;
      assertThat(device || sum || tar[i] == expected[i]).as("byte %d", i).isTrue();
    }
  }

  @Test
  void labelsAndFieldsComeBack() throws IOException {
    var item =
        new Item(
            "a.jpg",
            Sample.NO_LABEL,
            JPEG,
            List.of(
                "json",
                "{}",
                "image/object/bbox",
                "x",
                "cls",
                "c",
                "JPG",
                "j",
                "jpg",
                "k",
                "Txt",
                "t",
                "",
                "e",
                "__x__",
                "m",
                "\u00fcber",
                "u"));
    assertThat(read(write(new Compression.None(), List.of(item, new Item("b.jpg", -5)))))
        .containsExactly(
            "a.jpg - "
                + JPEG
                + " json={} image.object.bbox=x cls_=c jpg_=j jpg__=k txt=t field=e __x__-=m"
                + " über=u",
            "b.jpg -5 " + JPEG + "5");
  }

  @Test
  void featuresAreWrittenAsJson() throws IOException {
    var json = new ArrayList<String>();
    for (Feature feature :
        List.of(
            Feature.of(1, -2, Long.MAX_VALUE),
            new Feature.FloatList(List.of(0.1f, 1e10f, Float.NaN, Float.NEGATIVE_INFINITY)),
            Feature.of("a\"b\n猫"),
            Feature.of(MemorySegment.ofArray(new byte[] {(byte) 0xff, 0})),
            new Feature.BytesList(List.of()))) {
      String bytes = new String(serialised(feature), ISO_8859_1);
      byte[] tar =
          write(
              new Compression.None(),
              List.of(new Item("a.jpg", 1, JPEG, List.of("feature:o/x", bytes))));
      String line = read(tar).getFirst();
      json.add(
          new String(line.substring(line.indexOf('=') + 1).getBytes(ISO_8859_1), UTF_8).strip());
      assertThat(line).startsWith("a.jpg 1 " + JPEG + " o.x.json=");
    }
    assertThat(json)
        .containsExactly(
            "[1,-2,9223372036854775807]",
            "[0.1,1.0E10,\"NaN\",\"-Infinity\"]",
            "[\"a\\\"b\\n猫\"]",
            "{\"base64\":[\"/wA=\"]}",
            "[]");
  }

  /// {@return the feature as it stands in an Example: after the name and two lengths}
  private static byte[] serialised(Feature feature) {
    try (var block = new Block(MemoryBudget.unbounded())) {
      byte[] example =
          new Example(Map.of("n", feature))
              .write(block)
              .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
      // 0a len 0a len 0a 01 'n' 12 len: one byte each below 128
      return java.util.Arrays.copyOfRange(example, 9, example.length);
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsNoImageIsRefusedBeforeItIsWritten() {
    var container = new TarContainer(new Compression.None());
    try (var packer = container.newPacker();
        var packed = new Block(MemoryBudget.unbounded());
        var source = new Sample(new Block(MemoryBudget.unbounded()))) {
      var text = MemorySegment.ofArray("hello".getBytes(UTF_8));
      var unnamed = new SampleMeta("k", 1, "", "", 1, 1, 3);
      assertThatThrownBy(() -> packer.pack(unnamed, text, source, packed))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("neither key nor content say");
      var long64 = new SampleMeta("k".repeat(70_000) + ".jpg", 1, "", "", 1, 1, 3);
      assertThatThrownBy(() -> packer.pack(long64, text, source, packed))
          .hasMessageContaining("a key of more than 65536 bytes");
    }
  }

  /// Odd input 41, as far as the writer is concerned: nothing is written before a sample, and a
  /// shard that has none is an archive all the same.
  @Test
  void nothingIsWrittenBeforeTheFirstSample() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var target = new ShardTarget(Channels.newChannel(bytes), Path.of("s"), 0, 1);
    try (var writer = new TarContainer(new Compression.None()).newShard(target)) {
      assertThat(bytes.size()).isZero();
      writer.finish();
      assertThat(bytes.toByteArray()).isEqualTo(new byte[10240]);
    }
  }

  @Test
  void everyCompressionIsFoundOutByContentAndReadBack() throws IOException {
    List<Item> items = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      items.add(
          new Item("c%d/%d.jpg".formatted(i % 2, i), i % 2, JPEG + i, List.of("txt", "t" + i)));
      expected.add("c%d/%d.jpg %d %s%d txt=t%d".formatted(i % 2, i, i % 2, JPEG, i, i));
    }
    for (Compression compression :
        List.of(
            new Compression.None(),
            Compression.Zlib.DEFAULT,
            Compression.Gzip.DEFAULT,
            Compression.Zstd.DEFAULT,
            Compression.Lz4.DEFAULT,
            new Compression.Snappy(),
            new Compression.Xz(0),
            new Compression.Bzip2(1),
            new Compression.Lzma(0),
            new Compression.Lzop())) {
      byte[] tar = write(compression, items);
      assertThat(write(compression, items)).isEqualTo(tar);
      Path file = Files.write(folder.resolve("misnamed"), tar);
      try (var data = Datasets.open(file)) {
        assertThat(Outcomes.both(data)).isEqualTo(expected);
        assertThat(data.indexed()).isEqualTo(compression instanceof Compression.None);
        assertThat(data.size()).isEqualTo(data.indexed() ? 50 : -1);
        assertThat(data.warnings()).isEmpty();
      }
      assertThatThrownBy(() -> Tars.open(file, new ShardOptions(other(compression), false, 27)))
          .hasMessageStartingWith("MISMATCH: declared as");
      try (var data =
          Tars.open(
              Files.write(file, java.util.Arrays.copyOf(tar, tar.length / 2 + 1)),
              ShardOptions.DEFAULT)) {
        List<String> lines = Outcomes.stream(data);
        assertThat(lines.getLast()).matches("(?s)(TRUNCATED|CORRUPT).*");
        assertThat(lines.subList(0, lines.size() - 1))
            .isEqualTo(expected.subList(0, lines.size() - 1));
      }
    }
  }

  private static io.headrace.codec.stream.StreamKind other(Compression compression) {
    var zstd = io.headrace.codec.stream.StreamKind.ZSTD;
    return compression.kind() == zstd ? io.headrace.codec.stream.StreamKind.NONE : zstd;
  }

  @Test
  void aFolderWithManifestIndexAndShardsIsHeldAgainstIt() throws IOException {
    List<Manifest.Shard> shards = new ArrayList<>();
    var digest = new SetDigest();
    for (int s = 0; s < 2; s++) {
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        items.add(new Item("a/%d%d.jpg".formatted(s, i), 0));
        digest.add(io.headrace.format.SampleIds.of("a/%d%d.jpg".formatted(s, i)), 0);
      }
      byte[] tar = write(new Compression.None(), items);
      String name = "x-0000%d-of-00002.tar".formatted(s);
      Files.write(folder.resolve(name), tar);
      shards.add(new Manifest.Shard(name, tar.length, 5, ""));
    }
    new TarContainer(new Compression.None())
        .complete(folder, shards.stream().map(Manifest.Shard::file).toList());
    assertThat(Files.readString(folder.resolve("index.json")))
        .contains("wids-shard-index-v1", "\"nsamples\" : 5", "\"url\" : \"x-00001-of-00002.tar\"");
    manifest(shards, 10, digest.hex()).write(folder);
    try (var data = Datasets.open(folder)) {
      assertThat(data.classes()).containsExactly("a");
      assertThat(data.size()).isEqualTo(10);
      assertThat(data.setDigest()).isEqualTo(digest.hex());
      assertThat(Outcomes.both(data)).hasSize(10).allMatch(l -> l.startsWith("a/"));
    }
    byte[] shorter = write(new Compression.None(), List.of(new Item("a/00.jpg", 0)));
    Files.write(folder.resolve(shards.getFirst().file()), shorter);
    try (var data = Datasets.open(folder)) {
      assertThat(Outcomes.stream(data))
          .hasSize(7)
          .contains("TRUNCATED: 1 samples, but the manifest says 5");
      assertThat(Outcomes.read(data)).hasSize(10).filteredOn(l -> l.startsWith("TRUNC")).hasSize(4);
    }
    manifest(List.of(new Manifest.Shard(shards.getLast().file(), 1, 2, "")), 2, "").write(folder);
    try (var data = Datasets.open(folder)) {
      assertThat(Outcomes.stream(data).getLast()).startsWith("MISMATCH: 5 samples, but");
      assertThatThrownBy(data::openReader).hasMessageStartingWith("MISMATCH: more than the 2");
    }
    Files.delete(folder.resolve(shards.getFirst().file()));
    Files.delete(folder.resolve(Manifest.FILE));
    assertThatThrownBy(() -> Datasets.open(folder)).hasMessageContaining("is missing: 1 of 2");
    try (var data =
        Tars.open(
            folder.resolve("x-{00001..00001}-of-00002.tar"), new ShardOptions(null, true, 27))) {
      assertThat(data.size()).isEqualTo(5);
    }
    assertThat(new TarOpener().opens(folder.resolve("x-*"))).isTrue();
    assertThat(new TarOpener().opens(folder.resolve("gone.tar"))).isFalse();
  }

  private static Manifest manifest(List<Manifest.Shard> shards, long samples, String digest) {
    return new Manifest(
        "x", "0", "tar", "none", "keep", List.of("a"), samples, shards, digest, "", null, Map.of());
  }
}
