package io.headrace.load.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.RawShards;
import io.headrace.load.deliver.BatchSizer;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.ByteFile;
import io.headrace.store.Device;
import io.headrace.store.FilterStore;
import io.headrace.store.Gather;
import io.headrace.store.Store;
import io.headrace.store.ThrottledStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What lies together is read together; nothing else changes.
final class ReadTogetherTest {
  private static final int EDGE = 16;
  private static final int SAMPLES = 1500;
  private static final Pipeline PIPELINE = Pipeline.parse("resize=16x16,uint8,hwc");

  /// Bytes of memory with which readers have none for reading together.
  private static final long TIGHT = 7L << 20;

  @TempDir private Path dir = Path.of(".");

  private static LoadOptions.Builder options(String order) {
    return LoadOptions.builder()
        .order(OrderSpec.parse(order))
        .batchSize(128)
        .seed(3)
        .threads(2)
        .readers(2)
        .policy(ErrorPolicy.SKIP);
  }

  private static EpochReport load(Path path, Store store, LoadOptions options) throws IOException {
    try (Dataset dataset = Datasets.open(path, store);
        var loader = new Loader(dataset, PIPELINE, options);
        Epoch epoch = loader.epoch(1)) {
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  /// Counts requests and bytes, for each thread.
  private static final class Counting extends FilterStore {
    final Map<String, Integer> requests = new ConcurrentHashMap<>();
    final Map<String, Long> bytes = new ConcurrentHashMap<>();

    Counting() {
      super(Store.LOCAL);
    }

    @Override
    protected ByteFile filter(ByteFile file) {
      return new FilterFile(file) {
        @Override
        public void read(long position, MemorySegment into) throws IOException {
          String thread = Thread.currentThread().getName();
          requests.merge(thread, 1, Integer::sum);
          bytes.merge(thread, into.byteSize(), Long::sum);
          super.read(position, into);
        }
      };
    }

    /// {@return requests of readers; opening and indexing are the test's own thread's}
    int byReaders() {
      return requests.entrySet().stream()
          .filter(e -> e.getKey().startsWith("read-"))
          .mapToInt(Map.Entry::getValue)
          .sum();
    }

    long bytesByReaders() {
      return bytes.entrySet().stream()
          .filter(e -> e.getKey().startsWith("read-"))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  /// Law: samples in stored order take far fewer requests, and not a byte more; pixels are the
  /// same.
  @ParameterizedTest
  @CsvSource({
    "race, sequential", "race, buffer:16", "race, interleave:4:1", "race, block:64:1",
    "tfrecord, sequential", "tfrecord, block:64:1", "tar, sequential", "tar, interleave:2:1"
  })
  void neighboursTakeFewRequests(String container, String order)
      throws IOException, DecodeException {
    Path file = RawShards.write(dir, container, SAMPLES, EDGE);
    var single = new Counting();
    EpochReport one = load(file, single, options(order).memory(TIGHT).build());
    assertThat(single.byReaders()).isEqualTo(SAMPLES);
    var together = new Counting();
    EpochReport many = load(file, together, options(order).build());
    assertThat(together.byReaders()).isLessThan(SAMPLES / (order.equals("sequential") ? 4 : 2));
    assertThat(many.bytesRead()).isEqualTo(together.bytesByReaders());
    if (order.equals("sequential")) {
      assertThat(together.bytesByReaders()).isEqualTo(single.bytesByReaders());
    }
    assertThat(many.delivered()).isEqualTo(SAMPLES);
    assertThat(many.verified()).isEqualTo(container.equals("race"));
    assertThat(many.digest()).isEqualTo(one.digest());
  }

  @ParameterizedTest
  @ValueSource(strings = {"race", "tfrecord", "tar"})
  void scatteredSamplesAreReadOneByOne(String container) throws IOException, DecodeException {
    Path file = RawShards.write(dir, container, SAMPLES, EDGE);
    var store = new Counting();
    EpochReport report = load(file, store, options("full").build());
    assertThat(store.byReaders()).isBetween(SAMPLES * 3 / 4, SAMPLES);
    assertThat(report.delivered()).isEqualTo(SAMPLES);
    assertThat(report.bytesRead()).isEqualTo(store.bytesByReaders());
  }

  /// Law: a store that is slow to answer gets few requests too, from all readers at once.
  @Test
  void aSlowStoreIsSharedAndAskedForMuchAtOnce() throws IOException, DecodeException {
    Path file = RawShards.write(dir, "race", SAMPLES, EDGE);
    var slow = new Device("slow", 1e9, 1e9, 1e9, 2_000_000, 0, 64);
    var store = new ThrottledStore(Store.LOCAL, slow);
    EpochReport report = load(file, store, options("sequential").readers(4).build());
    assertThat(report.verified()).isTrue();
    assertThat(store.requests()).isLessThan(SAMPLES / 4);
    var counting = new Counting();
    load(file, counting, options("sequential").readers(3).build());
    assertThat(counting.requests.keySet()).contains("read-0", "read-1", "read-2");
  }

  /// Law: a reader makes one request at a time for what it has claimed: of single samples until the
  /// store has turned out slow, then of as many as fit. A second one would come after another
  /// reader's, and a disk would seek there and back.
  @Test
  void aRunIsOneRequest() throws IOException, DecodeException {
    int samples = 120;
    Path file = RawShards.write(dir, "race", samples, 150);
    var slow = new Device("slow", 1e9, 1e9, 1e9, 2_000_000, 0, 64);
    LoadOptions options = options("sequential").build();
    MemoryBudget budget = MemoryBudget.unbounded();
    int longest = 0;
    try (Dataset dataset = Datasets.open(file, new ThrottledStore(Store.LOCAL, slow));
        var reading =
            new Fetcher.Reading(
                dataset.openReader(),
                new EpochOrder(samples, false, 0, 0, 0, 1),
                new FidelityCounts(
                    FidelityMix.FULL,
                    new LoadSetting(dataset, PIPELINE, options, List.of(), budget),
                    0),
                new LongAdder(),
                new Gather(budget, 1 << 20));
        var sample = new Sample(new Block(budget))) {
      for (int begin = 0; begin < samples; ) {
        int run = reading.runFrom(begin, 1, Math.min(BatchSizer.MAX, samples - begin));
        reading.expect(begin, begin + run);
        for (int i = 0; i < run; i++) {
          assertThat(reading.fetch(begin + i, sample)).isTrue();
        }
        assertThat(reading.takeRequests(run)).as("requests for %d samples", run).isEqualTo(1);
        longest = Math.max(longest, run);
        begin += run;
      }
    }
    assertThat(longest).as("samples of 67,500 bytes, in four fifths of 1 MiB").isEqualTo(12);
  }

  /// Law: damage is a fault of the sample that has it, as if each were read by itself.
  @ParameterizedTest
  @ValueSource(strings = {"race", "tfrecord", "tar"})
  void damageIsThatOfOneSample(String container) throws IOException, DecodeException {
    Path file = RawShards.write(dir, container, SAMPLES, EDGE);
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      for (int i = 1; i < 4; i++) {
        long at = container.equals("tar") ? 0 : channel.size() / 5 * i;
        if (at > 0) {
          var one = ByteBuffer.allocate(1);
          int _ = channel.read(one, at);
          one.flip();
          one.put(0, (byte) (one.get(0) ^ 1));
          int _ = channel.write(one, at);
        }
      }
      if (container.equals("tar")) {
        channel.truncate(channel.size() / 2);
      }
    }
    EpochReport one = load(file, Store.LOCAL, options("sequential").memory(TIGHT).build());
    EpochReport many = load(file, Store.LOCAL, options("sequential").build());
    assertThat(one.faults()).isNotEmpty();
    assertThat(many.faults()).isEqualTo(one.faults());
    assertThat(many.delivered()).isEqualTo(one.delivered());
    assertThat(many.digest()).isEqualTo(one.digest());
  }
}
