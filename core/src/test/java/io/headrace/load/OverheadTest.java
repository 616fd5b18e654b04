package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.deliver.BatchSizer;
import io.headrace.load.deliver.ClosableQueue;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Allocations;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the loader does beside decoding costs little, and nothing on the heap.
final class OverheadTest {
  private static final int EDGE = 16;
  private static final int SAMPLES = 20_000;

  @TempDir private Path dir = Path.of(".");

  private Path write(String name, int samples) throws IOException, DecodeException {
    return RawShards.write(dir, name, samples, EDGE);
  }

  private static EpochReport load(Loader loader, long number) throws IOException {
    try (Epoch epoch = loader.epoch(number)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  /// Law: once the code is compiled, an epoch allocates less than 1 KB a batch. What goes into
  /// starting an epoch is left out: the first quarter of it.
  @ParameterizedTest
  @ValueSource(strings = {"race", "tfrecord"})
  void aBatchLeavesLessThanOneKilobyteOnTheHeap(String container)
      throws IOException, DecodeException {
    Pipeline pipeline = Pipeline.parse("resize=16x16,uint8,hwc");
    var options = LoadOptions.builder().batchSize(256).seed(1).threads(2).build();
    double least = Double.MAX_VALUE;
    try (Dataset dataset = Datasets.open(write(container, SAMPLES));
        var loader = new Loader(dataset, pipeline, options)) {
      long end = System.nanoTime() + 20_000_000_000L;
      for (int number = 0; least >= 1024 && System.nanoTime() < end; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          long before = 0;
          int n = 0;
          for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
            batch.close();
            n++;
            if (n == 20) {
              before = Allocations.ofAllThreads();
            } else if (n == 70) {
              least = Math.min(least, (Allocations.ofAllThreads() - before) / 50.0);
            }
          }
        }
      }
    }
    assertThat(least).isLessThan(1024);
  }

  /// Law: raw pixels that are only copied are those that the pipeline makes.
  @ParameterizedTest
  @ValueSource(strings = {"race", "tfrecord"})
  void copiedPixelsAreThoseOfThePipeline(String container) throws IOException, DecodeException {
    Path file = write(container, 600);
    String copied;
    String made;
    // a flip with probability 0 and one with 1, twice, make the same picture
    try (Dataset dataset = Datasets.open(file);
        var loader =
            new Loader(
                dataset,
                Pipeline.parse("resize=16x16,flip=0,uint8,hwc"),
                LoadOptions.builder().seed(3).build())) {
      copied = load(loader, 0).digest();
    }
    try (Dataset dataset = Datasets.open(file);
        var loader =
            new Loader(
                dataset,
                Pipeline.parse("resize=16x16,flip=1,flip=1,uint8,hwc"),
                LoadOptions.builder().seed(3).build())) {
      made = load(loader, 0).digest();
    }
    assertThat(copied).isEqualTo(made);
  }

  @Test
  void orderAndPixelsDoNotDependOnHowManySamplesAThreadTakes() throws IOException, DecodeException {
    Path file = write("race", 3000);
    String first = "";
    for (int threads : new int[] {1, 3, 8}) {
      for (int batch : new int[] {7, 256}) {
        var options =
            LoadOptions.builder().batchSize(batch).seed(5).threads(threads).readers(threads);
        try (Dataset dataset = Datasets.open(file);
            var loader =
                new Loader(dataset, Pipeline.parse("resize=16x16,uint8,hwc"), options.build())) {
          EpochReport report = load(loader, 2);
          assertThat(report.delivered()).isEqualTo(3000);
          assertThat(report.verified()).isTrue();
          first = first.isEmpty() ? report.digest() : first;
          assertThat(report.digest()).isEqualTo(first);
        }
      }
    }
  }

  /// Law: threads cannot run for longer than time passed, and waiting is no running.
  @Test
  void stagesTellRunningFromWaiting() throws IOException, DecodeException {
    try (Dataset dataset = Datasets.open(write("race", 3000));
        var loader =
            new Loader(
                dataset,
                Pipeline.parse("resize=24x24,uint8,hwc"),
                LoadOptions.builder().batchSize(64).build())) {
      EpochReport report = load(loader, 0);
      for (StageReading reading : report.stages()) {
        assertThat(reading.cpuSeconds()).isBetween(0.0, reading.seconds());
        switch (reading.stage()) {
          case READ, DECODE, TRANSFORM -> {
            assertThat(reading.items()).isEqualTo(3000);
            assertThat(reading.cpuSeconds()).isPositive();
          }
          case STARVE, STALL, BLOCK -> assertThat(reading.cpuSeconds()).isZero();
        }
      }
      assertThat(report.stages()).extracting(StageReading::stage).contains(Stage.BLOCK);
      assertThat(report.queueOccupancy()).isBetween(0.0, 1.0);
    }
  }

  @Test
  void aHandoffGivesInOrderAndLetsGoWhenItEnds() {
    var handoff = new ClosableQueue<String>(4);
    assertThat(handoff.putAll(new String[] {"a", "b", "c", "d", "e"}, 4)).isTrue();
    var taken = new String[4];
    assertThat(handoff.take(taken, 3)).isEqualTo(3);
    assertThat(taken).startsWith("a", "b", "c");
    assertThat(handoff.put("e")).isTrue();
    handoff.end();
    assertThat(handoff.take(taken, 4)).isEqualTo(2);
    assertThat(taken).startsWith("d", "e");
    assertThat(handoff.take(taken, 4)).isZero();
    handoff.close();
    assertThat(handoff.put("f")).isFalse();
    assertThat(handoff.take()).isNull();
  }

  @Test
  void cheapSamplesAreTakenByTheHandfulAndDearOnesAlone() {
    var pace = new BatchSizer();
    assertThat(pace.most(100)).isEqualTo(1);
    for (int i = 0; i < 40; i++) {
      pace.took(4_000, 2);
    }
    assertThat(pace.most(100)).isEqualTo(BatchSizer.MAX);
    assertThat(pace.most(5)).isEqualTo(5);
    assertThat(pace.most(0)).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      pace.took(5_000_000, 1);
    }
    assertThat(pace.most(100)).isEqualTo(1);
  }
}
