package io.headrace.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.target.Representation;
import io.headrace.meter.Stage;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runner on a machine whose figures are known.
final class RunnerTest {
  @TempDir private Path dir = Path.of(".");
  private Path photos = Path.of(".");
  private Path work = Path.of(".");

  /// Each epoch takes half a second, whatever is loaded.
  private final FakeMachine machine = new FakeMachine((data, options, epoch, samples) -> 0.5);

  @BeforeEach
  void copy() {
    photos = Photos.few(dir.resolve("photos"), 2, 3);
    work = dir.resolve("work");
  }

  private Runner runner(boolean keep) {
    return new Runner(work, keep, machine.instruments());
  }

  @Test
  void epochsAreLoadedUntilTheTimeIsOverAndTheFirstDoesNotCount()
      throws IOException, InterruptedException {
    try (Runner runner = runner(false)) {
      Run run = runner.run(Trial.of(photos), 2, 1.2);
      assertThat(machine.log)
          .containsExactly(
              "load photos 2000000",
              "load photos 2000001",
              "load photos 2000002",
              "load photos 2000003");
      assertThat(run.repeat()).isEqualTo(2);
      assertThat(run.epochs()).isEqualTo(3);
      assertThat(run.samples()).isEqualTo(18);
      assertThat(run.seconds()).isCloseTo(1.5, within(1e-9));
      assertThat(run.rate()).isCloseTo(12, within(1e-9));
      assertThat(run.goodput()).isNaN();
      assertThat(run.bytesRead()).isEqualTo(18_000);
      assertThat(run.bytesPerSecond()).isCloseTo(12_000, within(1e-6));
      assertThat(run.cpu(Stage.DECODE)).isCloseTo(0.0015, within(1e-12));
      assertThat(run.stallShare()).isCloseTo(0.018 / 1.5, within(1e-9));
      assertThat(run.hitRate()).isEqualTo(0.75);
      assertThat(run.predictedHitRate()).isEqualTo(0.8);
      assertThat(run.cpuSeconds()).isCloseTo(3, within(1e-9)); // two processors
      assertThat(run.others()).isCloseTo(0, within(1e-9)); // one of the two it may not use
      assertThat(run.diskBytes()).isEqualTo(10);
      assertThat(run.networkBytes()).isEqualTo(100);
      assertThat(run.requests()).isEqualTo(1);
      assertThat(run.peakMemory()).isEqualTo(12_345);
      assertThat(run.bottleneck()).isEqualTo("decode");
      assertThat(run.conversion().seconds()).isZero();
      assertThat(run.trial()).isEqualTo(Trial.of(photos));
    }
  }

  @Test
  void aConsumersWorkIsPartOfTheTime() throws IOException, InterruptedException {
    try (Runner runner = runner(false)) {
      // six samples take half a second to load and a quarter to work on
      Run run = runner.run(Trial.of(photos).with(Key.CONSUMER, "24/s"), 1, 1);
      assertThat(run.seconds()).isCloseTo(1.5, within(1e-6));
      assertThat(run.rate()).isCloseTo(8, within(1e-6));
      assertThat(run.trial().consumer().samplesPerSecond()).isEqualTo(24);
      assertThat(run.goodput()).isCloseTo(1 / 3.0, within(1e-6));
    }
  }

  @Test
  void aColdRunDropsItsFilesAndItsOneEpochCounts() throws IOException, InterruptedException {
    try (Runner runner = runner(false)) {
      Trial cold = Trial.of(photos).with(Key.LEVEL, "cold");
      Run run = runner.run(cold, 1, 5);
      assertThat(run.epochs()).isEqualTo(1);
      assertThat(run.seconds()).isCloseTo(0.5, within(1e-9));
      assertThat(machine.log).hasSize(7).last().isEqualTo("load photos 1000000 last");
      for (Path group : Photos.sorted(photos)) {
        for (Path photo : Photos.sorted(group)) {
          assertThat(machine.log).contains("drop " + photo.getFileName());
        }
      }
      machine.log.clear();
      var _ = runner.run(cold.with(Key.FORMAT, "tfrecord").with(Key.SHARDS, 2), 1, 5);
      assertThat(machine.log.subList(0, 2))
          .containsExactlyInAnyOrder(
              "drop data-00000-of-00002.tfrecord", "drop data-00001-of-00002.tfrecord");
    }
  }

  @Test
  void trialsOfOneRepresentationShareItsConversion() throws IOException, InterruptedException {
    Trial raw = Trial.of(photos).with(Representation.of("none", "raw", "shortest=32"));
    try (Runner runner = runner(false)) {
      Conversion made = runner.prepare(raw);
      assertThat(made.samples()).isEqualTo(6);
      assertThat(made.lossless()).isTrue();
      assertThat(made.bytesPerSample()).isBetween(3.0 * 32 * 32, 3.0 * 32 * 60);
      assertThat(runner.prepare(raw.with(Key.THREADS, 1))).isSameAs(made);
      assertThat(Photos.sorted(work).stream().filter(Files::isDirectory)).hasSize(1);
      Trial small = raw.with(Representation.of("none", "jpeg:20", "keep"));
      assertThat(runner.prepare(small).ssim()).isBetween(0.5, 0.99);
      assertThat(runner.prepare(small.with(Key.SAMPLES, 2)).samples()).isEqualTo(2);
    }
    assertThat(Photos.sorted(work)).isEmpty();
  }

  @Test
  void whatWasConvertedStaysWhereThatIsAskedForWithItsTime()
      throws IOException, InterruptedException {
    Trial raw = Trial.of(photos).with(Key.FORMAT, "race");
    Conversion made;
    try (Runner runner = runner(true)) {
      made = runner.prepare(raw);
    }
    List<Path> files = Photos.sorted(work);
    assertThat(files).hasSize(2);
    try (Runner runner = runner(true)) {
      assertThat(runner.prepare(raw)).isEqualTo(made);
      runner.forget(raw);
      assertThat(Photos.sorted(work)).isEmpty();
    }
  }

  @Test
  void aDatasetThatDeliversNothingIsAnErrorNotAnEndlessMeasurement() {
    var nothing = new FakeMachine((data, options, epoch, samples) -> 0);
    Trial none = Trial.of(photos);
    try (Runner runner =
        new Runner(
            work,
            false,
            new Instruments(
                nothing,
                nothing.instruments().processors(),
                nothing.instruments().traffic(),
                1,
                () -> Double.POSITIVE_INFINITY,
                file -> {},
                (data, pipeline, options) ->
                    new Instruments.Epochs() {
                      @Override
                      public io.headrace.load.EpochReport load(
                          long number, boolean another, io.headrace.load.PacedConsumer consumer) {
                        return FakeMachine.epoch(number, 0, 0, 1);
                      }

                      @Override
                      public long peakMemory() {
                        return 0;
                      }

                      @Override
                      public void close() {}
                    }))) {
      assertThatThrownBy(() -> runner.run(none, 1, 1))
          .isInstanceOf(IOException.class)
          .hasMessage(photos + ": not one sample could be loaded");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
