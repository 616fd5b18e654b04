package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.EpochPlan;
import io.headrace.order.LastBatch;
import io.headrace.order.OrderSpec;
import io.headrace.order.RanksTail;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranks and workers share an epoch, and its end is as announced.
@Timeout(60)
final class TailsTest {
  @TempDir static Path root;

  @BeforeAll
  static void store() throws IOException {
    for (int size : new int[] {10, 26, 100}) {
      Path folder = Tiny.folder(root.resolve("folder" + size), size);
      Tiny.convert(folder, root.resolve("streamed" + size), "tfrecord", "gzip", 3);
      Tiny.convert(folder, root.resolve("race" + size), "race", "none", 4);
    }
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(2).threads(2).seed(5).window(8);
  }

  /// What a rank got.
  private record Got(EpochPlan plan, List<Integer> sizes, List<Long> ids, EpochReport report) {}

  private static Got load(Path path, LoadOptions options) throws IOException {
    List<Integer> sizes = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      assertThat(epoch.plan()).isEqualTo(loader.plan());
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        sizes.add(batch.size());
        Set<Long> own = new HashSet<>();
        for (int slot = 0; slot < batch.size(); slot++) {
          if (slot < batch.validCount()) {
            own.add(batch.id(slot));
            ids.add(batch.id(slot));
          } else if (!own.isEmpty()) {
            assertThat(batch.id(slot)).as("a repeated sample").isNotZero();
          }
        }
        batch.close();
      }
      return new Got(loader.plan(), sizes, ids, epoch.report());
    }
  }

  /// Odd input 135: every worker reads everything.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "race", "streamed"})
  void eachSampleComesOnceForAnyNumberOfWorkers(String stored) throws IOException {
    for (int threads : new int[] {1, 3, 4}) {
      var options = options().batchSize(7).threads(threads).readers(threads).build();
      Got got = load(root.resolve(stored + 100), options);
      assertThat(got.ids()).hasSize(100).doesNotHaveDuplicates();
      assertThat(got.sizes()).hasSize(15);
    }
  }

  /// Odd input 137: 10 samples, 3 ranks, batches of 2; shards of other sizes change nothing.
  @ParameterizedTest
  @CsvSource({
    "folder,drop,drop,1,6,4", "streamed,drop,drop,1,6,4", "race,drop,partial,2,9,1",
    "streamed,drop,partial,2,9,1", "folder,pad,pad,2,10,0", "race,pad,pad,2,10,0",
    "streamed,pad,pad,2,10,0", "streamed,pad,partial,2,10,0", "folder,uneven,partial,2,10,0"
  })
  void ranksGetEqualNumbersOfBatches(
      String stored, String tail, String last, int batches, int delivered, long dropped)
      throws IOException {
    Set<Long> all = new HashSet<>();
    for (int rank = 0; rank < 3; rank++) {
      LoadOptions options =
          options()
              .rank(rank, 3)
              .ranksTail(RanksTail.of(tail))
              .lastBatch(LastBatch.of(last))
              .build();
      Got got = load(root.resolve(stored + 10), options);
      assertThat(got.sizes()).hasSize(batches);
      assertThat(got.plan().batches()).isEqualTo(batches);
      assertThat(got.plan().dropped()).isEqualTo(dropped);
      assertThat(got.report().dropped()).isEqualTo(dropped);
      for (long id : got.ids()) {
        assertThat(all.add(id)).as("dealt once").isTrue();
      }
      if (last.equals("pad")) {
        assertThat(got.sizes()).containsOnly(2);
        assertThat(got.report().padded()).isEqualTo(4 - got.ids().size());
      }
    }
    assertThat(all).hasSize(delivered);
  }

  /// Batches of one sample are handed out the moment it is decoded, the repeated one too: by then
  /// its epoch's length must be known. Repeated, because threads have to meet at the wrong moment.
  @Test
  void aRepeatedSampleOfAStreamIsNeverTheRanksOwn() throws IOException {
    LoadOptions options = options().batchSize(1).rank(2, 3).ranksTail(RanksTail.PAD).build();
    try (Dataset dataset = Datasets.open(root.resolve("streamed10"));
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      for (int number = 0; number < 500; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          List<Integer> own = new ArrayList<>();
          for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
            own.add(batch.validCount());
            batch.close();
          }
          assertThat(own).as("epoch %d", number).containsExactly(1, 1, 1, 0);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop", "pad", "uneven"})
  void ranksWithTwoRegionsGetWhatWasAnnounced(String tail) throws IOException {
    Set<Long> all = new HashSet<>();
    Set<Integer> batches = new HashSet<>();
    long dropped = -1;
    for (int rank = 0; rank < 3; rank++) {
      LoadOptions options =
          options()
              .rank(rank, 3)
              .batchSize(3)
              .ranksTail(RanksTail.of(tail))
              .order(OrderSpec.parse("two-region"))
              .cache(new CacheSpec.TwoRegion(2000))
              .build();
      Got got = load(root.resolve("race10"), options);
      assertThat(got.sizes()).hasSize((int) got.plan().batches());
      batches.add(got.sizes().size());
      all.addAll(got.ids());
      dropped = got.plan().dropped();
    }
    assertThat(all).hasSize((int) (10 - dropped));
    assertThat(batches).hasSize(tail.equals("uneven") ? 2 : 1);
  }

  /// Odd input 139: 26 samples, 4 shards, batches of 6.
  @ParameterizedTest
  @CsvSource({
    "folder,drop,24",
    "streamed,drop,24",
    "race,drop,24",
    "folder,partial,26",
    "streamed,partial,26",
    "folder,pad,26",
    "streamed,pad,26"
  })
  void lastBatch(String stored, String last, int delivered) throws IOException {
    LoadOptions options = options().batchSize(6).lastBatch(LastBatch.of(last)).build();
    Got got = load(root.resolve(stored + 26), options);
    assertThat(got.ids()).hasSize(delivered).doesNotHaveDuplicates();
    assertThat(got.sizes()).doesNotContain(0).hasSize((int) got.plan().batches());
    assertThat(got.report().dropped()).isEqualTo(26 - delivered);
    if (!last.equals("partial")) {
      assertThat(got.sizes()).containsOnly(6);
    }
    assertThat(got.report().padded()).isEqualTo(last.equals("pad") ? 4 : 0);
    assertThat(got.report().verified()).isEqualTo(delivered == 26);
  }

  /// A batch without one good sample is delivered all the same, masked as a whole, where the other
  /// ranks wait for it.
  @ParameterizedTest
  @CsvSource({"pad,2", "uneven,1"})
  void skippingDoesNotTakeABatchFromOneRank(String tail, int batches, @TempDir Path dir)
      throws IOException {
    Path folder = Tiny.folder(dir, 8);
    for (Path file :
        List.of(folder.resolve("class0/00000.ppm"), folder.resolve("class0/00002.ppm"))) {
      Files.writeString(file, "P6 nonsense");
    }
    LoadOptions options =
        options()
            .shuffle(false)
            .rank(0, 2)
            .ranksTail(RanksTail.of(tail))
            .policy(ErrorPolicy.SKIP)
            .build();
    Got got = load(folder, options);
    assertThat(got.sizes()).hasSize(batches);
    assertThat(got.ids()).hasSize(2);
    assertThat(got.report().skipped()).isEqualTo(2);
    assertThat(got.report().padded()).isEqualTo(tail.equals("pad") ? 2 : 0);
  }

  /// Odd input 149: a sample's random steps depend on seed, epoch and the sample alone.
  @Test
  void augmentationDoesNotRepeatAcrossWorkersOrEpochs() throws IOException {
    Map<Long, Map<Long, String>> epochs = new HashMap<>();
    for (int threads : new int[] {1, 4}) {
      for (long number = 0; number < 2; number++) {
        Map<Long, String> pixels = new HashMap<>();
        for (int rank = 0; rank < 2; rank++) {
          try (Dataset dataset = Datasets.open(root.resolve("folder100"));
              var loader =
                  new Loader(
                      dataset, Tiny.PIPELINE, options().threads(threads).rank(rank, 2).build());
              Epoch epoch = loader.epoch(number)) {
            for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
              int bytes = (int) batch.data().byteSize() / batch.size();
              for (int slot = 0; slot < batch.size(); slot++) {
                byte[] sample =
                    batch.data().asSlice((long) slot * bytes, bytes).toArray(ValueLayout.JAVA_BYTE);
                pixels.put(batch.id(slot), HexFormat.of().formatHex(sample));
              }
              batch.close();
            }
          }
        }
        assertThat(pixels).hasSize(100);
        Map<Long, String> before = epochs.putIfAbsent(number, pixels);
        assertThat(before == null ? pixels : before).isEqualTo(pixels);
      }
    }
    Map<Long, String> first = epochs.getOrDefault(0L, Map.of());
    Map<Long, String> second = epochs.getOrDefault(1L, Map.of());
    long same = first.entrySet().stream().filter(second.entrySet()::contains).count();
    assertThat(same).as("samples cropped alike in both epochs").isLessThan(20);
  }

  /// Odd input 151: shards with 3, 0 and 4 samples, and with very different counts.
  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip"})
  void emptyOrMissingPartsDoNotEndTheStream(String compression, @TempDir Path dir)
      throws IOException {
    Path three =
        Tiny.convert(
            Tiny.folder(dir.resolve("3"), 3), dir.resolve("a"), "tfrecord", compression, 1);
    Path many = Tiny.folder(dir.resolve("43"), 43);
    for (int i = 0; i < 3; i++) {
      Files.delete(many.resolve("class0").resolve("%05d.ppm".formatted(i)));
    }
    Tiny.convert(many, dir.resolve("b"), "tfrecord", compression, 1);
    Path set = Files.createDirectories(dir.resolve("set"));
    String ending = compression.equals("none") ? "" : ".gz";
    copyShard(three, set.resolve("s-0.tfrecord" + ending));
    Files.createFile(set.resolve("s-1.tfrecord"));
    copyShard(dir.resolve("b"), set.resolve("s-2.tfrecord" + ending));
    for (int lanes = 1; lanes <= 3; lanes++) {
      Got got = load(set, options().readers(lanes).build());
      assertThat(got.ids()).hasSize(43).doesNotHaveDuplicates();
      assertThat(got.report().delivered()).isEqualTo(43);
    }
  }

  private static void copyShard(Path folder, Path to) throws IOException {
    try (var files = Files.list(folder)) {
      Path shard =
          files
              .filter(f -> f.getFileName().toString().contains(".tfrecord"))
              .findAny()
              .orElseThrow();
      Files.copy(shard, to);
    }
  }

  @Test
  void aSyntheticEpochHandsOneBatchOutAgain() throws IOException {
    try (Dataset dataset = Datasets.open(root.resolve("race26"));
        var loader =
            new Loader(dataset, Tiny.PIPELINE, options().batchSize(6).synthetic(true).build());
        Epoch epoch = loader.epoch(0)) {
      List<Integer> sizes = new ArrayList<>();
      Set<Long> addresses = new HashSet<>();
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        sizes.add(batch.size());
        addresses.add(batch.data().address());
        batch.close();
      }
      assertThat(sizes).containsExactly(6, 6, 6, 6, 6);
      assertThat(addresses).hasSize(1);
      assertThat(epoch.report().delivered()).isEqualTo(30);
      assertThat(epoch.report().bytesRead()).isLessThan(6 * 600);
      assertThat(epoch.verified()).isFalse();
    }
    Path bare = Files.createDirectories(root.resolve("bare"));
    copyShard(root.resolve("streamed26"), bare.resolve("x.tfrecord"));
    try (Dataset dataset = Datasets.open(bare);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().synthetic(true).build())) {
      assertThat(dataset.size()).isEqualTo(-1);
      assertThatThrownBy(() -> loader.epoch(0))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("expected a size");
    }
  }
}
