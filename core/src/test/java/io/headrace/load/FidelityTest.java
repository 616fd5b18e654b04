package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.FidelitySchedule;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.random.CounterRandom;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much of each sample is read, and in which mix of encodings they come.
@Timeout(60)
final class FidelityTest {
  @TempDir static Path root;
  private static Path progressive = Path.of(".");
  private static Path mixed = Path.of(".");
  private static Path mixedFolder = Path.of(".");

  @BeforeAll
  static void store() throws IOException {
    Path photos = Photos.few(root.resolve("photos"), 2, 6);
    progressive =
        Tiny.convert(
            photos,
            root.resolve("progressive"),
            Representation.of("race", "none", "progressive", "keep"),
            2);
    mixed =
        Tiny.convert(
            Tiny.folder(root.resolve("tiny"), 120),
            root.resolve("mixed"),
            Representation.of("race", "none", "mix:3*keep+1*png", "keep"),
            3);
    mixedFolder =
        Tiny.convert(
            root.resolve("tiny"),
            root.resolve("mixedFolder"),
            Representation.of("folder", "none", "mix:3*keep+1*png", "keep"),
            1);
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder().batchSize(4).threads(2).seed(3);
  }

  private static FidelityMix mix(String text) {
    return FidelityMix.parse(text);
  }

  private static EpochReport load(LoadOptions.Builder options, long number) throws IOException {
    return Tiny.load(progressive, options.build(), number);
  }

  @Test
  void lowFidelityReadsFewerBytesOfTheSameSamples() throws IOException {
    EpochReport full = load(options(), 0);
    EpochReport low = load(options().fidelity(FidelityMix.of(1)), 0);
    assertThat(low.setDigest()).isEqualTo(full.setDigest());
    assertThat(low.verified()).isTrue();
    assertThat(low.digest()).isNotEqualTo(full.digest());
    assertThat(low.bytesRead()).isLessThan(full.bytesRead() / 2);
    assertThat(full.fidelities()).hasSize(1);
    FidelityReading reading = low.fidelities().getFirst();
    assertThat(reading).isEqualTo(new FidelityReading(1, 12, low.bytesRead()));
    assertThat(load(options().fidelity(FidelityMix.of(99)), 0).digest()).isEqualTo(full.digest());
  }

  /// D.b7: which sample is read how far depends on seed, epoch and the sample alone.
  @Test
  void aMixtureIsDrawnForEachSample() throws IOException {
    FidelityMix half = mix("1:0.5,full:0.5");
    EpochReport one = load(options().fidelity(half).threads(1).readers(1), 0);
    EpochReport more = load(options().fidelity(half).threads(3).readers(4).batchSize(5), 0);
    assertThat(more.digest()).isEqualTo(one.digest());
    assertThat(load(options().fidelity(half), 1).fidelities()).isNotEqualTo(one.fidelities());
    assertThat(one.fidelities().stream().mapToLong(FidelityReading::samples).sum()).isEqualTo(12);
    assertThat(one.fidelities().stream().mapToLong(FidelityReading::bytes).sum())
        .isEqualTo(one.bytesRead());
  }

  @Test
  void mixturesKeepTheirProbabilities() {
    var random = new CounterRandom();
    FidelityMix mix = mix("1:0.2,2:0.3,full:0.5");
    Map<Integer, Integer> drawn = new HashMap<>();
    Set<Integer> ofOneSample = new TreeSet<>();
    for (int sample = 0; sample < 10_000; sample++) {
      drawn.merge(mix.draw(7, 1, sample, random), 1, Integer::sum);
      ofOneSample.add(mix.draw(7, sample, 5, random));
    }
    assertThat(drawn.getOrDefault(1, 0) / 1e4).isCloseTo(0.2, within(0.02));
    assertThat(drawn.getOrDefault(2, 0) / 1e4).isCloseTo(0.3, within(0.02));
    assertThat(drawn.getOrDefault(FidelityMix.ALL, 0) / 1e4).isCloseTo(0.5, within(0.02));
    assertThat(ofOneSample).as("epochs draw anew").hasSize(3);
  }

