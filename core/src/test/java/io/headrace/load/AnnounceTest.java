package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.meter.Stage;
import io.headrace.order.OrderSpec;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An epoch that is announced begins before the one before it has ended, and is the same.
@Timeout(60)
final class AnnounceTest {
  private static final int SAMPLES = 26;

  @TempDir static Path root;
  private static Path race;

  @BeforeAll
  static void store() throws IOException {
    Path folder = Tiny.folder(root.resolve("folder"), SAMPLES);
    race = Tiny.convert(folder, root.resolve("race"), "race", "none", 3);
    Tiny.convert(folder, root.resolve("streamed"), "tfrecord", "gzip", 3);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).seed(5).window(8);
  }

  private static EpochReport drain(Loader loader, long number, boolean announce)
      throws IOException {
    try (Epoch epoch = loader.epoch(number)) {
      if (announce) {
        loader.announce(number + 1);
      }
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        assertThat(batch.epoch()).isEqualTo(number);
        batch.close();
      }
      return epoch.report();
    }
  }

  private static List<String> epochs(Path path, LoadOptions options, int count, boolean announce)
      throws IOException {
    List<String> found = new ArrayList<>();
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      for (int i = 0; i < count; i++) {
        EpochReport report = drain(loader, i, announce);
        found.add(
            report.digest()
                + report.delivered()
                + report.verified()
                + report.cache().hits()
                + report.stages().get(2).items());
      }
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, 1",
    "1, 3, 4",
    "4, 2, 2",
    "4, 4, 3",
    "7, 4, 2",
    "26, 2, 2",
    "26, 3, 1",
    "64, 4, 3",
    "13, 5, 7"
  })
  void announcedEpochsAreTheSame(int batch, int prefetch, int threads) throws IOException {
    for (String stored : List.of("folder", "race", "streamed")) {
      for (OrderSpec order : List.of(OrderSpec.FULL, OrderSpec.SEQUENTIAL)) {
        var options = options().batchSize(batch).prefetch(prefetch).order(order);
        options.threads(threads).readers(1 + threads % 2);
        Path path = root.resolve(stored);
        assertThat(epochs(path, options.build(), 6, true))
            .as("%s %s", stored, order)
            .isEqualTo(epochs(path, options.build(), 6, false));
      }
    }
  }

  @Test
  void cachesServeAnnouncedEpochs() throws IOException {
    for (CacheSpec cache : List.of(new CacheSpec.Lru(2000, false), new CacheSpec.MinIo(2000))) {
      var options = options().readers(1).cache(cache).build();
      assertThat(epochs(race, options, 6, true))
          .as(cache.name())
          .isEqualTo(epochs(race, options, 6, false));
    }
  }

  /// Law: what one reader is about to keep, another does not read again for the next epoch.
  @Test
  void whatIsKeptIsReadOnce() throws IOException {
    for (CacheSpec cache :
        List.of(new CacheSpec.Lru(1 << 20, false), new CacheSpec.MinIo(1 << 20))) {
      var options = options().batchSize(2).prefetch(40).readers(5).cache(cache).build();
      for (int run = 0; run < 20; run++) {
        try (Dataset dataset = Datasets.open(race);
            var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
          for (int number = 0; number < 3; number++) {
            EpochReport report = drain(loader, number, true);
            assertThat(report.cache().misses()).isEqualTo(number == 0 ? SAMPLES : 0);
          }
        }
      }
    }
  }

  /// The next epoch's samples are there although the first one's last batch is still to come.
  @Test
  void theNextEpochBeginsBeforeThisOneEnds() throws Exception {
    try (Dataset dataset = Datasets.open(race);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().prefetch(10).build())) {
      try (Epoch first = loader.epoch(0)) {
        loader.announce(1);
        while (first.meters().read(Stage.READ).items() < SAMPLES) {
          Thread.sleep(1);
        }
        assertThat(Tiny.take(first, 99)).hasSize(SAMPLES);
      }
      long asked = System.nanoTime();
      try (Epoch second = loader.epoch(1)) {
        assertThat(second.meters().seconds())
            .isLessThanOrEqualTo((System.nanoTime() - asked) / 1e9);
        while (second.meters().read(Stage.READ).items() == 0) {
          Thread.sleep(1); // before a batch is asked for
        }
        assertThat(second.report().seconds()).isZero();
        assertThat(Tiny.take(second, 99)).hasSize(SAMPLES).doesNotHaveDuplicates();
      }
    }
  }

  /// A batch stays as it is until it is closed or its epoch is, whatever is made ahead.
  @Test
  void nothingIsWrittenIntoABatchThatIsHeld() throws Exception {
    try (Dataset dataset = Datasets.open(race);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().batchSize(26).build())) {
      for (int number = 0; number < 20; number++) {
        try (Epoch epoch = loader.epoch(number)) {
          loader.announce(number + 1);
          Batch batch = Objects.requireNonNull(epoch.next());
          byte[] before = batch.data().toArray(ValueLayout.JAVA_BYTE);
          long id = batch.id(3);
          Thread.sleep(5);
          assertThat(batch.data().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
          assertThat(batch.id(3)).isEqualTo(id);
          batch.close();
          assertThat(epoch.next()).isNull();
        }
      }
    }
  }

  @Test
  void whatWasAnnouncedNeedNotCome() throws IOException {
    try (Dataset dataset = Datasets.open(race)) {
      List<String> digests = new ArrayList<>();
      for (int run = 0; run < 2; run++) {
        try (var loader = new Loader(dataset, Tiny.PIPELINE, options().build())) {
          drain(loader, 0, run == 1);
          digests.add(drain(loader, 5, run == 1).digest());
          try (Epoch cut = loader.epoch(6)) {
            assertThat(Tiny.take(cut, 2)).hasSize(8);
            if (run == 1) {
              loader.announce(7);
            }
          }
          digests.add(drain(loader, 7, false).digest());
          try (Epoch rest = loader.epoch(8, 13)) {
            digests.add(Tiny.take(rest, 99).toString());
          }
        }
      }
      assertThat(digests.subList(0, 3)).isEqualTo(digests.subList(3, 6));
    }
  }

  @Test
  void aStateIsThatOfWhatWasTaken() throws IOException {
    try (Dataset dataset = Datasets.open(race);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().build())) {
      LoaderState state;
      try (Epoch epoch = loader.epoch(0)) {
        loader.announce(1);
        assertThat(Tiny.take(epoch, 99)).hasSize(SAMPLES);
        state = epoch.state();
      }
      assertThat(state.epoch()).isEqualTo(1);
      assertThat(state.done()).isZero();
      try (Epoch epoch = loader.epoch(state)) {
        assertThat(Tiny.take(epoch, 2)).hasSize(8);
        assertThat(epoch.state().done()).isEqualTo(8);
      }
    }
  }

  @Test
  void anEpochIsBegunAgainIfItsFidelityChanges() throws IOException {
    try (Dataset dataset = Datasets.open(race);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().build())) {
      drain(loader, 0, true);
      loader.fidelity(FidelityMix.parse("1"));
      EpochReport report = drain(loader, 1, false);
      assertThat(report.delivered()).isEqualTo(SAMPLES);
      assertThat(report.fidelities().getFirst().groups()).isEqualTo(1);
    }
  }

  @Test
  void closingEndsWhatWasBegun() throws IOException {
    try (Dataset dataset = Datasets.open(race)) {
      for (int i = 0; i < 30; i++) {
        var loader = new Loader(dataset, Tiny.PIPELINE, options().build());
        Epoch epoch = loader.epoch(0);
        loader.announce(1);
        assertThat(Tiny.take(epoch, i % 8)).hasSize(Math.min(SAMPLES, 4 * (i % 8)));
        loader.close();
        assertThat(loader.memory()).as("all is given back").isZero();
        assertThatThrownBy(() -> loader.epoch(1)).isInstanceOf(IllegalStateException.class);
      }
      assertThat(
              Thread.getAllStackTraces().keySet().stream()
                  .map(Thread::getName)
                  .filter(name -> name.startsWith("read-") || name.startsWith("decode-")))
          .isEmpty();
    }
  }
}
