package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Photos;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A cache holds the longest prefix of each sample that was read; shorter ones are served from it,
/// and of longer ones only the rest is read.
@Timeout(60)
final class FidelityCacheTest {
  private static final int SAMPLES = 8;
  private static final long ALL = 16 << 20;

  @TempDir static Path root;
  private static Path progressive = Path.of(".");
  private static Path pyramid = Path.of(".");

  @BeforeAll
  static void store() throws IOException {
    Path photos = Photos.few(root.resolve("photos"), 2, 4);
    progressive = stored(photos, "progressive", "race");
    pyramid = stored(photos, "pyramid", "race");
  }

  private static Path stored(Path photos, String encoding, String packing) throws IOException {
    Representation how = Representation.of(packing, "none", encoding, "keep");
    return Tiny.convert(photos, root.resolve(encoding + packing.length()), how, 2);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(5).threads(2).readers(3).seed(8);
  }

  private static LoadOptions.Builder options(String kind, long bytes) {
    return switch (kind) {
      case "minio" -> options().cache(new CacheSpec.MinIo(bytes));
      case "lru" -> options().cache(new CacheSpec.Lru(bytes));
      default ->
          options().order(OrderSpec.parse("two-region")).cache(new CacheSpec.TwoRegion(bytes));
    };
  }

