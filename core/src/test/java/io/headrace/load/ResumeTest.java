package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.LastBatch;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A position is a few numbers, and whoever takes it up gets exactly the rest.
@Timeout(60)
final class ResumeTest {
  private static final String[] STORED = {"folder", "tfrecord", "race", "tar", "streamed"};
  private static final String[] ORDERS = {
    "full", "sequential", "buffer:7", "block:5:3", "interleave:2:6"
  };

  @TempDir static Path root;

  @BeforeAll
  static void store() throws IOException {
    for (int size : new int[] {1, 23, 128}) {
      Path folder = Tiny.folder(path("folder", size), size);
      Tiny.convert(folder, path("tfrecord", size), "tfrecord", "none", 3);
      Tiny.convert(folder, path("race", size), "race", "none", 2);
      Tiny.convert(folder, path("tar", size), "tar", "none", 3);
      Tiny.convert(folder, path("streamed", size), "tfrecord", "gzip", 3);
    }
  }

  private static Path path(String stored, int size) {
    return root.resolve(stored + size);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).seed(11).window(16).digest(false);
  }

  private static List<Long> whole(Path path, LoadOptions options, long epoch) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch open = loader.epoch(epoch)) {
      return Tiny.take(open, Long.MAX_VALUE);
    }
  }

  /// One step: every rank of a world takes up `from` and takes some batches.
  ///
  /// @return where all of them stand then
  private static LoaderState step(
      Path path,
      LoadOptions.Builder builder,
      int world,
      LoaderState from,
      long batches,
      List<Long> to)
      throws IOException {
    Set<String> states = new TreeSet<>();
    for (int rank = 0; rank < world; rank++) {
      try (Dataset dataset = Datasets.open(path);
          var loader = new Loader(dataset, Tiny.PIPELINE, builder.rank(rank, world).build());
          Epoch epoch = loader.epoch(from)) {
        to.addAll(Tiny.take(epoch, batches));
        states.add(epoch.state().toJson());
      }
    }
    assertThat(states).as("ranks in step agree").hasSize(1);
    return LoaderState.parse(states.iterator().next());
  }

  private static LoaderState begin(Path path, LoadOptions options, long epoch) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch open = loader.epoch(epoch)) {
      return open.state();
    }
  }

  private static LongStream seeds() {
    return Seeds.random().limit(20);
  }

  /// Any dataset, order, world, batch and stop: an epoch taken up again and again is each sample
  /// once. What was read ahead and not taken does not count.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("seeds")
  void everySampleComesOnceHoweverOftenAnEpochIsTakenUp(long seed) throws IOException {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    String stored = STORED[random.nextInt(STORED.length)];
    String order = ORDERS[random.nextInt(ORDERS.length)];
    if (stored.equals("streamed") && order.startsWith("block")) {
      order = "full";
    }
    Path path = path(stored, new int[] {1, 23, 128}[random.nextInt(3)]);
    LoadOptions.Builder builder = options().order(OrderSpec.parse(order));
    long number = random.nextInt(3);
    List<Long> expected = whole(path, builder.build(), number);
    LoaderState state = begin(path, builder.build(), number);
    List<Long> found = new ArrayList<>();
    for (int steps = 0; state.epoch() == number && steps < 200; steps++) {
      builder.threads(1 + random.nextInt(3)).batchSize(1 + random.nextInt(9));
      int world = 1 + random.nextInt(4);
      long batches = steps > 2 ? Long.MAX_VALUE : random.nextInt(6);
      state = step(path, builder, world, state, batches, found);
    }
    assertThat(state.done()).isZero();
    assertThat(state.epoch()).isEqualTo(number + 1);
    Collections.sort(found);
    Collections.sort(expected);
    assertThat(found).as("%s in order %s", path, order).isEqualTo(expected);
  }

  /// Odd input 141: stop after 30 batches, take up, stop after 10 more, take up.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "race", "streamed"})
  void secondResumeGoesOnAtTheSum(String stored) throws IOException {
    Path path = path(stored, 128);
    LoadOptions.Builder builder = options().batchSize(3);
    List<Long> found = new ArrayList<>();
    LoaderState state = begin(path, builder.build(), 2);
    state = step(path, builder, 1, state, 30, found);
    assertThat(state.done()).isEqualTo(90);
    state = step(path, builder, 1, state, 10, found);
    assertThat(state.done()).isEqualTo(120);
    state = step(path, builder, 1, state, 99, found);
    assertThat(found).as("the same order").isEqualTo(whole(path, builder.build(), 2));
    assertThat(state).isEqualTo(begin(path, builder.build(), 3));
  }

  /// Odd input 143: 128 samples, stopped 3 batches before the end.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "streamed"})
  void epochsAfterAResumeAreWhole(String stored) throws IOException {
    Path path = path(stored, 128);
    LoadOptions options = options().batchSize(8).build();
    LoaderState state;
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options);
        Epoch epoch = loader.epoch(0)) {
      assertThat(Tiny.take(epoch, 13)).hasSize(104);
      state = epoch.state();
    }
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      try (Epoch epoch = loader.epoch(state)) {
        assertThat(Tiny.take(epoch, 99)).hasSize(24);
        state = epoch.state();
      }
      for (int i = 0; i < 3; i++) {
        try (Epoch epoch = loader.epoch(state)) {
          assertThat(Tiny.take(epoch, 99)).hasSize(128);
          assertThat(epoch.verified()).isTrue();
          state = epoch.state();
        }
      }
      assertThat(state.epoch()).isEqualTo(4);
    }
  }

  /// Odd input 145: so little is left that some ranks and workers have nothing to do.
  @ParameterizedTest
  @CsvSource({"folder,5", "race,5", "streamed,5", "folder,0"})
  void resumeWhenSomeWorkersAreDone(String stored, int batches) throws IOException {
    Path path = path(stored, 23);
    LoadOptions.Builder builder = options().threads(4).readers(2);
    List<Long> found = new ArrayList<>();
    LoaderState state = step(path, builder, 1, begin(path, builder.build(), 0), batches, found);
    LoaderState end = step(path, builder, 4, state, Long.MAX_VALUE, found);
    assertThat(found).hasSize(23).doesNotHaveDuplicates();
    assertThat(end.epoch()).isEqualTo(1);
  }

  @Test
  void readingAheadIsNotTaking() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(path("folder", 128));
        var loader = new Loader(dataset, Tiny.PIPELINE, options().prefetch(16).build());
        Epoch epoch = loader.epoch(0)) {
      List<Long> _ = Tiny.take(epoch, 2);
      Thread.sleep(50);
      assertThat(epoch.state().done()).isEqualTo(8);
    }
  }

  @Test
  void aPositionBehindADroppedTailBeginsTheNextEpoch() throws IOException {
    LoadOptions.Builder builder = options().batchSize(8).lastBatch(LastBatch.DROP);
    Path path = path("folder", 23);
    List<Long> found = new ArrayList<>();
    LoaderState state = step(path, builder, 2, begin(path, builder.build(), 0), 1, found);
    assertThat(state.done()).isEqualTo(16);
    state = step(path, builder, 2, state, 99, found);
    assertThat(state).isEqualTo(begin(path, builder.build(), 1));
    assertThat(found).hasSize(16);
  }

  @Test
  void stateIsJsonAndSaysWhatItIs() throws IOException {
    LoaderState state = begin(path("race", 23), options().seed(Long.MIN_VALUE).build(), 4);
    assertThat(state.toJson())
        .startsWith("{\"headrace_state\":1,\"seed\":-9223372036854775808,\"epoch\":4,\"done\":0,")
        .contains("\"samples\":23", "\"order\":\"full\"", "\"fidelity\":\"full\"")
        .endsWith(",\"decoding\":\"fast\"}");
    assertThat(LoaderState.parse(state.toJson())).isEqualTo(state);
  }

  /// States did not always say how samples were decoded.
  @Test
  void aStateOfBeforeIsTakenUpUnderAnyDecoding() throws IOException {
    LoadOptions.Builder builder = options();
    String json = begin(path("race", 23), builder.build(), 4).toJson();
    LoaderState before = LoaderState.parse(json.replace(",\"decoding\":\"fast\"", ""));
    assertThat(before.decoding()).isEmpty();
    for (Decoding decoding : Decoding.values()) {
      List<Long> found = new ArrayList<>();
      LoaderState after =
          step(path("race", 23), builder.decoding(decoding), 1, before, Long.MAX_VALUE, found);
      assertThat(found).hasSize(23);
      assertThat(after.decoding()).isEqualTo(decoding.label());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "{}",
        "{\"headrace_state\":2}",
        "[\"headrace_state\"]",
        "{\"headrace_state\":1,\"seed\":0,\"epoch\":0,\"done\":9,\"samples\":8,\"set\":\"\","
            + "\"order\":\"full\",\"fidelity\":\"full\"}",
        "{\"headrace_state\":1,\"seed\":0,\"epoch\":-1,\"done\":0,\"samples\":8,\"set\":\"\","
            + "\"order\":\"full\",\"fidelity\":\"full\"}",
        "{\"headrace_state\":1,\"seed\":1.5,\"epoch\":0,\"done\":0,\"samples\":8,\"set\":\"\","
            + "\"order\":\"full\",\"fidelity\":\"full\"}",
        "{\"headrace_state\":1,\"seed\":1e30,\"epoch\":0,\"done\":0,\"samples\":8,\"set\":\"\","
            + "\"order\":\"full\",\"fidelity\":\"full\"}",
        "{\"headrace_state\":1,\"seed\":0,\"epoch\":0,\"done\":0,\"samples\":8,\"set\":\"\","
            + "\"order\":\"full\",\"fidelity\":\"full\",\"decoding\":7}"
      })
  void whatIsNoStateIsRefused(String json) {
    assertThatThrownBy(() -> LoaderState.parse(json)).isInstanceOf(ConfigException.class);
  }

  @Test
  void aStateOfSomethingElseIsRefused() throws IOException {
    LoaderState state = begin(path("folder", 23), options().build(), 0);
    refused("folder", 23, options().seed(12).build(), state, "the state's seed is '11'");
    refused("folder", 23, options().shuffle(false).build(), state, "the state's order is 'full'");
    LoadOptions exact = options().decoding(Decoding.EXACT).build();
    refused("folder", 23, exact, state, "decoding is 'fast', this loader's is 'exact'");
    refused("folder", 128, options().build(), state, "128 samples, 23 before");
    refused("streamed", 23, options().build(), state, "streamed lanes=2 window=16");
    LoaderState streamed = begin(path("streamed", 23), options().build(), 0);
    refused("streamed", 23, options().readers(3).build(), streamed, "lanes=3");
    Path other = Tiny.folder(root.resolve("other"), 22);
    Files.write(other.resolve("class1").resolve("another.ppm"), Tiny.picture(5));
    refusedAt(other, options().build(), state, "samples of other keys");
  }

  /// An empty folder is a class too: it moves the labels of those after it.
  @Test
  void aStateKnowsLabelsAndClasses() throws IOException {
    Path folder = Tiny.folder(root.resolve("labels"), 9);
    LoaderState state = begin(folder, options().build(), 0);
    Path added = Files.createDirectory(folder.resolve("class00"));
    refusedAt(folder, options().build(), state, "another list of classes");
    LoaderState old =
        LoaderState.parse(state.toJson().replaceAll("\"(labels|classes)\":\"\\w+\",", ""));
    assertThat(old.data().labels()).isEmpty();
    try (Dataset dataset = Datasets.open(folder);
        var loader = new Loader(dataset, Tiny.PIPELINE, options().build());
        Epoch epoch = loader.epoch(old)) { // said by versions that did not look at labels
      assertThat(epoch.next()).isNotNull();
    }
    Files.delete(added);
    Path swapped = path("race", 23);
    LoaderState race = begin(swapped, options().build(), 0);
    assertThat(race.data().labels()).isNotEmpty();
    refusedAt(
        swapped,
        options().build(),
        LoaderState.parse(race.toJson().replace(race.data().labels(), "0123456789abcdef")),
        "other labels");
  }

  /// Two regions cannot be dealt out anew: what is in memory depends on ranks and batches.
  @Test
  void twoRegionsSayWhatTheyCannot() throws IOException {
    LoadOptions.Builder builder =
        options()
            .order(OrderSpec.parse("two-region"))
            .cache(new CacheSpec.TwoRegion(4000))
            .rank(0, 2);
    LoaderState state = begin(path("folder", 23), builder.build(), 1);
    assertThat(state.order()).isEqualTo("two-region:stored batch=4 world=2 cache=4000 readers=2");
    refused("folder", 23, builder.rank(0, 3).build(), state, "world=3");
    refused("folder", 23, builder.rank(0, 2).batchSize(5).build(), state, "batch=5");
    List<Long> found = new ArrayList<>();
    builder.batchSize(4).threads(3);
    state = step(path("folder", 23), builder, 2, state, 1, found);
    assertThat(state.done()).isEqualTo(8);
    LoaderState end = step(path("folder", 23), builder, 2, state, 99, found);
    assertThat(found).hasSize(23).doesNotHaveDuplicates();
    assertThat(end.epoch()).isEqualTo(2);
  }

  private static void refused(
      String stored, int size, LoadOptions options, LoaderState state, String reason)
      throws IOException {
    refusedAt(path(stored, size), options, state, reason);
  }

  private static void refusedAt(Path path, LoadOptions options, LoaderState state, String reason)
      throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      assertThatThrownBy(() -> loader.epoch(state))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(reason);
    }
  }
}
