package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.plan.BadLimit;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.SkippedSample;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Nothing is lost in silence, and nobody waits for ever.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultsTest {
  @TempDir private Path dir = Path.of(".");

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).seed(3).window(16);
  }

  private static void spoil(Path folder, int number) throws IOException {
    for (int group = 0; group < 3; group++) {
      Path file = folder.resolve("class" + group).resolve("%05d.ppm".formatted(number));
      if (Files.exists(file)) {
        Files.writeString(file, "P6 nonsense");
      }
    }
  }

  private Path withBad(int size, int... bad) throws IOException {
    Path folder = Tiny.folder(dir.resolve("bad"), size);
    for (int number : bad) {
      spoil(folder, number);
    }
    return folder;
  }

  private Path stored(Path folder, String how) throws IOException {
    return switch (how) {
      case "folder" -> folder;
      case "streamed" -> Tiny.convert(folder, dir.resolve("out"), "tfrecord", "gzip", 2);
      default -> Tiny.convert(folder, dir.resolve("out"), how, "none", 2);
    };
  }

  @ParameterizedTest
  @CsvSource({"none,true", "5,true", "4,false", "0,false", "5%,true", "4.9%,false", "100%,true"})
  void budgetsOfBadSamples(String limit, boolean sound) throws IOException {
    Path folder = withBad(100, 3, 17, 40, 41, 99);
    for (ErrorPolicy policy : List.of(ErrorPolicy.SKIP, ErrorPolicy.SUBSTITUTE)) {
      LoadOptions options = options().policy(policy).maxBad(BadLimit.parse(limit)).build();
      if (sound) {
        EpochReport report = Tiny.load(folder, options, 1);
        assertThat(report.delivered()).isEqualTo(95);
        assertThat(report.skipped()).isEqualTo(5);
        assertThat(report.substituted()).isEqualTo(policy == ErrorPolicy.SKIP ? 0 : 5);
        assertThat(report.verified()).as("in = delivered + skipped").isTrue();
      } else {
        assertThatThrownBy(() -> Tiny.load(folder, options, 1))
            .isInstanceOfSatisfying(
                CorruptDataException.class,
                e -> {
                  assertThat(e.reason())
                      .contains("bad samples of", "more than the limit of " + limit)
                      .contains(".ppm", e.fault().toString());
                  assertThat(e.where().file()).endsWith(".ppm");
                });
      }
    }
  }

  /// Where the size is not known, a share is checked as samples come and at the end.
  @ParameterizedTest
  @CsvSource({"10%,true", "4%,false", "1%,false"})
  void budgetsOfStreams(String limit, boolean sound) throws IOException {
    Path streamed = stored(Tiny.folder(dir.resolve("good"), 60), "streamed");
    Path bare = Files.createDirectories(dir.resolve("bare"));
    try (var files = Files.list(streamed)) {
      for (Path shard : files.filter(f -> f.toString().contains(".tfrecord")).sorted().toList()) {
        Files.move(shard, bare.resolve(shard.getFileName().toString()));
      }
    }
    Path damaged = Files.writeString(bare.resolve("x.tfrecord"), "no records at all, but text");
    Files.copy(damaged, bare.resolve("y.tfrecord"));
    Files.copy(damaged, bare.resolve("z.tfrecord"));
    LoadOptions options = options().policy(ErrorPolicy.SKIP).maxBad(BadLimit.parse(limit)).build();
    if (sound) {
      EpochReport report = Tiny.load(bare, options, 0);
      assertThat(report.delivered()).isEqualTo(60);
      assertThat(report.skipped()).isEqualTo(3);
    } else {
      assertThatThrownBy(() -> Tiny.load(bare, options, 0))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("more than the limit");
    }
  }

  @Test
  void limitsAreTakenBackAndOthersRefused() {
    for (String text : List.of("none", "7", "0.5%")) {
      assertThat(BadLimit.parse(BadLimit.parse(text).toString())).isEqualTo(BadLimit.parse(text));
    }
    for (String wrong : List.of("", "-1", "101%", "x%", "NaN%", "1.5")) {
      assertThatThrownBy(() -> BadLimit.parse(wrong)).isInstanceOf(ConfigException.class);
    }
  }

  private static long slots(Loader loader, LoaderState from, int most, List<Long> to)
      throws IOException {
    try (Epoch epoch = loader.epoch(from)) {
      for (int i = 0; i < most; i++) {
        try (Batch batch = epoch.next()) {
          if (batch == null) {
            break;
          }
          assertThat(batch.size()).isEqualTo(4);
          for (int slot = 0; slot < batch.size(); slot++) {
            to.add(batch.id(slot));
          }
        }
      }
      return epoch.state().done();
    }
  }

  /// What stands in for a bad sample is the same on any threads and after any resume.
  @Test
  void substitutionIsDeterministicAndSafeToResume() throws IOException {
    Path path = withBad(40, 0, 1, 2, 3, 20, 33);
    Set<List<Long>> runs = new HashSet<>();
    for (int stop : new int[] {0, 1, 4, 9}) {
      LoadOptions options = options().threads(1 + stop % 3).policy(ErrorPolicy.SUBSTITUTE).build();
      try (Dataset dataset = Datasets.open(path);
          var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
        List<Long> slots = new ArrayList<>();
        LoaderState start;
        try (Epoch epoch = loader.epoch(2)) {
          start = epoch.state();
        }
        long done = slots(loader, start, stop, slots);
        var from = new LoaderState(start.seed(), 2, done, start.data(), start.order(), "full", "");
        long _ = slots(loader, from, 99, slots);
        runs.add(slots);
      }
    }
    assertThat(runs).hasSize(1);
    assertThat(runs.iterator().next()).hasSize(40);
  }

  /// A dataset with a reader of the test's own.
  private record Broken(Dataset whole, boolean indexed, Reading reading) implements Dataset {
    /// Spoils a sample that was read.
    private interface Reading {
      void spoil(long number, Sample sample) throws IOException;
    }

    @Override
    public Path root() {
      return whole.root();
    }

    @Override
    public List<String> classes() {
      return whole.classes();
    }

    @Override
    public long size() {
      return whole.size();
    }

    @Override
    public SampleReader openReader() throws IOException {
      reading.spoil(-1, new Sample(new Block(MemoryBudget.unbounded())));
      SampleReader reader = whole.openReader();
      return new SampleReader() {
        @Override
        public void read(long index, Sample into) throws IOException {
          reader.read(index, into);
          reading.spoil(index, into);
        }

        @Override
        public void close() throws IOException {
          reader.close();
        }
      };
    }

    @Override
    public List<Path> shards() {
      return whole.shards();
    }

    @Override
    public SampleCursor openCursor(int shard) throws IOException {
      SampleCursor cursor = whole.openCursor(shard);
      return new SampleCursor() {
        private long number;

        @Override
        public boolean next(Sample into) throws IOException {
          boolean more = cursor.next(into);
          reading.spoil(number++, into);
          return more;
        }

        @Override
        public boolean resumable() {
          return cursor.resumable();
        }

        @Override
        public long bytesRead() {
          return cursor.bytesRead();
        }

        @Override
        public void close() throws IOException {
          cursor.close();
        }
      };
    }

    @Override
    public long storedBytes() throws IOException {
      return whole.storedBytes();
    }

    @Override
    public String setDigest() {
      return whole.setDigest();
    }

    @Override
    public List<String> warnings() {
      return List.of();
    }

    @Override
    public void close() throws IOException {
      whole.close();
    }
  }

  private static void run(Dataset dataset, ErrorPolicy policy) throws IOException {
    try (dataset;
        var loader = new Loader(dataset, Tiny.PIPELINE, options().policy(policy).build())) {
      try (Epoch epoch = loader.epoch(0)) {
        List<Long> _ = Tiny.take(epoch, 99);
      }
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.matches("(read|decode|lane)-\\d+|sequence"))
        .toList();
  }

  /// Odd input 154: a worker or reader that dies of anything ends the epoch with its reason, under
  /// every policy.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aThreadThatDiesEndsTheEpoch(boolean indexed) throws IOException {
    Path folder = Tiny.folder(dir.resolve("f"), 60);
    List<Broken.Reading> deaths = new ArrayList<>();
    deaths.add((number, sample) -> thrown(number == 13, new AssertionError("on purpose")));
    deaths.add((number, sample) -> thrown(number == 13, new StackOverflowError("on purpose")));
    deaths.add(
        (number, sample) -> {
          if (number == 13) {
            sample.encoded(0, 1L << 40); // its decode worker finds no such bytes
          }
        });
    for (Broken.Reading death : deaths) {
      for (ErrorPolicy policy : ErrorPolicy.values()) {
        Dataset dataset = new Broken(Datasets.open(folder), indexed, death);
        assertThatThrownBy(() -> run(dataset, policy))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a loader thread died")
            .hasCauseInstanceOf(Throwable.class);
        assertThat(threads()).isEmpty();
      }
    }
  }

  private static void thrown(boolean now, Error error) {
    if (now) {
      throw error;
    }
  }

  @Test
  void aReaderThatCannotBeOpenedEndsTheEpoch() throws IOException {
    Path folder = Tiny.folder(dir.resolve("f"), 60);
    Dataset io =
        new Broken(
            Datasets.open(folder),
            true,
            (number, _) -> {
              if (number == -1) {
                throw new IOException("on purpose");
              }
            });
    assertThatThrownBy(() -> run(io, ErrorPolicy.SKIP))
        .isInstanceOf(IOException.class)
        .hasMessage("on purpose");
    Dataset error =
        new Broken(
            Datasets.open(folder),
            true,
            (number, _) -> thrown(number == -1, new AssertionError("on purpose")));
    assertThatThrownBy(() -> run(error, ErrorPolicy.SKIP))
        .isInstanceOf(IllegalStateException.class);
    assertThat(threads()).isEmpty();
  }

  /// A file that is gone when it is due: fails, or is counted with its name.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "streamed"})
  void aVanishedFile(String how) throws IOException {
    Path path = stored(Tiny.folder(dir.resolve("f"), 60), how);
    for (ErrorPolicy policy : ErrorPolicy.values()) {
      try (Dataset dataset = Datasets.open(path);
          var loader = new Loader(dataset, Tiny.PIPELINE, options().policy(policy).build())) {
        Path gone = dataset.shards().getLast();
        if (how.equals("folder")) {
          gone = path.resolve("class1").resolve("00030.ppm");
        }
        Path aside = dir.resolve("aside");
        Files.move(gone, aside);
        try (Epoch epoch = loader.epoch(0)) {
          if (policy == ErrorPolicy.FAIL) {
            assertThatThrownBy(() -> Tiny.take(epoch, 99))
                .isInstanceOfSatisfying(
                    CorruptDataException.class, e -> assertThat(e.fault()).isEqualTo(Fault.IO));
          } else {
            List<Long> _ = Tiny.take(epoch, 99);
            EpochReport report = epoch.report();
            assertThat(report.skipped()).isEqualTo(1);
            assertThat(report.delivered()).isEqualTo(how.equals("folder") ? 59 : 30);
            assertThat(report.faults().getFirst().where().file()).isEqualTo(gone.toString());
            assertThat(report.verified()).isEqualTo(how.equals("folder"));
          }
        } finally {
          Files.move(aside, gone);
        }
      }
    }
  }

  /// Odd input 160: a shard cut short while it is read, mapped or not: what is left arrives, the
  /// rest is counted.
  @ParameterizedTest
  @CsvSource({
    "race,page",
    "race,mmap",
    "tfrecord,page",
    "tfrecord,mmap",
    "streamed,page",
    "streamed,mmap"
  })
  void fileShortenedWhileRead(String how, String store) throws IOException {
    Path path = stored(Tiny.folder(dir.resolve("f"), 600), how);
    LoadOptions options = options().policy(ErrorPolicy.SKIP).prefetch(2).shuffle(false).build();
    try (Dataset dataset = Datasets.open(path, Stores.parse(store));
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      assertThat(Tiny.take(epoch, 2)).hasSize(8);
      for (Path shard : dataset.shards()) {
        try (var channel = FileChannel.open(shard, StandardOpenOption.WRITE)) {
          channel.truncate(4096);
        }
      }
      List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
      EpochReport report = epoch.report();
      assertThat(report.skipped()).isPositive();
      if (how.equals("streamed")) {
        assertThat(report.delivered() + report.skipped()).isLessThanOrEqualTo(602);
      } else {
        assertThat(report.delivered() + report.skipped()).isEqualTo(600);
      }
    }
  }

  /// Odd input 160: a shard replaced by another file of its name is read to its end as it was.
  @ParameterizedTest
  @ValueSource(strings = {"race", "tfrecord"})
  void fileReplacedByRenameIsReadAsItWas(String how) throws IOException {
    Path path = stored(Tiny.folder(dir.resolve("f"), 600), how);
    LoadOptions options = options().prefetch(2).readers(1).build();
    String expected = Tiny.load(path, options, 0).digest();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      assertThat(Tiny.take(epoch, 4)).hasSize(16);
      for (Path shard : dataset.shards()) {
        Path other = Files.write(dir.resolve("other"), new byte[100]);
        Files.move(other, shard, StandardCopyOption.ATOMIC_MOVE);
      }
      assertThat(Tiny.take(epoch, Long.MAX_VALUE)).hasSize(584);
      assertThat(epoch.report().digest()).isEqualTo(expected);
      assertThat(epoch.verified()).isTrue();
    }
  }

  private static void appendHole(FileChannel file, long bytes) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(bytes);
    var crc = new CRC32C();
    crc.update(head.array(), 0, 8);
    int value = (int) crc.getValue();
    head.putInt(Integer.rotateRight(value, 15) + 0xa282ead8).flip();
    long end = file.size();
    int _ = file.write(head, end);
    int _ = file.write(ByteBuffer.allocate(4), end + 12 + bytes);
  }

  /// Odd input 158: records after and across byte 2³¹ − 1, and after 4 GiB.
  @Test
  void filesOverTwoGibibytes() throws IOException {
    Path small =
        Tiny.convert(Tiny.folder(dir.resolve("f"), 20), dir.resolve("s"), "tfrecord", "none", 2);
    Path large = dir.resolve("large.tfrecord");
    List<Path> shards;
    try (Dataset dataset = Datasets.open(small)) {
      shards = dataset.shards();
    }
    try (var file = FileChannel.open(large, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      appendHole(file, (1L << 31) - 150);
      int _ = file.write(ByteBuffer.wrap(Files.readAllBytes(shards.getFirst())), file.size());
      appendHole(file, (1L << 31) + 1);
      assertThat(file.size()).isGreaterThan(1L << 32);
      int _ = file.write(ByteBuffer.wrap(Files.readAllBytes(shards.getLast())), file.size());
    }
    LoadOptions options = options().policy(ErrorPolicy.SKIP).memory(64L << 20).readers(1).build();
    try (Dataset dataset = Datasets.open(large);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      Set<Long> found = new HashSet<>(Tiny.take(epoch, 99));
      assertThat(epoch.report().skipped()).isEqualTo(2);
      assertThat(epoch.report().faults().stream().map(SkippedSample::fault))
          .containsOnly(Fault.LIMIT);
      try (Dataset two = Datasets.open(small);
          var other = new Loader(two, Tiny.PIPELINE, options);
          Epoch whole = other.epoch(0)) {
        assertThat(found).hasSize(20).isEqualTo(new HashSet<>(Tiny.take(whole, 99)));
      }
      assertThat(loader.peakMemory()).isLessThanOrEqualTo(64L << 20);
    }
  }
}
