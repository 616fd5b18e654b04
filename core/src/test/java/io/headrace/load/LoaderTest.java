package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The laws hold for every way a dataset can be stored: a folder, indexed shards, streamed shards.
final class LoaderTest {
  private static final Pipeline PIPELINE =
      Pipeline.parse("random_resized_crop=32,flip,normalize=imagenet,float32,chw");
  private static final int SAMPLES = 27;

  @TempDir static Path root;

  @BeforeAll
  static void store() throws IOException, InterruptedException {
    Path folder = Photos.few(root.resolve("folder"), 3, 9);
    convert(folder, root.resolve("indexed"), new Compression.None());
    convert(folder, root.resolve("streamed"), Compression.Zstd.DEFAULT);
  }

  private static void convert(Path folder, Path target, Compression compression)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(folder)) {
      var stored = new Representation(new TargetEncoding.Keep(), Resize.KEEP, compression);
      new Converter(dataset, ConvertOptions.of(target, stored, 4)).run();
    }
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).window(8).seed(11);
  }

  private static EpochReport load(Path path, LoadOptions options, long number) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, PIPELINE, options);
        Epoch epoch = loader.epoch(number)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  private static Set<Long> ids(Path path, LoadOptions options) throws IOException {
    Set<Long> ids = new TreeSet<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        for (int i = 0; i < batch.size(); i++) {
          assertThat(ids.add(batch.id(i))).as("sample delivered once").isTrue();
        }
        batch.close();
      }
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "indexed", "streamed"})
  void everySampleComesOnceAndTheDigestSaysSo(String stored) throws IOException {
    EpochReport report = load(root.resolve(stored), options().build(), 0);
    assertThat(report.delivered()).isEqualTo(SAMPLES);
    assertThat(report.skipped()).isZero();
    assertThat(report.verified()).isTrue();
    assertThat(report.bytesRead()).isPositive();
    assertThat(ids(root.resolve(stored), options().build())).hasSize(SAMPLES);
  }

  private static Batch nextOf(Epoch epoch) throws IOException {
    return Objects.requireNonNull(epoch.next(), "the epoch has ended");
  }

  @Test
  void theSetDigestIsTheSameInEveryContainer() throws IOException {
    Set<String> digests = new TreeSet<>();
    for (String stored : List.of("folder", "indexed", "streamed")) {
      digests.add(load(root.resolve(stored), options().build(), 0).setDigest());
    }
    assertThat(digests).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "folder,FAST",
    "indexed,FAST",
    "streamed,FAST",
    "folder,EXACT",
    "indexed,EXACT",
    "streamed,EXACT"
  })
  void orderAndPixelsDoNotDependOnThreads(String stored, Decoding decoding) throws IOException {
    Path path = root.resolve(stored);
    Set<String> digests = new TreeSet<>();
    for (int threads : new int[] {1, 2, 5}) {
      int prefetch = threads == 2 ? 2 : 7;
      var options = options().threads(threads).prefetch(prefetch).decoding(decoding).build();
      EpochReport report = load(path, options, 3);
      assertThat(report.decoding()).isEqualTo(decoding);
      digests.add(report.digest());
    }
    assertThat(digests).hasSize(1);
  }

  @Test
  void decodingsDifferInPixelsButNotInOrder() throws IOException {
    Path path = root.resolve("folder");
    EpochReport fast = load(path, options().build(), 1);
    EpochReport exact = load(path, options().decoding(Decoding.EXACT).build(), 1);
    EpochReport whole = load(path, options().decoding(Decoding.WHOLE).build(), 1);
    assertThat(fast.decoding()).as("the default").isEqualTo(Decoding.FAST);
    assertThat(whole.digest()).isEqualTo(exact.digest()).isNotEqualTo(fast.digest());
    assertThat(fast.setDigest()).isEqualTo(exact.setDigest());
  }

  @Test
  void readersDoNotChangeTheOrderOfIndexedData() throws IOException {
    Path path = root.resolve("indexed");
    String one = load(path, options().readers(1).build(), 3).digest();
    assertThat(load(path, options().readers(6).build(), 3).digest()).isEqualTo(one);
  }

  /// Folder and indexed shards have the same samples at the same places, so the same epoch.
  @Test
  void aFolderAndItsShardsGiveTheSameEpoch() throws IOException {
    assertThat(load(root.resolve("folder"), options().build(), 2).digest())
        .isEqualTo(load(root.resolve("indexed"), options().build(), 2).digest());
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "indexed", "streamed"})
  void epochsAndSeedsDiffer(String stored) throws IOException {
    Path path = root.resolve(stored);
    Set<String> digests = new TreeSet<>();
    digests.add(load(path, options().build(), 0).digest());
    digests.add(load(path, options().build(), 1).digest());
    digests.add(load(path, options().seed(12).build(), 0).digest());
    digests.add(load(path, options().shuffle(false).build(), 0).digest());
    assertThat(digests).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "indexed", "streamed"})
  void ranksShareAnEpochWithoutOverlap(String stored) throws IOException {
    Path path = root.resolve(stored);
    Set<Long> all = new TreeSet<>();
    for (int rank = 0; rank < 4; rank++) {
      Set<Long> part = ids(path, options().rank(rank, 4).build());
      assertThat(part).hasSizeBetween(SAMPLES / 4, SAMPLES / 4 + 1);
      assertThat(all.addAll(part)).isTrue();
    }
    assertThat(all).hasSize(SAMPLES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "indexed", "streamed"})
  void storedOrderIsKeptWhenAskedFor(String stored) throws IOException {
    List<Long> labels = new ArrayList<>();
    try (Dataset dataset = Datasets.open(root.resolve(stored));
        var loader = new Loader(dataset, PIPELINE, options().shuffle(false).build());
        Epoch epoch = loader.epoch(0)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        for (int i = 0; i < batch.size(); i++) {
          labels.add(batch.label(i));
        }
        batch.close();
      }
    }
    assertThat(labels).hasSize(SAMPLES).isSorted().contains(0L, 1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "indexed", "streamed"})
  void closingAnEpochHalfWayIsPromptAndLeavesTheLoaderUsable(String stored) throws IOException {
    try (Dataset dataset = Datasets.open(root.resolve(stored));
        var loader = new Loader(dataset, PIPELINE, options().build())) {
      for (int number = 0; number < 5; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          Batch batch = epoch.next();
          assertThat(batch).isNotNull();
          assertThatThrownBy(() -> loader.epoch(9)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(threads()).isEmpty();
      }
      try (Epoch epoch = loader.epoch(5)) {
        long delivered = 0;
        for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
          delivered += batch.size();
          batch.close();
        }
        assertThat(delivered).isEqualTo(SAMPLES);
      }
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.matches("(read|decode|lane)-\\d+|sequence"))
        .toList();
  }

  @Test
  void anEpochThatNobodyReadsCanBeClosed() throws IOException {
    try (Dataset dataset = Datasets.open(root.resolve("streamed"));
        var loader = new Loader(dataset, PIPELINE, options().build());
        Epoch epoch = loader.epoch(0)) {
      assertThat(epoch.report().delivered()).isZero();
    }
    assertThat(threads()).isEmpty();
  }

  @Test
  void aConsumerThatHoldsAllBatchesIsTold() throws IOException {
    try (Dataset dataset = Datasets.open(root.resolve("folder"));
        var loader = new Loader(dataset, PIPELINE, options().prefetch(2).build());
        Epoch epoch = loader.epoch(0)) {
      Batch first = nextOf(epoch);
      Batch second = nextOf(epoch);
      assertThatThrownBy(epoch::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("all 2 batches are held: close one before asking for the next");
      assertThat(second.size()).isEqualTo(4);
      first.close();
      assertThat(epoch.next()).isNotNull();
      assertThatThrownBy(first::data).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void memoryThatHoldsNoTwoBatchesIsRefusedAtOnce() throws IOException {
    try (Dataset dataset = Datasets.open(root.resolve("folder"))) {
      assertThatThrownBy(() -> new Loader(dataset, PIPELINE, options().memory(10_000).build()))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "two batches of 4 samples float32[3, 32, 32] take 98304 bytes, and memory for batches"
                  + " is 7500: allow more memory or ask for smaller batches");
    }
  }

  @Test
  void memoryStaysWithinTheBudget() throws IOException {
    long budget = 4L << 20;
    try (Dataset dataset = Datasets.open(root.resolve("streamed"));
        var loader = new Loader(dataset, PIPELINE, options().memory(budget).build());
        Epoch epoch = loader.epoch(0)) {
      try {
        for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
          batch.close();
        }
      } catch (CorruptDataException e) {
        assertThat(e.fault()).isEqualTo(Fault.LIMIT);
      }
      assertThat(loader.peakMemory()).isBetween(1L, budget);
    }
  }

  /// A shard with more records than its manifest says is found when a reader opens it.
  @Test
  void aFaultOfTheDatasetAsAWholeReachesTheConsumer(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    convert(root.resolve("folder"), target, new Compression.None());
    Path shard = target.resolve("data-00001-of-00004.tfrecord");
    byte[] twice = Files.readAllBytes(shard);
    Files.write(shard, twice, StandardOpenOption.APPEND);
    assertThatThrownBy(() -> load(target, options().build(), 0))
        .isInstanceOfSatisfying(
            CorruptDataException.class,
            e -> {
              assertThat(e.fault()).isEqualTo(Fault.MISMATCH);
              assertThat(e.where().file()).isEqualTo(shard.toString());
            });
  }

  private static Path withBadSample(Path to) throws IOException {
    Path folder = Photos.few(to, 2, 4);
    Path bad = Photos.sorted(Photos.sorted(folder).get(1)).get(2);
    byte[] bytes = Files.readAllBytes(bad);
    Files.write(bad, Corrupter.cut(bytes, bytes.length / 2));
    return folder;
  }

  @Test
  void aBadSampleEndsTheEpochOnceTheBatchesBeforeItAreDelivered(@TempDir Path dir)
      throws IOException {
    Path folder = withBadSample(dir);
    try (Dataset dataset = Datasets.open(folder);
        var loader =
            new Loader(
                dataset, PIPELINE, options().batchSize(2).shuffle(false).threads(3).build());
        Epoch epoch = loader.epoch(0)) {
      for (int i = 0; i < 3; i++) {
        nextOf(epoch).close();
      }
      for (int again = 0; again < 2; again++) {
        assertThatThrownBy(epoch::next)
            .isInstanceOfSatisfying(
                CorruptDataException.class,
                e -> {
                  assertThat(e.fault()).isEqualTo(Fault.TRUNCATED);
                  assertThat(e.where().file()).endsWith(".jpg");
                  assertThat(e.where().key()).contains("/");
                });
      }
      assertThat(epoch.report().delivered()).isEqualTo(6);
    }
  }

  @Test
  void aBadSampleIsSkippedAndListed(@TempDir Path dir) throws IOException {
    Path folder = withBadSample(dir);
    EpochReport report = load(folder, options().policy(ErrorPolicy.SKIP).build(), 0);
    assertThat(report.delivered()).isEqualTo(7);
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.substituted()).isZero();
    assertThat(report.faults()).hasSize(1);
    assertThat(report.faults().getFirst().fault()).isEqualTo(Fault.TRUNCATED);
    assertThat(report.verified()).as("in = delivered + skipped").isTrue();
  }

  @Test
  void aBadSampleIsSubstitutedSoThatBatchesKeepTheirSize(@TempDir Path dir) throws IOException {
    Path folder = withBadSample(dir);
    try (Dataset dataset = Datasets.open(folder);
        var loader =
            new Loader(dataset, PIPELINE, options().policy(ErrorPolicy.SUBSTITUTE).build());
        Epoch epoch = loader.epoch(0)) {
      for (int i = 0; i < 2; i++) {
        Batch batch = nextOf(epoch);
        assertThat(batch.size()).isEqualTo(4);
        assertThat(batch.spec().shape()).containsExactly(4, 3, 32, 32);
        batch.close();
      }
      assertThat(epoch.next()).isNull();
      EpochReport report = epoch.report();
      assertThat(report.delivered()).isEqualTo(7);
      assertThat(report.substituted()).isEqualTo(1);
      assertThat(report.skipped()).isEqualTo(1);
    }
  }
}
