package io.headrace.format.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.race.RaceFixture.Pictured;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RaceTest {
  @TempDir static Path shared;
  private static final List<Pictured> PROGRESSIVE = new ArrayList<>();

  @BeforeAll
  static void makeProgressive() throws IOException, DecodeException {
    Path photos = Photos.few(shared.resolve("photos"), 2, 4);
    try (var transcoder = new JpegTranscoder();
        var out = new Block(MemoryBudget.unbounded());
        Dataset folder = Datasets.open(photos);
        Dataset.SampleReader reader = folder.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (long i = 0; i < folder.size(); i++) {
        reader.read(i, sample);
        long bytes =
            transcoder
                .transcode(
                    sample.encoded(), new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL), out)
                .bytes();
        byte[] jpeg = out.memory().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        PROGRESSIVE.add(Pictured.of(sample.key(), sample.label(), "jpeg", jpeg));
      }
    }
  }

  static Stream<RaceOptions> options() {
    byte[] learned = learn();
    var dictionary = ZstdDictionary.of(MemorySegment.ofArray(learned));
    return Stream.of(
        RaceOptions.PLAIN,
        RaceOptions.grouped(ScanGroups.DEFAULT),
        new RaceOptions(ScanGroups.EACH_SCAN, 1, new BlobCompression.Zstd(3), 0),
        new RaceOptions(null, 3, new BlobCompression.Lz4(0), 0),
        new RaceOptions(ScanGroups.DEFAULT, 4, new BlobCompression.Zstd(1), 3000),
        new RaceOptions(null, 3, new BlobCompression.Lz4(3), 500),
        new RaceOptions(null, 2, new BlobCompression.Zstd(3, dictionary), 0));
  }

  private static byte[] learn() {
    Random random = new Random(1);
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> samples = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        byte[] text =
            ("a caption of sample " + random.nextInt(50))
                .repeat(8)
                .getBytes(StandardCharsets.UTF_8);
        MemorySegment sample = arena.allocate(text.length);
        MemorySegment.copy(text, 0, sample, ValueLayout.JAVA_BYTE, 0, text.length);
        samples.add(sample);
      }
      return ZstdDictionary.train(samples, 1024).bytes();
    }
  }

  /// Samples of all kinds: of any size, none too; with levels, tiles and fields or without.
  static List<Pictured> anySamples(Random random, int count, int mostLevels) {
    List<Pictured> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int levels = 1 + random.nextInt(mostLevels);
      boolean tiled = random.nextInt(3) == 0;
      List<byte[]> images = new ArrayList<>();
      List<byte[]> tables = new ArrayList<>();
      for (int level = 0; level < levels; level++) {
        images.add(anyBytes(random, 2000));
        if (tiled) {
          tables.add(anyBytes(random, 50));
        }
      }
      if (tiled && tables.getFirst().length == 0) {
        tables.set(0, new byte[] {1});
      }
      Map<String, byte[]> fields = new TreeMap<>();
      for (int field = random.nextInt(3); field > 0; field--) {
        fields.put(field == 1 ? "json" : "image/größe", anyBytes(random, 300));
      }
      samples.add(
          new Pictured(
              "klasse %d/größe-%d.bin".formatted(i % 3, i),
              random.nextInt(4) == 0 ? -1 : random.nextLong(Long.MAX_VALUE),
              "raw",
              images,
              tables,
              fields));
    }
    return samples;
  }

  private static byte[] anyBytes(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(5) == 0 ? 0 : random.nextInt(most)];
    if (random.nextBoolean()) {
      random.nextBytes(bytes);
    }
    return bytes;
  }

  private static void assertSame(Pictured found, Pictured written, int level) {
    assertThat(found.key()).isEqualTo(written.key());
    assertThat(found.label()).isEqualTo(written.label());
    assertThat(found.image()).isEqualTo(written.levels().get(level));
    byte[] tiles = written.tiles().isEmpty() ? new byte[0] : written.tiles().get(level);
    assertThat(found.tiles().isEmpty() ? new byte[0] : found.tiles().getFirst()).isEqualTo(tiles);
    assertThat(found.fields().keySet()).isEqualTo(written.fields().keySet());
    written.fields().forEach((k, v) -> assertThat(found.fields().get(k)).isEqualTo(v));
  }

  @ParameterizedTest
  @MethodSource("options")
  void whatIsWrittenIsRead(RaceOptions options, @TempDir Path dir)
      throws IOException, DecodeException {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<Pictured> written = anySamples(random, random.nextInt(150), options.levels());
      Path file = RaceFixture.write(dir.resolve("x.race"), options, written);
      try (Dataset dataset = Datasets.open(file);
          Dataset.SampleReader reader = dataset.openReader();
          var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
        assertThat(dataset.size()).isEqualTo(written.size());
        assertThat(dataset.groups()).isEqualTo(options.groups());
        for (int fidelity = 1; fidelity <= options.groups(); fidelity++) {
          List<Pictured> read = new ArrayList<>();
          RaceFixture.readAll(dataset, fidelity, read);
          assertThat(read).hasSameSizeAs(written);
          for (int i = 0; i < read.size(); i++) {
            int level = Math.min(fidelity, written.get(i).levels().size()) - 1;
            assertSame(read.get(i), written.get(i), level);
            int any = random.nextInt(read.size());
            reader.read(any, fidelity, sample);
            level = Math.min(fidelity, written.get(any).levels().size()) - 1;
            assertSame(RaceFixture.read(sample), written.get(any), level);
          }
        }
      }
      assertThat(dir.toFile().list()).containsExactly("x.race"); // no temporary file is left
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void sameSamplesSameBytes(RaceOptions options, @TempDir Path dir)
      throws IOException, DecodeException {
    List<Pictured> samples = anySamples(new Random(7), 40, options.levels());
    Path a = RaceFixture.write(dir.resolve("a.race"), options, samples);
    Path b = RaceFixture.write(dir.resolve("b.race"), options, samples);
    assertThat(a).hasSameBinaryContentAs(b);
  }

  @Test
  void aFidelityIsAPrefixOfTheScansWithAnEndMarker(@TempDir Path dir)
      throws IOException, DecodeException {
    Path file =
        RaceFixture.write(
            dir.resolve("x.race"), RaceOptions.grouped(ScanGroups.DEFAULT), PROGRESSIVE);
    try (Dataset dataset = Datasets.open(file);
        Arena arena = Arena.ofConfined();
        var prefix = new Block(MemoryBudget.unbounded())) {
      var cuts = new ScanCuts();
      for (int fidelity = 1; fidelity <= 4; fidelity++) {
        List<Pictured> read = new ArrayList<>();
        RaceFixture.readAll(dataset, fidelity, read);
        for (int i = 0; i < read.size(); i++) {
          byte[] whole = PROGRESSIVE.get(i).image();
          MemorySegment jpeg = arena.allocate(whole.length);
          MemorySegment.copy(whole, 0, jpeg, ValueLayout.JAVA_BYTE, 0, whole.length);
          cuts.find(jpeg);
          long bytes = cuts.prefix(jpeg, ScanGroups.DEFAULT, fidelity, prefix);
          byte[] expected = prefix.memory().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
          assertThat(read.get(i).image()).isEqualTo(fidelity == 4 ? whole : expected);
        }
      }
    }
  }

  /// Law: a reader at fidelity g reads the blobs of groups 1 to g, and not a byte more.
  @ParameterizedTest
  @MethodSource("options")
  void aFidelityReadsThatPrefixOfTheShard(RaceOptions options, @TempDir Path dir)
      throws IOException, DecodeException {
    List<Pictured> samples =
        options.scans() == null
            ? anySamples(new Random(3), 60, options.levels()).stream()
                .filter(s -> s.levels().size() == 1) // of levels, only one is read
                .toList()
            : PROGRESSIVE;
    Path file = RaceFixture.write(dir.resolve("x.race"), options, samples);
    try (RaceDataset dataset =
        new RaceOpener()
            .open(file, io.headrace.format.OpenOptions.DEFAULT, io.headrace.store.Store.LOCAL)) {
      long before = 0;
      for (int fidelity = 1; fidelity <= options.groups(); fidelity++) {
        long bytes = RaceFixture.readAll(dataset, fidelity, new ArrayList<>());
        assertThat(bytes).isEqualTo(dataset.groupBytes(fidelity)).isGreaterThanOrEqualTo(before);
        before = bytes;
      }
      assertThat(before).isLessThan(Files.size(file));
    }
  }

  @Test
  void anIndexTakesAtMost64BytesASampleAndItsKey(@TempDir Path dir)
      throws IOException, DecodeException {
    List<Pictured> samples = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      samples.add(Pictured.of("k%04d".formatted(i), i, "raw", new byte[0]));
    }
    Path file =
        RaceFixture.write(dir.resolve("x.race"), RaceOptions.grouped(ScanGroups.DEFAULT), samples);
    long fixed = RaceLayout.HEADER + RaceLayout.TRAILER + RaceIndex.HEADER + 4 * RaceIndex.SECTION;
    assertThat((Files.size(file) - fixed) / 1000 - 5).isEqualTo(56).isLessThanOrEqualTo(64);
  }

  @Test
  void shardsFormOneDatasetAndAMissingOneIsNamed(@TempDir Path dir)
      throws IOException, DecodeException {
    List<Pictured> samples = anySamples(new Random(5), 30, 1);
    for (int shard = 0; shard < 3; shard++) {
      RaceFixture.write(
          dir.resolve("data-%05d-of-00003.race".formatted(shard)),
          RaceOptions.PLAIN,
          shard,
          3,
          samples.subList(10 * shard, 10 * shard + 10));
    }
    try (Dataset dataset = Datasets.open(dir)) {
      List<Pictured> read = new ArrayList<>();
      RaceFixture.readAll(dataset, 1, read);
      assertThat(read.stream().map(Pictured::key))
          .isEqualTo(samples.stream().map(Pictured::key).toList());
      assertThat(dataset.setDigest()).hasSize(16);
    }
    try (Dataset dataset = Datasets.open(dir.resolve("data-*.race"))) {
      assertThat(dataset.size()).isEqualTo(30);
    }
    Files.delete(dir.resolve("data-00001-of-00003.race"));
    assertThatThrownBy(() -> Datasets.open(dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("data-00001-of-00003.race is missing");
  }
}
