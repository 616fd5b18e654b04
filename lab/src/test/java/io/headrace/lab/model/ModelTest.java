package io.headrace.lab.model;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.lab.model.Costs.Work;
import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.SamplePacking;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.store.ByteFile;
import io.headrace.store.Device;
import io.headrace.store.Store;
import io.headrace.store.ThrottledStore;
import io.headrace.store.Ticker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModelTest {
  private static final Trial RACE =
      Trial.of(Path.of("photos"))
          .with(Key.FORMAT, "race")
          .with(Key.THREADS, 2)
          .with(Key.READERS, 2);

  /// 100 kB a sample; 10 µs of reading, 800 of decoding, 150 of the rest of the pipeline, 40 that
  /// no stage counts.
  private static final Costs COSTS =
      new Costs(
          100_000,
          1,
          new Work(10e-6, 800e-6, 150e-6),
          new Work(2e-6, 800e-6, 150e-6),
          100_000,
          40e-6,
          1);

  private static Prediction predict(Trial trial, Platform platform) {
    return Model.USUAL.predict(trial, COSTS, platform, 10_000);
  }

  @Test
  void processorsShareAllWorkAndWorkersTheirs() {
    Prediction two = predict(RACE, Platform.of(2));
    assertThat(two.limit(Bound.PROCESSORS)).isCloseTo(2 / 1e-3, within(1e-6));
    assertThat(two.limit(Bound.WORKERS)).isCloseTo(2 / 0.95e-3, within(1e-6));
    assertThat(two.bound()).isEqualTo(Bound.PROCESSORS);
    Prediction many = predict(RACE, Platform.of(32));
    assertThat(many.bound()).isEqualTo(Bound.WORKERS);
    assertThat(many.rate()).isCloseTo(2 / 0.95e-3, within(1.0));
    Prediction wide = predict(RACE.with(Key.THREADS, 400), Platform.of(1000));
    assertThat(wide.bound()).isEqualTo(Bound.READERS);
    assertThat(wide.limit(Bound.READERS)).isCloseTo(2 / 10e-6, within(1e-3));
  }

  @Test
  void theConsumerBoundsWhatTheLoaderCouldDo() {
    Prediction fed = predict(RACE.with(Key.CONSUMER, "300/s"), Platform.of(2));
    assertThat(fed.bound()).isEqualTo(Bound.CONSUMER);
    assertThat(fed.rate()).isCloseTo(300, within(0.01));
    assertThat(fed.without(Bound.CONSUMER)).isCloseTo(2000, within(1e-6));
    Prediction starved = predict(RACE.with(Key.CONSUMER, "30000/s"), Platform.of(2));
    assertThat(starved.bound()).isEqualTo(Bound.PROCESSORS);
  }

  @Test
  void stagesOfEqualRatesLoseALittleOfIt() {
    Prediction balanced = predict(RACE.with(Key.CONSUMER, "2000/s"), Platform.of(2));
    assertThat(balanced.rate()).isBetween(0.85 * 2000, 0.97 * 2000);
    assertThat(balanced.low()).isCloseTo(balanced.rate() * 0.75, within(1e-6));
  }

  /// What the loader's own throttle gives one reader, in virtual time.
  @ParameterizedTest
  @CsvSource({
    "hdd, full",
    "hdd, sequential",
    "sata-ssd, full",
    "nvme, full",
    "s3, full",
    "paper-24, full"
  })
  void aDevicesRateIsThatOfTheThrottle(String name, String order, @TempDir Path dir)
      throws IOException {
    Device device = Objects.requireNonNull(Device.find(name));
    boolean sequential = order.equals("sequential");
    int bytes = sequential ? 1 << 20 : 100_000; // ten neighbours at a time, or one
    Path file = dir.resolve("shard");
    try (var out = Files.newByteChannel(file, Set.of(CREATE, WRITE))) {
      var _ = out.position(200L << 20).write(ByteBuffer.allocate(1));
    }
    long[] now = {0};
    var ticker =
        new Ticker() {
          @Override
          public long nanos() {
            return now[0];
          }

          @Override
          public void sleepUntil(long nanos) {
            now[0] = Math.max(now[0], nanos);
          }
        };
    int requests = 100;
    try (Arena arena = Arena.ofConfined();
        ByteFile opened = new ThrottledStore(Store.LOCAL, device, ticker).open(file)) {
      MemorySegment into = arena.allocate(bytes);
      for (int i = 0; i < requests; i++) {
        long at = sequential ? (long) i * bytes : i * 37L % requests * (2 << 20);
        opened.read(at, into);
      }
    }
    double measured = (double) requests * bytes / COSTS.bytes() / (now[0] / 1e9);
    Trial trial = RACE.with(Key.READERS, 1).with(Key.ORDER, order);
    Prediction predicted = predict(trial, Platform.of(64).with(device));
    assertThat(predicted.limit(Bound.STORE)).isCloseTo(measured, within(0.02 * measured));
  }

  @Test
  void readersHideTheLatencyOfAStoreUpToItsQueueDepth() {
    Platform far = Platform.of(64).with(Device.S3);
    Trial one = RACE.with(Key.READERS, 1).with(Key.THREADS, 64);
    double single = predict(one, far).limit(Bound.STORE);
    assertThat(single).isCloseTo(1 / (0.025 + 100_000 / 90e6), within(0.1));
    assertThat(predict(one.with(Key.READERS, 16), far).limit(Bound.STORE))
        .isCloseTo(16 * single, within(1.0));
    assertThat(predict(one.with(Key.READERS, 4000), far).limit(Bound.STORE))
        .isCloseTo(5500, within(1e-6)); // requests a second
    Platform disk = Platform.of(64).with(Device.HDD);
    assertThat(predict(one.with(Key.READERS, 40), disk).limit(Bound.STORE))
        .isEqualTo(predict(one, disk).limit(Bound.STORE));
  }

  /// A drive reads whole tracks: where shards are small, some of the next bytes are near. A sample
  /// in parts that lie apart takes a request, and a seek, for each.
  @Test
  void seeksAreThoseOfThePlacesThatASampleLiesIn() {
    Platform disk = Platform.of(64).with(Device.HDD);
    double far = 1 / (0.012 + 100_000 / 160e6);
    assertThat(Model.USUAL.predict(RACE, COSTS, disk, 1 << 30).limit(Bound.STORE))
        .isCloseTo(far, within(1e-3));
    assertThat(Model.USUAL.predict(RACE, COSTS, disk, 16).limit(Bound.STORE))
        .as("8 shards of 200 kB: a seek in seven of eight cases")
        .isCloseTo(1 / (0.012 * 7 / 8 + 100_000 / 160e6), within(1e-6));
    var parts =
        new Costs(100_000, 3, COSTS.miss(), COSTS.hit(), 100_000, COSTS.rest(), COSTS.busy());
    assertThat(Model.USUAL.predict(RACE, parts, disk, 1 << 30).limit(Bound.STORE))
        .isCloseTo(1 / (3 * 0.012 + 100_000 / 160e6), within(1e-3));
  }

  @Test
  void whatACacheHasIsNotRead() {
    Platform slow = Platform.of(64).with(Device.rate("slow", 10e6));
    long half = (long) (5_000 * SamplePacking.footprint(100_000, 500_000_000));
    double plain = predict(RACE, slow).rate();
    Prediction minio = predict(RACE.with(Key.CACHE, "minio:" + half), slow);
    assertThat(minio.hitRate()).isCloseTo(0.5, within(0.01));
    assertThat(minio.rate()).isCloseTo(2 * plain, within(0.05 * plain));
    Prediction lru = predict(RACE.with(Key.CACHE, "lru:" + half), slow);
    assertThat(lru.hitRate()).isCloseTo(0.5 + 0.5 * Math.log(0.5), within(0.01));
    Trial thrash = RACE.with(Key.CACHE, "lru:" + half).with(Key.ORDER, "sequential");
    assertThat(predict(thrash, slow).hitRate()).isZero();
    assertThat(predict(RACE.with(Key.CACHE, "minio:2GiB").with(Key.MEMORY, "4GiB"), slow))
        .satisfies(all -> assertThat(all.hitRate()).isEqualTo(1))
        .satisfies(all -> assertThat(all.limit(Bound.STORE)).isInfinite());
  }

  @Test
  void samplesKeptDecodedAreCopied() {
    Costs kept = COSTS.keptDecoded(150_000);
    Trial trial = RACE.with(Key.CACHE, "minio:4GiB:decoded").with(Key.DECODING, "exact");
    Prediction warm = Model.USUAL.predict(trial, kept, Platform.of(2), 10_000);
    assertThat(warm.hitRate()).isEqualTo(1);
    assertThat(warm.limit(Bound.PROCESSORS))
        .isCloseTo(2 / (2e-6 + 150_000 / 4e9 + 150e-6 + 40e-6), within(1.0));
  }

  /// {@return runs of a trial in which each sample took what [#COSTS] say}
  private static List<Run> runs(Trial trial, double... rates) {
    List<Run> runs = new ArrayList<>();
    for (double rate : rates) {
      runs.add(
          new Run(
              trial.toMap(),
              runs.size(),
              "",
              3,
              30_000,
              0,
              30_000 / rate,
              List.of(
                  new StageReading(Stage.READ, 1, 0.3, 30_000, 0),
                  new StageReading(Stage.DECODE, 30, 24, 30_000, 0),
                  new StageReading(Stage.TRANSFORM, 5, 4.5, 30_000, 0)),
              3_000_000_000L,
              30_000,
              0,
              0,
              30,
              0,
              0,
              0,
              0,
              0.5,
              "decode",
              0,
              true,
              new Conversion(1, 1, 10_000, 1e9, 100, 1, 1)));
    }
    return runs;
  }

  @Test
  void costsAreThoseOfTheRunsFromMemory() {
    List<Run> all = runs(RACE, 1, 1900, 2000, 2100);
    Summary summary = new Runs(Map.of(), all).summaries().getFirst();
    Costs costs = Costs.of(summary, 2, null);
    assertThat(costs.bytes()).isEqualTo(100_000);
    assertThat(costs.miss().decode()).isCloseTo(800e-6, within(1e-12));
    assertThat(costs.miss().transform()).isCloseTo(150e-6, within(1e-12));
    assertThat(costs.rest()).isCloseTo(40e-6, within(1e-12));
    assertThat(costs.busy()).isEqualTo(1);
  }

  @Test
  void errorsAreAFunctionOfAFileOfRuns() {
    List<Run> all = new ArrayList<>(runs(RACE, 1, 2000, 2000));
    all.addAll(runs(RACE.with(Key.CONSUMER, "100/s"), 1, 80));
    all.addAll(runs(RACE.with(Key.CONSUMER, "200/s"), 1, 200));
    all.addAll(runs(RACE.with(Key.STORE, "10MB/s"), 1, 110));
    Trial other = RACE.with(Key.FORMAT, "tfrecord").with(Key.STORE, "hdd");
    all.addAll(runs(other, 1, 50));
    Errors errors = Errors.of(new Runs(Map.of(), all), 2);
    assertThat(errors.pairs()).hasSize(3);
    assertThat(errors.unpredicted()).containsExactly(other);
    assertThat(errors.pairs().getFirst().error()).isCloseTo(0.25, within(1e-6));
    assertThat(errors.median()).isCloseTo(1 - 100 / 110.0, within(1e-3));
    assertThat(errors.quantile(1)).isCloseTo(0.25, within(1e-6));
    assertThatThrownBy(() -> Errors.of(new Runs(Map.of(), runs(RACE, 1, 9)), 2).median())
        .hasMessageStartingWith("nothing to compare");
  }
}
