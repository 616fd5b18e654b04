package io.headrace.load;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.race.RaceDataset;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.SkippedSample;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loader reads the level of a pyramid that a crop needs, and all laws hold nevertheless.
final class PyramidLoadTest {
  private static final Pipeline PIPELINE = Pipeline.parse("random_resized_crop=32,flip,uint8,hwc");
  private static final int SAMPLES = 24;

  @TempDir static Path root;
  private static Path photos = Path.of(".");
  private static Path pyramid = Path.of(".");
  private static Path packed = Path.of(".");

  @BeforeAll
  static void store() throws IOException, InterruptedException {
    photos = Photos.few(root.resolve("photos"), 3, 8);
    pyramid = convert("race", root.resolve("pyramid"));
    packed = convert("race:blobs=zstd:1,block=60000", root.resolve("packed"));
  }

  private static Path convert(String packing, Path target)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(photos)) {
      Representation to = Representation.of(packing, "none", "pyramid:90", "keep");
      new Converter(dataset, ConvertOptions.of(target, to, 2)).run();
    }
    return target;
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(5).seed(17).policy(ErrorPolicy.SKIP);
  }

  private static EpochReport load(Path path, LoadOptions options, long number) throws IOException {
    return load(path, options, number, new HashMap<>());
  }

  private static EpochReport load(
      Path path, LoadOptions options, long number, Map<Long, byte[]> pixels) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, PIPELINE, options)) {
      return epoch(loader.epoch(number), pixels);
    }
  }

  private static EpochReport epoch(Epoch opened, Map<Long, byte[]> pixels) throws IOException {
    try (Epoch epoch = opened) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        long bytes = batch.data().byteSize() / batch.size();
        for (int i = 0; i < batch.size(); i++) {
          pixels.put(batch.id(i), batch.data().asSlice(i * bytes, bytes).toArray(JAVA_BYTE));
        }
        batch.close();
      }
      return epoch.report();
    }
  }

  private static long groupBytes(Path path, int fidelity) throws IOException {
    try (Dataset dataset = Datasets.open(path)) {
      return ((RaceDataset) dataset).groupBytes(fidelity);
    }
  }

  @Test
  void smallerLevelsAreReadAndCounted() throws IOException {
    EpochReport fast = load(pyramid, options().build(), 0);
    EpochReport exact = load(pyramid, options().decoding(Decoding.EXACT).build(), 0);
    assertThat(fast.verified()).isTrue();
    assertThat(fast.delivered()).isEqualTo(SAMPLES);
    assertThat(exact.bytesRead()).isEqualTo(groupBytes(pyramid, 3) - groupBytes(pyramid, 2));
    assertThat(fast.bytesRead()).isLessThan(exact.bytesRead() / 2);
    assertThat(fast.fidelities().stream().mapToLong(FidelityReading::samples).sum())
        .isEqualTo(SAMPLES);
    assertThat(fast.fidelities().stream().mapToLong(FidelityReading::bytes).sum())
        .isEqualTo(fast.bytesRead());
    assertThat(fast.fidelities()).hasSizeGreaterThan(1);
    assertThat(fast.fidelities().getFirst().meanBytes())
        .isLessThan(fast.fidelities().getLast().meanBytes());
    assertThat(exact.fidelities())
        .singleElement()
        .satisfies(f -> assertThat(f.groups()).isEqualTo(4));
  }

  /// Law: levels change no crop, and look like the image itself.
  @Test
  void cropsAreThoseOfTheWholeImage() throws IOException {
    for (long number = 0; number < 3; number++) {
      Map<Long, byte[]> exact = new HashMap<>();
      Map<Long, byte[]> fast = new HashMap<>();
      EpochReport whole = load(photos, options().decoding(Decoding.EXACT).build(), number, exact);
      load(pyramid, options().build(), number, fast);
      assertThat(load(pyramid, options().decoding(Decoding.EXACT).build(), number).digest())
          .isEqualTo(whole.digest());
      assertThat(fast.keySet()).isEqualTo(exact.keySet());
      double sum = 0;
      for (Map.Entry<Long, byte[]> one : fast.entrySet()) {
        double psnr = psnr(one.getValue(), Objects.requireNonNull(exact.get(one.getKey())));
        assertThat(psnr).isGreaterThan(20);
        sum += psnr;
      }
      assertThat(sum / SAMPLES).isGreaterThan(30);
    }
  }

  private static double psnr(byte[] a, byte[] b) {
    long squares = 1;
    for (int i = 0; i < a.length; i++) {
      int d = (a[i] & 0xff) - (b[i] & 0xff);
      squares += (long) d * d;
    }
    return 10 * Math.log10(255.0 * 255 * a.length / squares);
  }

  /// Law: neither threads nor readers nor what a cache holds change what is delivered.
  @ParameterizedTest
  @ValueSource(strings = {"none", "lru", "minio"})
  void nothingChangesWhatIsDelivered(String kind) throws IOException {
    LoadOptions plain = options().threads(1).readers(1).build();
    List<String> expected = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      expected.add(load(pyramid, plain, number).digest());
      assertThat(load(packed, plain, number).digest()).isEqualTo(expected.getLast());
    }
    long bytes = groupBytes(pyramid, 4) / 2;
    CacheSpec cache =
        switch (kind) {
          case "lru" -> new CacheSpec.Lru(2 * bytes);
          case "minio" -> new CacheSpec.MinIo(bytes);
          default -> new CacheSpec.None();
        };
    for (Path path : List.of(pyramid, packed)) {
      try (Dataset dataset = Datasets.open(path);
          var loader =
              new Loader(dataset, PIPELINE, options().threads(3).readers(3).cache(cache).build())) {
        List<String> digests = new ArrayList<>();
        long hits = 0;
        for (int number = 0; number < 2; number++) {
          EpochReport report = epoch(loader.epoch(number), new HashMap<>());
          assertThat(report.verified()).isTrue();
          digests.add(report.digest());
          hits += report.cache().hits();
        }
        assertThat(digests).isEqualTo(expected);
        assertThat(hits > 0).isEqualTo(!kind.equals("none"));
      }
    }
  }

  @Test
  void twoRegionsDeliverTheSameForAnyThreads() throws IOException {
    Set<String> digests = new TreeSet<>();
    for (int threads : new int[] {1, 3}) {
      LoadOptions options =
          options()
              .order(OrderSpec.parse("two-region"))
              .cache(new CacheSpec.TwoRegion(groupBytes(pyramid, 4) / 2))
              .threads(threads)
              .build();
      try (Dataset dataset = Datasets.open(pyramid);
          var loader = new Loader(dataset, PIPELINE, options)) {
        for (int number = 0; number < 2; number++) {
          EpochReport report = epoch(loader.epoch(number), new HashMap<>());
          assertThat(report.verified()).isTrue();
          digests.add(number + " " + report.digest());
        }
      }
    }
    assertThat(digests).hasSize(2);
  }

  /// Law: taken up in the middle, an epoch's pixels are those of the whole epoch.
  @Test
  void anEpochIsTakenUp() throws IOException {
    Map<Long, byte[]> whole = new HashMap<>();
    load(pyramid, options().build(), 1, whole);
    Map<Long, byte[]> rest = new HashMap<>();
    try (Dataset dataset = Datasets.open(pyramid);
        var loader = new Loader(dataset, PIPELINE, options().threads(2).build())) {
      assertThat(epoch(loader.epoch(1, 10), rest).delivered()).isEqualTo(SAMPLES - 10);
    }
    rest.forEach((id, pixels) -> assertThat(pixels).isEqualTo(whole.get(id)));
  }

  /// {@return a dataset with damage in the smallest level of its first sample}
  private static Path damaged(Path target) throws IOException, InterruptedException {
    Path damaged = convert("race", target);
    Path shard = damaged.resolve("data-00000-of-00002.race");
    try (var file = new RandomAccessFile(shard.toFile(), "rw")) {
      file.seek(64 + 2000);
      int old = file.read();
      file.seek(64 + 2000);
      file.write(old ^ 0x10);
    }
    return damaged;
  }

  /// Law: a cache, which wants all levels, adds no faults to those of the level that a crop needs.
  @ParameterizedTest
  @ValueSource(strings = {"lru", "minio"})
  void damageElsewhereIsNoFaultOfACache(String kind, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path damaged = damaged(dir.resolve("damaged"));
    CacheSpec cache =
        kind.equals("lru") ? new CacheSpec.Lru(64 << 20) : new CacheSpec.MinIo(64 << 20);
    long skipped = 0;
    try (Dataset dataset = Datasets.open(damaged);
        var loader = new Loader(dataset, PIPELINE, options().cache(cache).build())) {
      for (int number = 0; number < 4; number++) {
        EpochReport report = epoch(loader.epoch(number), new HashMap<>());
        EpochReport expected = load(damaged, options().build(), number);
        assertThat(report.digest()).isEqualTo(expected.digest());
        assertThat(report.faults()).isEqualTo(expected.faults());
        assertThat(report.cache().misses()).isEqualTo(number == 0 ? SAMPLES : 1);
        skipped += report.skipped();
      }
    }
    assertThat(skipped).isBetween(1L, 3L);
  }

  /// A level that is damaged is a fault of its sample, at its own place; others are not read.
  @Test
  void damageIsNamedWhereItLies(@TempDir Path dir) throws IOException, InterruptedException {
    Path damaged = damaged(dir.resolve("damaged"));
    Path shard = damaged.resolve("data-00000-of-00002.race");
    String first;
    try (Dataset dataset = Datasets.open(damaged);
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset.SampleReader reader = dataset.openReader()) {
      reader.read(0, sample);
      first = sample.key();
    }
    int found = 0;
    for (int number = 0; number < 4; number++) {
      EpochReport report = load(damaged, options().build(), number);
      assertThat(report.verified()).isTrue();
      for (SkippedSample fault : report.faults()) {
        assertThat(fault.fault()).isEqualTo(Fault.CORRUPT);
        assertThat(fault.where().file()).isEqualTo(shard.toString());
        assertThat(fault.where().offset()).isEqualTo(64);
        assertThat(fault.where().key()).isEqualTo(first);
        assertThat(fault.reason()).contains("CRC");
        found++;
      }
      assertThat(load(damaged, options().decoding(Decoding.EXACT).build(), number).skipped())
          .isZero();
    }
    assertThat(found).isBetween(1, 4);
  }
}