  /// Loads epochs with the fidelity changed between them, as a trainer would.
  private static List<EpochReport> load(Path path, LoadOptions.Builder builder, List<String> mixes)
      throws IOException {
    List<EpochReport> reports = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, builder.build())) {
      for (int number = 0; number < mixes.size(); number++) {
        loader.fidelity(FidelityMix.parse(mixes.get(number)));
        try (Epoch epoch = loader.epoch(number)) {
          List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
          EpochReport report = epoch.report();
          assertThat(report.verified()).isTrue();
          long bytes = report.fidelities().stream().mapToLong(FidelityReading::bytes).sum();
          if (report.cache().capacity() > 0) {
            assertThat(bytes).isEqualTo(report.bytesRead());
          } else { // what lies between two samples is read with them
            assertThat(bytes).isLessThanOrEqualTo(report.bytesRead());
          }
          assertThat(report.fidelities().stream().mapToLong(FidelityReading::samples).sum())
              .isEqualTo(report.cache().misses());
          reports.add(report);
        }
      }
    }
    return reports;
  }

  private static List<String> digests(List<EpochReport> reports) {
    return reports.stream().map(EpochReport::digest).toList();
  }

  /// {@return bytes of each sample at fidelities 1, 2, … as reading takes them}
  private static long[][] sizes(Path path) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      var sizes = new long[(int) dataset.size()][dataset.groups()];
      for (int i = 0; i < sizes.length; i++) {
        for (int groups = 1; groups <= dataset.groups(); groups++) {
          reader.read(i, groups, sample);
          sizes[i][groups - 1] = sample.storedBytes();
        }
      }
      return sizes;
    }
  }

  private static long total(long[][] sizes, int groups) {
    return Arrays.stream(sizes).mapToLong(s -> s[groups - 1]).sum();
  }

  /// A regimen that rises, falls and mixes: pixels are those without a cache, and each group of
  /// each sample is read once in all.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "lru", "two-region"})
  void changesInMidTrainingReadWhatIsMissing(String kind) throws IOException {
    List<String> mixes = List.of("1", "1", "2", "full", "1", "1:0.5,full:0.5", "2");
    List<EpochReport> found = load(progressive, options(kind, ALL), mixes);
    if (!kind.equals("two-region")) { // whose order is its own
      assertThat(digests(found)).isEqualTo(digests(load(progressive, options(), mixes)));
    }
    long[][] sizes = sizes(progressive);
    int most = sizes[0].length;
    assertThat(most).isGreaterThan(1);
    assertThat(found.stream().map(EpochReport::bytesRead))
        .containsExactly(
            total(sizes, 1),
            0L,
            total(sizes, 2) - total(sizes, 1),
            total(sizes, most) - total(sizes, 2),
            0L,
            0L,
            0L);
    long all = SAMPLES;
    assertThat(found.stream().map(r -> r.cache().hits()))
        .containsExactly(0L, all, 0L, 0L, all, all, all);
    assertThat(found.stream().map(r -> r.cache().extended()))
        .containsExactly(0L, 0L, all, all, 0L, 0L, 0L);
    assertThat(found.stream().map(r -> r.cache().predicted()))
        .containsExactly(0., 1., 0., 0., 1., 1., 1.);
  }

  /// The order of two regions depends on the cache's size, so its pixels are compared with those of
  /// the same order read at each fidelity by itself.
  @Test
  void twoRegionsServeEveryFidelityOfTheirOrder() throws IOException {
    List<String> mixes = List.of("1:0.5,full:0.5", "2", "1", "full", "1:0.3,2:0.3,full:0.4");
    LoadOptions.Builder builder = options("two-region", 300_000);
    List<String> found = digests(load(progressive, builder, mixes));
    for (int number = 0; number < mixes.size(); number++) {
      try (Dataset dataset = Datasets.open(progressive);
          var loader = new Loader(dataset, Tiny.PIPELINE, builder.build())) {
        loader.fidelity(FidelityMix.parse(mixes.get(number)));
        try (Epoch epoch = loader.epoch(number)) { // with nothing in memory yet
          List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
          assertThat(epoch.report().digest()).isEqualTo(found.get(number));
        }
      }
    }
  }

  /// Law: for any regimen, threads and capacity pixels are those without a cache; with all held,
  /// hits, what is read in part and bytes are those that the draws alone decide.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void anyRegimenReadsEachGroupOnce(long seed) throws IOException {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    List<String> names = List.of("1", "2", "full", "1:0.5,2:0.5", "1:0.2,2:0.2,full:0.6");
    List<String> mixes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      mixes.add(names.get(random.nextInt(names.size())));
    }
    String kind = random.nextInt(2) == 0 ? "minio" : "lru";
    long bytes = random.nextInt(2) == 0 ? ALL : 50_000 + random.nextInt(400_000);
    List<EpochReport> found =
        load(progressive, options(kind, bytes).seed(seed).readers(1 + random.nextInt(4)), mixes);
    assertThat(digests(found)).isEqualTo(digests(load(progressive, options().seed(seed), mixes)));
    if (bytes != ALL) {
      return;
    }
    long[][] sizes = sizes(progressive);
    int[] held = new int[sizes.length];
    for (int number = 0; number < mixes.size(); number++) {
      FidelityMix mix = FidelityMix.parse(mixes.get(number));
      long hits = 0;
      long extended = 0;
      long read = 0;
      for (int i = 0; i < held.length; i++) {
        int wanted = Math.min(sizes[i].length, mix.draw(seed, number, i, random));
        if (wanted <= held[i]) {
          hits++;
          continue;
        }
        extended += held[i] > 0 ? 1 : 0;
        read += sizes[i][wanted - 1] - (held[i] == 0 ? 0 : sizes[i][held[i] - 1]);
        held[i] = wanted;
      }
      EpochReport report = found.get(number);
      assertThat(report.cache().hits()).isEqualTo(hits);
      assertThat(report.cache().extended()).isEqualTo(extended);
      assertThat(report.bytesRead()).isEqualTo(read);
    }
  }

  static LongStream seeds() {
    return Seeds.random().limit(4);
  }

  /// Under a mixture in every epoch: hits as worked out before each.
  @ParameterizedTest
  @CsvSource({"minio,0.5", "minio,2", "two-region,0.8", "lru,2"})
  void hitsUnderAMixtureAreAsPredicted(String kind, double share) throws IOException {
    long bytes;
    try (Dataset dataset = Datasets.open(progressive)) {
      bytes = (long) (share * dataset.storedBytes());
    }
    List<String> mixes = List.of("1:0.6,full:0.4", "1:0.6,full:0.4", "1:0.6,full:0.4", "1");
    double predicted = 0;
    double measured = 0;
    for (long seed = 0; seed < 3; seed++) {
      for (EpochReport r : load(progressive, options(kind, bytes).seed(seed).readers(1), mixes)) {
        predicted += r.cache().predicted();
        measured += r.cache().hitRate();
      }
    }
    assertThat(predicted).isGreaterThan(1);
    assertThat(measured / predicted).isCloseTo(1, within(0.15));
  }

  /// Levels of a pyramid are pictures of their own: none serves for another, and pixels are right.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "lru"})
  void levelsAreNotPartsOfEachOther(String kind) throws IOException {
    List<String> mixes = List.of("1", "full", "full", "1", "1:0.5,full:0.5");
    LoadOptions.Builder exact = options(kind, ALL).decoding(Decoding.EXACT);
    List<EpochReport> found = load(pyramid, exact, mixes);
    assertThat(digests(found))
        .isEqualTo(digests(load(pyramid, options().decoding(Decoding.EXACT), mixes)));
    assertThat(found.stream().limit(4).map(r -> r.cache().hits()))
        .containsExactly(0L, 0L, (long) SAMPLES, 0L);
    assertThat(found.stream().limit(4).map(r -> r.cache().predicted()))
        .containsExactly(0., 0., 1., 0.);
    assertThat(found.getLast().cache().predicted()).as("no formula").isNaN();
    assertThat(found.stream().mapToLong(r -> r.cache().extended()).sum()).isZero();
  }

  /// Under fast decoding all levels of a pyramid are kept where the image is wanted, and serve any
  /// fidelity; one that was read alone still serves itself only.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "lru"})
  void allLevelsTogetherServeAny(String kind) throws IOException {
    List<String> mixes = List.of("1", "2", "full", "full", "1", "2", "1:0.5,2:0.2,full:0.3");
    List<EpochReport> found = load(pyramid, options(kind, ALL), mixes);
    assertThat(digests(found)).isEqualTo(digests(load(pyramid, options(), mixes)));
    long all = SAMPLES;
    assertThat(found.stream().map(r -> r.cache().hits()))
        .containsExactly(0L, 0L, 0L, all, all, all, all);
    assertThat(found.stream().map(r -> r.cache().predicted()))
        .containsExactly(0., 0., 0., 1., 1., 1., 1.);
    assertThat(found.stream().mapToLong(r -> r.cache().extended()).sum()).isZero();
  }

  /// Whatever is held of a pyramid, and whichever levels were read alone, pixels are those without
  /// a cache; what is predicted is so.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "lru", "two-region"})
  void pyramidsUnderMixtures(String kind) throws IOException {
    List<String> mixes = List.of("1:0.5,full:0.5", "2", "1:0.3,2:0.3,full:0.4", "full", "1");
    for (long bytes : new long[] {ALL, 300_000}) {
      LoadOptions.Builder builder = options(kind, bytes);
      List<EpochReport> found = load(pyramid, builder, mixes);
      if (!kind.equals("two-region")) {
        assertThat(digests(found)).isEqualTo(digests(load(pyramid, options(), mixes)));
      }
      for (EpochReport report : found) {
        CacheReading cache = report.cache();
        if (bytes == ALL && !Double.isNaN(cache.predicted())) {
          assertThat(cache.hitRate()).isEqualTo(cache.predicted());
        }
      }
    }
  }

  /// Law: read at any fidelity, then read on to any other or cut to it, a sample is what reading
  /// it at that fidelity gives; and bytes read add up.
  @Test
  void readingOnIsReadingAtOnce() throws IOException {
    Path compressed = stored(root.resolve("photos"), "progressive", "race:blobs=zstd:3");
    for (Path path : List.of(progressive, compressed)) {
      long[][] sizes = sizes(path);
      int most = sizes[0].length;
      try (Dataset dataset = Datasets.open(path);
          var reader = dataset.openReader();
          var whole = new Sample(new Block(MemoryBudget.unbounded()));
          var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
        for (int i = 0; i < sizes.length; i += 5) {
          for (int from = 1; from <= most; from++) {
            for (int to = 1; to <= most; to++) {
              reader.read(i, to, whole);
              reader.read(i, from, sample);
              assertThat(sample.serves(to)).isEqualTo(to <= from);
              if (to <= from) {
                sample.shorten(to);
              } else {
                assertThat(reader.extend(i, to, sample)).isTrue();
                if (path.equals(progressive)) { // compressed blobs come by the block
                  assertThat(sample.storedBytes()).isEqualTo(sizes[i][to - 1] - sizes[i][from - 1]);
                }
              }
              assertThat(bytes(sample.encoded())).isEqualTo(bytes(whole.encoded()));
              assertThat(sample.groups()).isEqualTo(to);
              assertThat(sample.location()).isEqualTo(whole.location());
            }
          }
        }
      }
    }
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }
}
