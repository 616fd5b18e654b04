package io.headrace.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What one thread takes, given a clock of known numbers.
final class GlanceTest {
  @TempDir private Path dir = Path.of(".");

  /// Each sample takes 4 ms to decode and 1 ms to transform, by a clock that passed, and half of
  /// that by the thread's own.
  private static final class Work {
    private final AtomicLong clock;
    private final int bad;
    private int seen;
    private long good;

    Work(AtomicLong clock, int bad) {
      this.clock = clock;
      this.bad = bad;
    }

    Glance.Work asWork() {
      return new Glance.Work(this::process, this::decodeNanos, this::transformNanos, epoch -> null);
    }

    void process(Sample sample, long epoch) throws DecodeException {
      clock.addAndGet(2_500_000);
      if (seen++ % 4 == bad) {
        throw new DecodeException(Fault.CORRUPT, "made up");
      }
      good++;
    }

    long decodeNanos() {
      return 4_000_000 * good;
    }

    long transformNanos() {
      return 1_000_000 * good;
    }
  }

  /// Each look at the clock takes 2 ms, so that each sample takes 2 ms to read and, with the work,
  /// 4.5 ms to process; what it took is divided as the processor says.
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void oneThreadsTimesAreThoseOfItsClock(int bad) throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 2);
    var clock = new AtomicLong();
    var work = new Work(clock, bad);
    try (Dataset dataset = Datasets.open(photos)) {
      Glance glance =
          Glance.at(
              dataset,
              work.asWork(),
              MemoryBudget.unbounded(),
              1,
              () -> clock.addAndGet(2_000_000));
      assertThat(glance.read()).isCloseTo(0.002, within(1e-9));
      assertThat(glance.decode()).isCloseTo(0.0045 * 0.8, within(1e-9));
      assertThat(glance.transform()).isCloseTo(0.0045 * 0.2, within(1e-9));
      long good = bad < 0 ? 4 : 3;
      assertThat(glance.bytes()).isCloseTo((double) dataset.storedBytes() / good, within(1.0));
      assertThat(work.seen).as("passes that warm up, and three").isGreaterThanOrEqualTo(4 * 4);
    }
  }

  @Test
  void samplesThatAreAllBadAreAnError() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 1, 1);
    var clock = new AtomicLong();
    try (Dataset dataset = Datasets.open(photos)) {
      var work = new Work(clock, 0);
      assertThatThrownBy(
              () ->
                  Glance.at(
                      dataset, work.asWork(), MemoryBudget.unbounded(), 1, clock::incrementAndGet))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining(photos.toString())
          .hasMessageContaining("key=");
    }
  }

  @Test
  void itRunsOnRealSamples() throws IOException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 2);
    try (Dataset dataset = Datasets.open(photos)) {
      Trial trial = Trial.of(photos).with(Key.PIPELINE, "random_resized_crop=32,uint8,hwc");
      Glance glance = Glance.at(dataset, trial.with(Key.SAMPLES, 2), 1);
      assertThat(glance.decode()).isPositive();
      assertThat(glance.transform()).isPositive();
      assertThat(glance.bytes()).isBetween(1000.0, 1e7);
    }
  }
}
