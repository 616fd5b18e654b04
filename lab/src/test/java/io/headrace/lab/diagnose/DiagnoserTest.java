package io.headrace.lab.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.model.Platform;
import io.headrace.lab.trial.FakeMachine;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.spec.Bytes;
import io.headrace.store.Device;
import io.headrace.store.Store;
import io.headrace.store.ThrottledStore;
import io.headrace.store.Ticker;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Diagnoses of a trainer of six samples a second, on a machine whose figures are known.
final class DiagnoserTest {
  @TempDir private Path dir = Path.of(".");
  private Path photos = Path.of(".");

  @BeforeEach
  void copy() {
    photos = Photos.few(dir.resolve("photos"), 2, 3);
  }

  /// @param prepare seconds that six samples take from memory
  /// @param fetch seconds more that they take from the store
  private Diagnosis diagnose(double prepare, double fetch, String memory, String... settings)
      throws IOException, InterruptedException {
    int[] loads = {0};
    var machine =
        new FakeMachine( // three trials take turns, each with an epoch that does not count
            (data, options, epoch, samples) -> prepare + (loads[0]++ / 2 % 3 == 2 ? fetch : 0));
    Trial trial =
        Trial.of(photos).with(Key.CONSUMER, "6/s").with(Key.STORE, "24MB/s").with(Key.THREADS, 1);
    for (int i = 0; i < settings.length; i += 2) {
      trial = trial.with(Key.of(settings[i]), settings[i + 1]);
    }
    var options = new Diagnoser.Options(trial, 100, Bytes.parse(memory), 2, 0, List.of());
    try (var runner = new Runner(dir.resolve("work"), false, machine.instruments())) {
      return new Diagnoser(
              options,
              runner,
              Platform.of(2),
              (data, actual, seconds) -> 6 / fetch,
              dir.resolve("runs.jsonl"),
              said -> {})
          .run();
    }
  }

  @Test
  void stallsAreTheDifferencesBetweenRuns() throws IOException, InterruptedException {
    Diagnosis found = diagnose(0.1, 1.9, "1GiB");
    assertThat(found.ingest()).isEqualTo(6);
    assertThat(found.prep()).isCloseTo(60, within(1e-6));
    assertThat(found.fetch()).isCloseTo(6 / 1.9, within(1e-6));
    assertThat(found.inMemory()).isCloseTo(6 / 1.1, within(1e-6));
    assertThat(found.actual()).isCloseTo(2, within(1e-6));
    assertThat(found.work()).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(found.prepStall()).isCloseTo(0.1 / 3, within(1e-6));
    assertThat(found.fetchStall()).isCloseTo(1.9 / 3, within(1e-6));
    assertThat(found.bottleneck()).isEqualTo("fetch");
    assertThat(found.verdict())
        .startsWith("The trainer (6.0 samples/s) waits 67 % of each epoch, and fetching (3.2");
  }

  @Test
  void aTrainerThatNeverWaitsIsItsOwnBottleneck() throws IOException, InterruptedException {
    Diagnosis found = diagnose(0.001, 0.001, "1GiB");
    assertThat(found.bottleneck()).isEqualTo("none");
    assertThat(found.remedy()).isNull();
    assertThat(found.verdict()).endsWith("it works 100 % of the time, so change nothing.");
  }

  @Test
  void preparingIsNamedWhereDataInMemoryAreNotPreparedFastEnough()
      throws IOException, InterruptedException {
    Diagnosis found = diagnose(2, 0.2, "1GiB");
    assertThat(found.bottleneck()).isEqualTo("prep");
    assertThat(found.prepStall()).isGreaterThan(0.5);
    assertThat(found.verdict()).contains("and preparing samples (3.0 samples/s) is the bottleneck");
  }

  /// Six photos of which 24 MB/s feed hundreds a second, and a device a thousand times slower: the
  /// store allows a few samples a second, whatever is changed but what is kept.
  @Test
  void theSmallestCacheLetsTheStoreKeepUp() throws IOException, InterruptedException {
    Diagnosis fast = diagnose(0.001, 0.1, "1GiB");
    assertThat(fast.cacheToEndFetchStall()).isZero();
    Diagnosis slow = diagnose(0.001, 1.9, "1GiB", "store", "2kB/s", "consumer", "6/s");
    long bytes = slow.cacheToEndFetchStall();
    assertThat(bytes).isPositive();
    double rest = 2000 / slow.costs().bytes();
    assertThat(rest).isLessThan(6);
    double kept = 1 - rest / 6; // the share that need not be read
    assertThat(bytes / (6.0 * slow.costs().bytes())).isBetween(kept * 0.9, kept * 1.4 + 0.5);
    Diagnosis.WhatIf remedy = Objects.requireNonNull(slow.remedy());
    assertThat(remedy.kind()).isEqualTo("cache");
    assertThat(remedy.command()).contains("--cache minio:").contains("--store 2kb/s");
  }

  @Test
  void memoryThatIsNotThereIsNoRemedy() throws IOException, InterruptedException {
    Diagnosis found = diagnose(0.001, 1.9, "1kB", "store", "2kB/s");
    Diagnosis.WhatIf remedy = Objects.requireNonNull(found.remedy());
    assertThat(remedy.kind()).isNotEqualTo("cache");
  }

  @Test
  void aConsumerIsNeeded() {
    assertThatThrownBy(() -> diagnose(1, 1, "1GiB", "consumer", "none"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected --consumer, a rate such as 4155/s");
  }

  /// The clock is the device's, so that the rate is what its bytes take, whoever else runs.
  @Test
  void samplesAreFetchedAsFastAsTheDeviceGivesThem() throws IOException, InterruptedException {
    long[] now = {0};
    var ticker =
        new Ticker() {
          @Override
          public synchronized long nanos() {
            return now[0];
          }

          @Override
          public synchronized void sleepUntil(long nanos) {
            now[0] = Math.max(now[0], nanos);
          }
        };
    var store = new ThrottledStore(Store.LOCAL, Device.rate("slow", 100e3), ticker);
    try (Dataset data = Datasets.open(photos, store)) {
      Trial trial = Trial.of(photos).with(Key.READERS, 1);
      double rate = FetchProbe.rate(data, trial, ticker, 30);
      assertThat(rate).isCloseTo(100e3 * 6 / data.storedBytes(), within(0.05 * rate));
    }
  }
}
