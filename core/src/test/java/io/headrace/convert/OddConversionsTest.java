package io.headrace.convert;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.checkpoint.Staging;
import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Extractor;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes wrong around conversions: disks, interruptions, files that vanish, bad samples.
final class OddConversionsTest {
  @TempDir static Path shared;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void copyPhotos() {
    photos = Photos.few(shared.resolve("photos"), 3, 5);
  }

  private static ConvertOptions options(Path target, String packing, String encoding, int shards) {
    Representation to = Representation.of(packing, "none", encoding, "keep");
    return new ConvertOptions(target, "data", to, shards, false, 0, 2, false, 1L << 28);
  }

  private static ConvertReport convert(Path from, ConvertOptions options)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(from)) {
      return new Converter(dataset, options).run();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /// A folder in its own source would become a class of it.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "tfrecord", "tar", "race"})
  void aTargetInsideItsSourceIsRefused(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = dir.resolve("source");
    convert(photos, options(source, packing, "keep", 2));
    List<Path> before = files(dir);
    Path link = Files.createSymbolicLink(dir.resolve("link"), source);
    for (Path target :
        List.of(
            source,
            source.resolve("new/out"),
            link.resolve("out"),
            source.resolve("../source/x"))) {
      assertThatThrownBy(() -> convert(source, options(target, "tfrecord", "keep", 2)))
          .isInstanceOf(ConfigException.class)
          .hasMessageMatching("the target .* is (inside )?the source.*");
      assertThatThrownBy(() -> convert(link, options(target, "folder", "keep", 2)))
          .isInstanceOf(ConfigException.class);
    }
    assertThatThrownBy(() -> convert(source, options(dir, "tfrecord", "keep", 2)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is inside the target");
    Files.delete(link);
    assertThat(files(dir)).isEqualTo(before);
  }

  @Test
  void aTargetWhereALinkOfTheSourceLeadsIsRefused(@TempDir Path dir) throws IOException {
    Path elsewhere = Photos.few(dir.resolve("elsewhere"), 1, 2);
    Path source = Photos.few(dir.resolve("source"), 1, 2);
    Path _ = Files.createSymbolicLink(source.resolve("linked"), elsewhere);
    assertThatThrownBy(() -> convert(source, options(elsewhere.resolve("out"), "race", "keep", 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is inside the source");
  }

  /// An empty folder that comes before others moves their labels.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "folder"})
  void whatASourceBecameInTheMeantimeIsSaid(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 2, 2);
    Path target = dir.resolve("out");
    Path bad = Files.write(Photos.sorted(source).get(1).resolve("zz.jpg"), new byte[3]);
    assertThatThrownBy(() -> convert(source, options(target, packing, "keep", 2)))
        .isInstanceOf(CorruptDataException.class);
    Path added = Files.createDirectory(source.resolve("0-empty"));
    assertThatThrownBy(() -> convert(source, options(target, packing, "keep", 2)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the source is not as it was when the conversion into")
        .hasMessageContaining("(labels, classes)");
    Files.delete(added);
    assertThatThrownBy(() -> convert(source, options(target, packing, "keep", 3)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("of another kind (shards: 2 then, 3 now)");
    Files.delete(bad);
    assertThatThrownBy(() -> convert(source, options(target, packing, "keep", 2)))
        .hasMessageContaining("samples: 5 then, 4 now");
  }

  /// Shards whose labels change without a name, a size or a number changing.
  @Test
  void aShardWrittenAnewInTheMeantimeIsSaid(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = dir.resolve("source");
    convert(photos, options(source, "tar", "keep", 1));
    Files.delete(source.resolve(Manifest.FILE));
    Path shard = source.resolve("data-00000-of-00001.tar");
    Path target = dir.resolve("out");
    try (Dataset dataset = Datasets.open(source)) {
      var converter = new Converter(dataset, options(target, "race", "keep", 1));
      Map<String, Object> before = converter.plan(15);
      Files.setLastModifiedTime(shard, java.nio.file.attribute.FileTime.fromMillis(1));
      assertThat(converter.plan(15)).isNotEqualTo(before);
    }
  }

  @Test
  void noShardIsWithoutASample(@TempDir Path dir) throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 2, 2);
    ConvertReport report = convert(source, options(dir.resolve("out"), "tfrecord", "keep", 8));
    assertThat(report.shards()).isEqualTo(4);
    assertThat(Manifest.read(dir.resolve("out/dataset.json")).shards())
        .hasSize(4)
        .allMatch(shard -> shard.samples() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race"})
  void aCutManifestIsCorruptAndNamed(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    convert(photos, options(target, packing, "keep", 2));
    Path manifest = target.resolve(Manifest.FILE);
    byte[] all = Files.readAllBytes(manifest);
    Files.write(manifest, Arrays.copyOf(all, all.length - 2));
    assertThatThrownBy(() -> Datasets.open(target))
        .isInstanceOfSatisfying(
            CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.CORRUPT))
        .hasMessageContaining("dataset.json");
  }

  /// Law: while a conversion publishes, a reader sees nothing at all, or all of it. The target is
  /// looked at after each step of publishing, and all but the last look says the same.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race"})
  void aReaderNeverSeesAMixture(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path whole = dir.resolve("whole");
    int shards = 5;
    convert(photos, options(whole, packing, "keep", shards));
    Container container = Representation.of(packing, "none", "keep", "keep").container(null);
    Path target = dir.resolve("out");
    List<String> seen = new ArrayList<>();
    try (Staging staging = Staging.open(target, "data", shards, "{}", container)) {
      seen.add(look(target));
      for (Path file : Photos.sorted(whole)) {
        if (file.toString().endsWith("." + packing)) {
          int shard = seen.size() - 1;
          Files.copy(file, staging.part(shard));
          Files.move(
              staging.part(shard),
              target.resolve(Datasets.UNFINISHED).resolve("shard-0000" + shard));
          staging.publish(shard);
          assertThat(target.resolve(file.getFileName())).exists();
          seen.add(look(target));
        }
      }
      assertThat(seen).hasSize(shards + 1).allMatch(s -> s.contains("is not finished"));
      staging.complete(Objects.requireNonNull(Manifest.readIfPresent(whole)));
    }
    assertThat(look(target)).isEqualTo("15 samples");
  }

  /// {@return how many samples a dataset has, or why it cannot be opened}
  private static String look(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      return dataset.size() + " samples";
    } catch (ConfigException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// The same law of a whole conversion, looked at by another thread: the target is not there, is
  /// not finished, or has all samples.
  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "race", "folder"})
  void anotherThreadNeverSeesAMixture(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    var done = new AtomicBoolean();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    try {
                      seen.add(look(target));
                    } catch (IOException e) {
                      seen.add(String.valueOf(e.getMessage()));
                    }
                  }
                });
    convert(photos, options(target, packing, "keep", 8));
    done.set(true);
    reader.join();
    assertThat(seen)
        .isSubsetOf(
            target + ": no such file or folder",
            target + " is an empty folder",
            target
                + " holds a conversion that is not finished: the command that began it takes it up"
                + " again",
            "15 samples");
    assertThat(look(target)).isEqualTo("15 samples");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race"})
  void aGapInTheShardsIsFoundWhenTheyAreOpened(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    convert(photos, options(target, packing, "keep", 10));
    String end = packing.equals("tfrecord") ? ".tfrecord" : "." + packing;
    Path third = target.resolve("data-00003-of-00010" + end);
    Path fifth = target.resolve("data-00005-of-00010" + end);
    Path away = dir.resolve("away");
    Files.move(third, away);
    assertThatThrownBy(() -> Datasets.open(target))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("data-00003-of-00010");
    Files.move(away, third);
    Files.move(fifth, target.resolve("data-05-of-10" + end));
    assertThatThrownBy(() -> Datasets.open(target))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("data-00005-of-00010");
    Files.delete(target.resolve(Manifest.FILE));
    Files.delete(target.resolve("data-05-of-10" + end));
    assertThatThrownBy(() -> Datasets.open(target))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("data-00005-of-00010");
  }

  /// A sample whose coded data are cut off.
  private static Path withABadSample(Path folder) throws IOException {
    Path copied = Photos.few(folder, 3, 5);
    Path bad = files(copied).get(7);
    byte[] all = Files.readAllBytes(bad);
    Files.write(bad, Arrays.copyOf(all, all.length / 2));
    return bad;
  }

  @Test
  void oneBadSampleFailsOrIsSkippedOrQuarantined(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = dir.resolve("source");
    Path bad = withABadSample(source);
    byte[] bytes = Files.readAllBytes(bad);
    assertThatThrownBy(() -> convert(source, options(dir.resolve("a"), "race", "progressive", 2)))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(bad.getFileName().toString());
    assertThat(files(dir.resolve("a"))).noneMatch(f -> f.toString().endsWith(".race"));
    Path quarantine = dir.resolve("quarantine");
    ConvertReport report =
        convert(
            source, options(dir.resolve("b"), "race", "progressive", 2).withQuarantine(quarantine));
    assertThat(report.in()).isEqualTo(15);
    assertThat(report.written()).isEqualTo(14);
    assertThat(report.skipped()).singleElement().asString().contains(bad.getFileName().toString());
    List<Path> kept = files(quarantine);
    assertThat(kept).hasSize(2);
    assertThat(Files.readString(quarantine.resolve("list.txt"))).contains("TRUNCATED");
    assertThat(kept.stream().filter(f -> !f.endsWith("list.txt")).map(OddConversionsTest::bytes))
        .containsExactly(bytes);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aSourceFileThatVanishesIsNamedAndNothingIsPublished(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 3, 5);
    Path target = dir.resolve("out");
    try (Dataset dataset = Datasets.open(source)) {
      Path gone = files(source).get(9);
      Files.delete(gone);
      var converter = new Converter(dataset, options(target, "tfrecord", "keep", 3));
      assertThatThrownBy(converter::run)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(gone.getFileName().toString());
    }
    assertThat(target.resolve(Manifest.FILE)).doesNotExist();
    assertThat(target.resolve("data-00000-of-00003.tfrecord")).doesNotExist();
  }

  /// Law: a shard that fails ends the conversion, however many are still to come for its writer.
  @Test
  @Timeout(60)
  void aShardThatFailsKeepsNobodyWaiting(@TempDir Path dir) throws IOException {
    Path source = dir.resolve("source");
    Path bad = withABadSample(source);
    var options =
        new ConvertOptions(
            dir.resolve("out"),
            "data",
            Representation.of("none", "jpeg:50", "keep"),
            15,
            false,
            0,
            1,
            false,
            1L << 28);
    assertThatThrownBy(() -> convert(source, options))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(bad.getFileName().toString());
  }

  @Test
  void aTargetThatCannotBeWrittenIsNamed() {
    Path target = Path.of("/proc/headrace-target");
    assertThatThrownBy(() -> convert(photos, options(target, "race", "keep", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/proc/headrace-target");
  }

  @Test
  void noSampleAtAllIsRefused(@TempDir Path dir) throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 1, 1);
    Path only = files(source).getFirst();
    Files.write(only, new byte[] {(byte) 0xff, (byte) 0xd8});
    ConvertOptions options = options(dir.resolve("out"), "tar", "keep", 1);
    assertThatThrownBy(() -> convert(source, options.withQuarantine(dir.resolve("q"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no sample");
    assertThat(files(dir.resolve("out"))).noneMatch(f -> f.toString().endsWith(".tar"));
  }

  @Test
  void aFolderThatIsNotFinishedIsNotADataset(@TempDir Path dir) throws IOException {
    Path target = dir.resolve("out");
    Staging.open(target, "data", 1, "{}", new io.headrace.format.folder.FolderContainer()).close();
    Photos.few(target.resolve("cat"), 1, 1);
    assertThatThrownBy(() -> Datasets.open(target))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not finished");
  }

  @Test
  void likenessIsMeasuredOfAboutAsManyAsAsked(@TempDir Path dir)
      throws IOException, InterruptedException {
    ConvertReport report =
        convert(photos, options(dir.resolve("a"), "race", "jpeg:30", 2).withMeasured(5));
    ConvertReport.Likeness likeness = Objects.requireNonNull(report.likeness());
    assertThat(likeness.images()).isEqualTo(5);
    assertThat(likeness.psnr()).isBetween(24.0, 45.0);
    assertThat(likeness.ssim()).isBetween(0.7, 0.999);
    assertThat(likeness.msSsim()).isBetween(0.8, 0.9999);
    report = convert(photos, options(dir.resolve("b"), "race", "png", 2).withMeasured(5));
    likeness = Objects.requireNonNull(report.likeness());
    assertThat(likeness.ssim()).isEqualTo(1);
    assertThat(likeness.psnr()).isEqualTo(100);
  }

  /// Small pictures that have most in common: what one costs alone, a dictionary knows of all. The
  /// dictionary itself is counted.
  @Test
  void aDictionaryIsLearnedAndMakesSmallBlobsSmaller(@TempDir Path dir)
      throws IOException, InterruptedException {
    var random = new Random(7);
    byte[] common = new byte[16 * 16 * 3];
    random.nextBytes(common);
    Path source = Files.createDirectories(dir.resolve("source/all"));
    for (int i = 0; i < 300; i++) {
      byte[] picture = Arrays.copyOf("P6\n16 16\n255\n".getBytes(US_ASCII), 13 + common.length);
      System.arraycopy(common, 0, picture, 13, common.length);
      for (int change = 0; change < 20; change++) {
        picture[13 + random.nextInt(common.length)] = (byte) i;
      }
      Files.write(source.resolve("%03d.ppm".formatted(i)), picture);
    }
    long[] bytes = new long[2];
    for (int i = 0; i < 2; i++) {
      Representation to =
          Representation.of(
              "race:blobs=zstd:3" + (i == 0 ? "" : ",dictionary=4096"), "none", "raw", "keep");
      Path target = dir.resolve("t" + i);
      var options = new ConvertOptions(target, "data", to, 1, false, 0, 2, false, 1L << 28);
      bytes[i] = convert(Objects.requireNonNull(source.getParent()), options).fileBytes();
      try (Dataset dataset = Datasets.open(target)) {
        assertThat(Verifier.verify(dataset, true).faults()).isEmpty();
      }
    }
    assertThat(bytes[0]).as("random bytes alone do not shrink").isGreaterThan(300L * common.length);
    assertThat(bytes[1]).isLessThan(bytes[0] / 2);
  }

  @Test
  void shardsAreAsManyAsTheirSizeAsksFor(@TempDir Path dir)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(photos)) {
      ConvertOptions options = options(dir.resolve("out"), "race", "keep", 1);
      Estimate estimate = new Converter(dataset, options).estimate();
      long all = (long) (15 * estimate.fileBytesPerSample());
      int shards = Converter.shardsOf(dataset, options, all / 4);
      assertThat(shards).isBetween(4, 5);
      ConvertReport report = convert(photos, options.withShards(shards));
      assertThat(report.fileBytes()).isBetween((long) (0.8 * all), (long) (1.2 * all));
      assertThatThrownBy(() -> Converter.shardsOf(dataset, options, 0))
          .isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void differencesAreFound(@TempDir Path dir) throws IOException, InterruptedException {
    convert(photos, options(dir.resolve("race"), "race", "tiled", 2));
    try (Dataset a = Datasets.open(photos);
        Dataset b = Datasets.open(dir.resolve("race"))) {
      Difference.Report report = Difference.of(a, b);
      assertThat(report.same()).isTrue();
      assertThat(report.inBoth()).isEqualTo(15);
      assertThat(report.samePixels()).isEqualTo(15);
      assertThat(report.sameBytes()).isZero();
    }
    Path other = Photos.few(dir.resolve("other"), 3, 5);
    List<Path> files = files(other);
    Files.delete(files.get(3));
    Files.copy(files.get(5), files.get(5).resolveSibling("another.jpg"));
    Files.copy(files.get(10), files.get(11), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    try (Dataset a = Datasets.open(photos);
        Dataset b = Datasets.open(other)) {
      Difference.Report report = Difference.of(a, b);
      assertThat(report.same()).isFalse();
      assertThat(report.inBoth()).isEqualTo(14);
      assertThat(report.onlyFirst()).hasSize(1);
      assertThat(report.onlySecond()).singleElement().asString().endsWith("another.jpg");
      assertThat(report.otherPixels()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tfrecord", "tar", "race", "race:groups=1/2/10"})
  void oneSampleIsTakenOutByKeyOrNumber(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    convert(photos, options(dir.resolve("out"), packing, "tiled", 2));
    try (Dataset dataset = Datasets.open(dir.resolve("out"));
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      try (Dataset.SampleReader reader = dataset.openReader()) {
        reader.read(11, sample);
      }
      String key = sample.key();
      assertThat(dataset.find(key)).isEqualTo(11);
      assertThat(dataset.find("no/such.jpg")).isEqualTo(-1);
      String taken = Extractor.extract(dataset, 11, Integer.MAX_VALUE, (s, _) -> s.key());
      assertThat(taken).isEqualTo(key);
      assertThatThrownBy(() -> Extractor.extract(dataset, 15, 1, (s, _) -> s.key()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("there is no sample 15: there are 15");
    }
  }
}