  @Test
  void regimensGoFromStageToStage() throws IOException {
    FidelitySchedule regimen =
        FidelitySchedule.parse(
            "[{\"epochs\":2,\"fidelity\":1},{\"epochs\":1,\"fidelity\":\"full\"}]");
    assertThat(regimen.epochs()).isEqualTo(3);
    assertThat(regimen.at(1)).isEqualTo(FidelityMix.of(1));
    assertThat(regimen.at(2)).isEqualTo(FidelityMix.FULL);
    assertThat(regimen.at(99)).isEqualTo(FidelityMix.FULL);
    for (long number = 1; number < 4; number++) {
      assertThat(load(options().regimen(regimen), number).digest())
          .isEqualTo(load(options().fidelity(regimen.at(number)), number).digest());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "[{\"epochs\":0,\"fidelity\":1}]",
        "[{\"epochs\":1}]",
        "[{\"epochs\":1,\"fidelity\":0}]",
        "[{\"epochs\":1.5,\"fidelity\":1}]",
        "[{\"epochs\":1,\"fidelity\":\"most\"}]",
        "[7]"
      })
  void whatIsNoRegimenIsRefused(String json) {
    assertThatThrownBy(() -> FidelitySchedule.parse(json)).isInstanceOf(ConfigException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1:0.5", "1:0.5,2:0.6", "1:-1,2:2", "1:NaN", "1:1:1"})
  void whatIsNoFidelityIsRefused(String text) {
    assertThatThrownBy(() -> mix(text)).isInstanceOf(ConfigException.class);
  }

  @Test
  void namesComeBack() {
    for (String text : List.of("full", "3", "1:0.25,2:0.25,full:0.5")) {
      assertThat(mix(text).toString()).isEqualTo(text);
    }
  }

  /// A call takes effect in the next epoch; what was cached of another fidelity is not used; and a
  /// state carries it.
  @ParameterizedTest
  @CsvSource({"none,full", "minio,full", "lru,full", "two-region,two-region"})
  void fidelityChangesBetweenEpochs(String kind, String order) throws IOException {
    LoadOptions.Builder builder = options().order(OrderSpec.parse(order));
    builder.cache(
        switch (kind) {
          case "minio" -> new CacheSpec.MinIo(100 << 20);
          case "lru" -> new CacheSpec.Lru(100 << 20);
          case "two-region" -> new CacheSpec.TwoRegion(300_000);
          default -> new CacheSpec.None();
        });
    LoadOptions options = builder.build();
    String full2 = digestOf(options, 2, FidelityMix.FULL);
    String low1 = digestOf(options, 1, FidelityMix.of(1));
    String low2 = digestOf(options, 2, FidelityMix.of(1));
    assertThat(low2).isNotEqualTo(full2);
    try (Dataset dataset = Datasets.open(progressive);
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      LoaderState middle;
      try (Epoch epoch = loader.epoch(0)) {
        List<Long> _ = Tiny.take(epoch, 1);
        loader.fidelity(FidelityMix.of(1));
        assertThat(epoch.state().fidelity()).as("as it began").isEqualTo("full");
        List<Long> _ = Tiny.take(epoch, 99);
        assertThat(epoch.state().fidelity()).as("of the next").isEqualTo("1");
      }
      try (Epoch epoch = loader.epoch(1)) {
        List<Long> _ = Tiny.take(epoch, 99);
        assertThat(epoch.report().digest()).isEqualTo(low1);
      }
      try (Epoch epoch = loader.epoch(2)) {
        List<Long> _ = Tiny.take(epoch, 99);
        assertThat(epoch.report().digest()).isEqualTo(low2);
        middle = epoch.state();
      }
      loader.fidelity(FidelityMix.FULL);
      try (Epoch epoch = loader.epoch(2)) {
        List<Long> _ = Tiny.take(epoch, 99);
        assertThat(epoch.report().digest()).isEqualTo(full2);
      }
      try (Epoch epoch =
          loader.epoch(
              new LoaderState(
                  middle.seed(), 2, 0, middle.data(), middle.order(), middle.fidelity(), ""))) {
        List<Long> _ = Tiny.take(epoch, 99);
        assertThat(epoch.report().digest()).isEqualTo(low2);
      }
    }
  }

  private static String digestOf(LoadOptions options, long number, FidelityMix mix)
      throws IOException {
    try (Dataset dataset = Datasets.open(progressive);
        var loader = new Loader(dataset, Tiny.PIPELINE, options)) {
      loader.fidelity(mix);
      try (Epoch epoch = loader.epoch(number)) {
        List<Long> _ = Tiny.take(epoch, 99);
        return epoch.report().digest();
      }
    }
  }

  /// C15: with a constant mix, each batch of each rank has the encodings' shares; without, it
  /// varies.
  @ParameterizedTest
  @CsvSource({"full,1", "full,3", "two-region,1"})
  void batchesHoldTheMixingRatio(String order, int world) throws IOException {
    for (Path dataset : List.of(mixed, mixedFolder)) {
      assertThat(varied(dataset, order, world, Mix.CONSTANT)).hasSize(1);
      assertThat(varied(dataset, order, world, Mix.FREE).size()).isGreaterThan(1);
    }
  }

  /// C15, C19, C21: after the first epoch each encoding has the hit rate of all, in each epoch.
  @Test
  void eachEncodingHasItsOwnRegions() throws IOException {
    LoadOptions options =
        options()
            .batchSize(8)
            .mix(Mix.CONSTANT)
            .order(OrderSpec.parse("two-region"))
            .cache(new CacheSpec.TwoRegion(20_000))
            .build();
    Map<Integer, Integer> reads = new HashMap<>();
    Map<Integer, Integer> sizes = new HashMap<>();
    try (Dataset dataset = Datasets.open(mixed);
        var loader = new Loader(counting(dataset, reads), Tiny.PIPELINE, options)) {
      for (int i = 0; i < dataset.size(); i++) {
        sizes.merge(dataset.kindOf(i), 1, Integer::sum);
      }
      assertThat(sizes.values()).containsExactlyInAnyOrder(90, 30);
      for (int number = 0; number < 4; number++) {
        reads.clear();
        try (Epoch epoch = loader.epoch(number)) {
          List<Long> _ = Tiny.take(epoch, Long.MAX_VALUE);
          double predicted = epoch.report().cache().predicted();
          sizes.forEach(
              (kind, size) ->
                  assertThat(1 - (double) reads.getOrDefault(kind, 0) / size)
                      .as("share of hits of kind %d", kind)
                      .isCloseTo(predicted, within(1.0 / size)));
          CacheReading cache = epoch.report().cache();
          assertThat(cache.hitRate()).isEqualTo(cache.predicted());
          assertThat(cache.predicted() > 0).isEqualTo(number > 0);
        }
      }
    }
  }

  /// {@return a view of a dataset whose readers count what they read, by kind}
  private static Dataset counting(Dataset whole, Map<Integer, Integer> reads) {
    return (Dataset)
        view(
            Dataset.class,
            whole,
            (name, index, result) ->
                name.equals("openReader")
                    ? view(
                        Dataset.SampleReader.class,
                        result,
                        (method, sample, read) -> {
                          if (method.equals("read")) {
                            synchronized (reads) {
                              reads.merge(whole.kindOf(sample), 1, Integer::sum);
                            }
                          }
                          return read;
                        })
                    : result);
  }

  /// Sees a call: its method, its first argument if that is a number, and its result.
  private interface Seen {
    Object at(String method, long number, Object result);
  }

  private static Object view(Class<?> type, Object of, Seen seen) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> {
          try {
            Object result = method.invoke(of, arguments);
            long number =
                arguments != null && arguments.length > 0 && arguments[0] instanceof Long l
                    ? l
                    : -1;
            return seen.at(method.getName(), number, result);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  /// {@return how many samples of the first kind the full batches have}
  private static Set<Integer> varied(Path path, String order, int world, Mix mix)
      throws IOException {
    Set<Integer> counts = new TreeSet<>();
    List<Long> all = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      LoadOptions.Builder builder =
          options().batchSize(8).rank(rank, world).mix(mix).order(OrderSpec.parse(order));
      if (order.equals("two-region")) {
        builder.cache(new CacheSpec.TwoRegion(20_000));
      }
      try (Dataset dataset = Datasets.open(path);
          var loader = new Loader(dataset, Tiny.PIPELINE, builder.build())) {
        Map<Long, Integer> kinds = kinds(dataset);
        try (Epoch epoch = loader.epoch(1)) {
          for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
            int first = 0;
            for (int slot = 0; slot < batch.validCount(); slot++) {
              all.add(batch.id(slot));
              first += kinds.getOrDefault(batch.id(slot), 0) == dataset.kindOf(0) ? 1 : 0;
            }
            if (batch.validCount() == 8) {
              counts.add(first);
            }
            batch.close();
          }
        }
      }
    }
    assertThat(all).hasSize(120).doesNotHaveDuplicates();
    return counts;
  }

  private static Map<Long, Integer> kinds(Dataset dataset) throws IOException {
    Map<Long, Integer> kinds = new HashMap<>();
    try (var reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int i = 0; i < dataset.size(); i++) {
        reader.read(i, sample);
        kinds.put(sample.id(), dataset.kindOf(i));
      }
    }
    assertThat(new TreeSet<>(kinds.values())).hasSize(2);
    return kinds;
  }

  @Test
  void aConstantMixNeedsAnOrderThatCan() {
    assertThatThrownBy(() -> options().mix(Mix.CONSTANT).order(OrderSpec.parse("buffer:9")).build())
        .isInstanceOf(ConfigException.class)
        .hasMessage("a constant mix in order buffer:9: expected order full or two-region");
  }
}
