package io.headrace.load.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.Tiny;
import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Decoders outlive epochs, and not their loader.
@Timeout(60)
final class DecoderPoolTest {
  private static final long LIMIT = 1 << 20;
  private static final Pipeline STEPS =
      Pipeline.parse("resize_shorter=40,center_crop=32,uint8,hwc");

  @TempDir private Path root = Path.of(".");

  private final MemoryBudget budget = new MemoryBudget(LIMIT);

  /// Something to do with a pool.
  @FunctionalInterface
  private interface Use {
    void of(DecoderPool pool) throws Exception;
  }

  private void pooled(Use use) throws Exception {
    LoadOptions options = LoadOptions.builder().build();
    try (Dataset dataset = Datasets.open(Tiny.folder(root.resolve("tiny"), 3));
        var memory = new SampleMemory(setting(dataset, options), null);
        var pool = new DecoderPool(memory, setting(dataset, options))) {
      use.of(pool);
    }
  }

  private LoadSetting setting(Dataset dataset, LoadOptions options) {
    return new LoadSetting(dataset, Tiny.PIPELINE, options, List.of(), budget);
  }

  @Test
  void whatIsGivenBackIsTakenAgain() throws Exception {
    pooled(
        pool -> {
          Decoders first = pool.take();
          Decoders second = pool.take();
          assertThat(second).as("one for each worker at a time").isNotSameAs(first);
          pool.giveBack(second, true);
          pool.giveBack(first, true);
          assertThat(List.of(pool.take(), pool.take())).containsExactly(first, second);
          first.close();
          second.close();
        });
  }

  @Test
  void whatFailedIsNotUsedAgain() throws Exception {
    pooled(
        pool -> {
          Decoders first = pool.take();
          pool.giveBack(first, false);
          assertThat(pool.take()).isNotSameAs(first);
        });
  }

  /// Scratch memory of one epoch must not be what the next one lacks.
  @Test
  void littleMemoryIsLeftAlone() throws Exception {
    pooled(
        pool -> {
          Decoders first = pool.take();
          assertThat(budget.tryReserve(LIMIT / 4 * 3 + 1)).isTrue();
          pool.giveBack(first, true);
          assertThat(pool.take()).isNotSameAs(first);
        });
  }

  @Test
  void whatComesBackLateIsClosed() throws Exception {
    pooled(
        pool -> {
          Decoders first = pool.take();
          pool.close();
          pool.giveBack(first, true);
          assertThat(pool.take()).isNotSameAs(first);
        });
  }

  /// Law: epochs after the first two take no more, and the loader gives all of it back.
  @Test
  void memoryStaysFromEpochToEpochAndEndsWithTheLoader() throws IOException {
    LoadOptions options =
        LoadOptions.builder().batchSize(4).threads(1).readers(1).shuffle(false).build();
    try (Dataset dataset = Datasets.open(Photos.few(root.resolve("photos"), 3, 4))) {
      var loader = new Loader(dataset, STEPS, options);
      try (loader) {
        long batches = loader.memory();
        long kept = 0;
        for (int number = 0; number < 6; number++) {
          try (Epoch epoch = loader.epoch(number)) {
            assertThat(Tiny.take(epoch, 99)).hasSize(12);
          }
          kept = number == 0 ? loader.memory() - batches : kept;
          assertThat(loader.memory()).isEqualTo(batches + kept);
        }
        assertThat(kept).as("scratch memory").isPositive();
        loader.close();
        assertThat(loader.memory()).isEqualTo(batches);
      }
    }
  }
}
