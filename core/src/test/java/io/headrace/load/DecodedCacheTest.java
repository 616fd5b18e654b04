package io.headrace.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.FidelitySchedule;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
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

/// Caches of decoded samples change what is read and decoded, never what is delivered.
@Timeout(60)
final class DecodedCacheTest {
  private static final String CROP = "random_resized_crop=32,flip,uint8,hwc";
  private static final String RESIZED =
      "resize_shorter=40,random_crop=32,flip,normalize=imagenet,float32,chw";
  private static final String EVAL =
      "resize_shorter=40,center_crop=32,normalize=imagenet,float32,chw";
  private static final int SAMPLES = 12;

  @TempDir static Path root;
  private static Path folder = Path.of(".");
  private static Path progressive = Path.of(".");

  @BeforeAll
  static void store() throws IOException {
    folder = Photos.few(root.resolve("folder"), 3, 4);
    progressive =
        Tiny.convert(
            folder,
            root.resolve("progressive"),
            Representation.of("race", "none", "progressive", "keep"),
            2);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder()
        .batchSize(5)
        .threads(2)
        .readers(3)
        .seed(21)
        .decoding(Decoding.EXACT);
  }

  private static List<EpochReport> load(
      Path path, String pipeline, LoadOptions.Builder builder, int epochs) throws IOException {
    LoadOptions options = builder.build();
    List<EpochReport> reports = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Pipeline.parse(pipeline), options)) {
      for (int number = 0; number < epochs; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
          reports.add(epoch.report());
        }
        CacheReading cache = reports.getLast().cache();
        assertThat(cache.usedBytes()).isLessThanOrEqualTo(cache.capacity());
      }
      assertThat(loader.peakMemory()).isLessThanOrEqualTo(options.memory());
    }
    return reports;
  }

  private static CacheSpec cache(String kind, long bytes) {
    return switch (kind) {
      case "lru" -> new CacheSpec.Lru(bytes, true);
      case "both" -> new CacheSpec.MinIo(bytes, 0.5);
      default -> new CacheSpec.MinIo(bytes, 1);
    };
  }

  private static void assertSame(List<EpochReport> found, List<EpochReport> expected) {
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i).digest()).isEqualTo(expected.get(i).digest());
      assertThat(found.get(i).setDigest()).isEqualTo(expected.get(i).setDigest());
      assertThat(found.get(i).skipped()).isEqualTo(expected.get(i).skipped());
      assertThat(found.get(i).faults())
          .containsExactlyInAnyOrderElementsOf(expected.get(i).faults());
    }
  }

  /// The same pixels whatever is held and however it is cut; with all held, nothing is read any
  /// more.
  @ParameterizedTest
  @CsvSource({
    "minio,30000000",
    "minio,1500000",
    "minio,300",
    "lru,30000000",
    "lru,1500000",
    "both,30000000",
    "both,1500000",
    "both,300"
  })
  void pixelsAreThoseWithoutACache(String kind, long bytes) throws IOException {
    for (String pipeline : List.of(CROP, RESIZED, EVAL)) {
      List<EpochReport> expected = load(folder, pipeline, options(), 3);
      List<EpochReport> found = load(folder, pipeline, options().cache(cache(kind, bytes)), 3);
      assertSame(found, expected);
      assertThat(found.getFirst().cache().hits()).isZero();
      assertThat(found.getFirst().cache().predicted()).isZero();
      for (EpochReport report : found.subList(1, 3)) {
        assertThat(report.cache().hits() + report.cache().misses()).isEqualTo(SAMPLES);
        if (bytes == 30_000_000) {
          assertThat(report.cache().hits()).isEqualTo(SAMPLES);
          assertThat(report.cache().predicted()).isEqualTo(1);
          assertThat(report.bytesRead()).isZero();
          assertThat(report.fidelities()).isEmpty();
        }
      }
    }
  }

  /// Half of the bytes hold more encoded samples than decoded ones, and both kinds are hits.
  @Test
  void aDividedCacheHoldsMore() throws IOException {
    long bytes = 1_500_000;
    CacheReading pixels = last(cache("minio", bytes));
    CacheReading both = last(cache("both", bytes));
    CacheReading encoded = last(new CacheSpec.MinIo(bytes));
    assertThat(both.name()).isEqualTo("minio:decoded=0.5");
    assertThat(both.hits()).isGreaterThan(pixels.hits());
    assertThat(both.hits()).isLessThanOrEqualTo(encoded.hits());
    assertThat(both.usedBytes()).isBetween(bytes / 8, bytes);
    assertThat(both.hits() / (double) SAMPLES).isCloseTo(both.predicted(), within(0.15));
  }

  private CacheReading last(CacheSpec cache) throws IOException {
    return load(folder, CROP, options().cache(cache), 3).getLast().cache();
  }

  @Test
  void sharesAreRead() {
    assertThat(CacheSpec.parse("minio:1MiB:decoded=0.25"))
        .isEqualTo(new CacheSpec.MinIo(1 << 20, 0.25));
    assertThat(CacheSpec.parse("minio:1MiB:decoded")).isEqualTo(new CacheSpec.MinIo(1 << 20, 1));
    assertThat(CacheSpec.parse("minio:1MiB")).isEqualTo(new CacheSpec.MinIo(1 << 20));
    for (String bad :
        List.of("minio:1MiB:decoded=2", "minio:1MiB:decoded=x", "lru:1MiB:decoded=0.5")) {
      assertThatThrownBy(() -> CacheSpec.parse(bad)).isInstanceOf(ConfigException.class);
    }
  }

  /// Sizes are exact where the first steps give all images one size, and where all samples are
  /// looked at.
  @Test
  void hitsAreAsPredicted() throws IOException {
    for (String pipeline : List.of(RESIZED, EVAL, CROP)) {
      long bytes = pipeline.equals(CROP) ? 3_000_000 : 35_000;
      List<EpochReport> reports = load(folder, pipeline, options().cache(cache("minio", bytes)), 3);
      for (EpochReport report : reports.subList(1, 3)) {
        assertThat(report.cache().predicted()).as(pipeline).isBetween(0.2, 0.9);
        assertThat(report.cache().hitRate())
            .isCloseTo(report.cache().predicted(), within(2.0 / SAMPLES));
        assertThat(report.cache().estimated()).isFalse();
      }
    }
  }

  /// Of more samples than are looked at, and of different sizes, the prediction is an estimate, and
  /// says so.
  @Test
  void anEstimateIsCalledOne(@TempDir Path dir) throws IOException {
    Path tiny = dir.resolve("of-many-sizes");
    Files.createDirectories(tiny.resolve("all"));
    for (int i = 0; i < 300; i++) {
      int side = 5 + i * 7919 % 11; // 75 to 675 bytes of pixels
      byte[] header = "P6\n%d %d\n255\n".formatted(side, side).getBytes(US_ASCII);
      Files.write(
          tiny.resolve("all/%05d.ppm".formatted(i)),
          Arrays.copyOf(header, header.length + 3 * side * side));
    }
    String free = "random_crop=4,uint8,hwc";
    List<EpochReport> reports =
        load(tiny, free, options().batchSize(50).cache(cache("minio", 90_000)), 3);
    CacheReading reading = reports.getLast().cache();
    assertThat(reading.estimated()).isTrue();
    assertThat(reading.name()).isEqualTo("minio:decoded");
    assertThat(reading.predicted()).isBetween(0.2, 0.8);
    assertThat(reading.hitRate()).isCloseTo(reading.predicted(), within(0.05));
    assertThat((double) reading.usedBytes() / reading.capacity()).isGreaterThan(0.97);
    CacheReading same =
        load(
                tiny,
                "resize=6x6,random_crop=4",
                options().batchSize(50).cache(cache("lru", 90_000)),
                2)
            .getLast()
            .cache();
    assertThat(same.estimated()).isFalse();
    assertThat(reports.getFirst().cache().estimated()).as("nothing is sure to be there").isFalse();
  }

  /// Pixels that are stored as they are delivered are kept too, and come back.
  @Test
  void rawPixelsAreKept(@TempDir Path dir) throws IOException {
    Path raw =
        Tiny.convert(
            Tiny.folder(dir.resolve("tiny"), 20),
            dir.resolve("raw"),
            Representation.of("race", "none", "raw", "keep"),
            1);
    for (String pipeline : List.of("center_crop=7x9,uint8,hwc", "center_crop=5x9,uint8,hwc")) {
      List<EpochReport> found = load(raw, pipeline, options().cache(cache("minio", 1 << 20)), 2);
      assertSame(found, load(raw, pipeline, options(), 2));
      assertThat(found.getLast().cache().hits()).isEqualTo(20);
      assertThat(found.getLast().cache().predicted()).isEqualTo(1);
    }
  }

  /// A cut file, one that is no image, and one that is missing are reported in every epoch as they
  /// are without a cache, and so is what only some crops of a cut file show.
  @ParameterizedTest
  @CsvSource({"minio,30000000", "lru,30000000", "minio,600000", "both,600000"})
  void errorsAreThoseWithoutACache(String kind, long bytes, @TempDir Path dir) throws IOException {
    Path broken = Photos.few(dir.resolve("broken"), 1, 6);
    List<Path> files = Photos.sorted(Photos.sorted(broken).getFirst());
    byte[] photo = Files.readAllBytes(files.get(1));
    Files.write(files.get(1), Corrupter.cut(photo, photo.length * 2 / 3));
    Files.write(files.get(2), Corrupter.cut(photo, 30));
    Files.write(files.get(3), Tiny.picture(3)); // 9 x 7 pixels: too small for a random crop
    for (String pipeline : List.of(CROP, RESIZED, "random_crop=16,flip,uint8,hwc")) {
      var without = options().policy(ErrorPolicy.SKIP);
      var with = options().policy(ErrorPolicy.SKIP).cache(cache(kind, bytes));
      List<EpochReport> expected = load(broken, pipeline, without, 4);
      assertThat(expected.stream().mapToLong(EpochReport::skipped).sum()).isPositive();
      assertSame(load(broken, pipeline, with, 4), expected);
    }
  }

  /// Under a budget that does not hold a decoded picture beside the cache, samples fail as they do
  /// without one, or are delivered alike.
  @Test
  void theMemoryBudgetHolds() throws IOException {
    var with = options().batchSize(2).memory(12 << 20).cache(cache("minio", 4_000_000));
    assertSame(load(folder, CROP, with, 3), load(folder, CROP, options().batchSize(2), 3));
    assertThatThrownBy(() -> load(folder, CROP, options().cache(cache("lru", 3L << 30)), 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("does not fit into the");
  }

  /// Fast decoding depends on the random steps, so that what it gives cannot be kept.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "both", "lru"})
  void fastDecodingIsRefused(String kind) throws IOException {
    var cached = options().cache(cache(kind, 30 << 20));
    assertThatThrownBy(() -> load(folder, RESIZED, cached.decoding(Decoding.FAST), 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cache %s with fast decoding", cache(kind, 1).name())
        .hasMessageContaining("decode exactly");
    assertSame(
        load(folder, CROP, cached.decoding(Decoding.WHOLE), 2),
        load(folder, CROP, options().decoding(Decoding.WHOLE), 2));
  }

  /// Another fidelity gives other pixels: what was kept is dropped, and mixtures are refused.
  @ParameterizedTest
  @ValueSource(strings = {"minio", "both", "lru"})
  void decodedSamplesAreOfOneFidelity(String kind) throws IOException {
    FidelitySchedule regimen =
        FidelitySchedule.parse(
            "[{\"epochs\":2,\"fidelity\":1},{\"epochs\":2,\"fidelity\":\"full\"},"
                + "{\"epochs\":1,\"fidelity\":1}]");
    var with = options().regimen(regimen).cache(cache(kind, 30 << 20));
    List<EpochReport> found = load(progressive, CROP, with, 5);
    assertSame(found, load(progressive, CROP, options().regimen(regimen), 5));
    assertThat(found.stream().map(r -> r.cache().hits()))
        .containsExactly(0L, (long) SAMPLES, 0L, (long) SAMPLES, 0L);
    assertThat(found.stream().map(r -> r.cache().predicted())).containsExactly(0., 1., 0., 1., 0.);
    var mixed =
        options().fidelity(FidelityMix.parse("1:0.5,full:0.5")).cache(cache(kind, 30 << 20));
    assertThatThrownBy(() -> load(progressive, CROP, mixed, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("decoded samples are of one fidelity");
  }

  static LongStream seeds() {
    return Seeds.random().limit(12);
  }

  /// Law: any cache under any pipeline of these, any threads and any ranks delivers what no cache
  /// delivers.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void anyCacheDeliversTheSame(long seed, @TempDir Path dir) throws IOException {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    Path tiny = Tiny.folder(dir, 1 + random.nextInt(40));
    List<String> steps =
        List.of("", "resize_shorter=6,", "center_crop=6,", "resize=12x12,center_crop=7,");
    String pipeline =
        steps.get(random.nextInt(steps.size()))
            + (random.nextInt(2) == 0 ? "random_crop=4,flip" : "random_resized_crop=4,flip=0.3")
            + (random.nextInt(2) == 0 ? "" : ",normalize=imagenet,float16,chw");
    CacheSpec cache =
        cache(List.of("lru", "minio", "both").get(random.nextInt(3)), 1 + random.nextInt(30_000));
    int world = 1 + random.nextInt(2);
    for (int rank = 0; rank < world; rank++) {
      var with = options().seed(seed).rank(rank, world).threads(1 + random.nextInt(3));
      var without = options().seed(seed).rank(rank, world);
      assertSame(load(tiny, pipeline, with.cache(cache), 3), load(tiny, pipeline, without, 3));
    }
  }
}
