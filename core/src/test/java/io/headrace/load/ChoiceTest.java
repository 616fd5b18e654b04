package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.plan.Choice;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Epochs of some of a dataset's samples, and epochs drawn by weights.
final class ChoiceTest {
  private static final int COUNT = 60;
  private static final Pipeline CROPS = Pipeline.parse("random_resized_crop=4,flip,uint8,hwc");

  @TempDir static Path root;

  private static Path folder = Path.of(".");
  private static final List<String> KEYS = new ArrayList<>();
  private static final List<Long> IDS = new ArrayList<>();

  @BeforeAll
  static void store() throws IOException {
    folder = Tiny.folder(root.resolve("folder"), COUNT);
    try (Dataset dataset = Datasets.open(folder);
        Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int i = 0; i < COUNT; i++) {
        reader.describe(i, sample);
        KEYS.add(sample.key());
        IDS.add(sample.id());
      }
    }
  }

  private static Path lines(String name, List<?> lines) throws IOException {
    return Files.write(root.resolve(name), lines.stream().map(String::valueOf).toList());
  }

  private static LoadOptions.Builder options(Choice choice) {
    return LoadOptions.builder().batchSize(7).threads(2).seed(5).choice(choice);
  }

  /// A sample as it was delivered.
  private record Got(long id, String pixels) {}

  private static List<Got> take(Epoch epoch, int batches) throws IOException {
    List<Got> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      try (Batch batch = epoch.next()) {
        if (batch == null) {
          break;
        }
        int bytes = (int) (batch.data().byteSize() / batch.size());
        for (int slot = 0; slot < batch.validCount(); slot++) {
          byte[] pixels =
              batch.data().asSlice((long) slot * bytes, bytes).toArray(ValueLayout.JAVA_BYTE);
          all.add(new Got(batch.id(slot), HexFormat.of().formatHex(pixels)));
        }
      }
    }
    return all;
  }

  private static List<Got> load(LoadOptions options, long number) throws IOException {
    try (Dataset dataset = Datasets.open(folder);
        var loader = new Loader(dataset, CROPS, options);
        Epoch epoch = loader.epoch(number)) {
      List<Got> all = take(epoch, Integer.MAX_VALUE);
      assertThat(epoch.report().verified()).isFalse();
      assertThat(epoch.report().contradiction()).isEmpty();
      return all;
    }
  }

  private static List<Long> ids(List<Got> all) {
    return all.stream().map(Got::id).toList();
  }

  /// Each comes as often as its weight says, never one of weight 0, and looks different each time;
  /// for any threads, dealt out to ranks, and from where an epoch was left.
  @Test
  void samplesComeAsOftenAsTheirWeightsSay() throws IOException {
    List<Integer> weights = IntStream.range(0, COUNT).mapToObj(i -> i % 4).toList();
    Choice choice = Choice.parse(null, lines("weights", weights).toString(), 6000L);
    List<Got> all = load(options(choice).build(), 3);
    assertThat(all).hasSize(6000);
    Map<Long, Long> counts =
        all.stream().collect(Collectors.groupingBy(Got::id, Collectors.counting()));
    for (int i = 0; i < COUNT; i++) {
      double expected = 6000.0 * weights.get(i) / (15 * 6);
      double found = counts.getOrDefault(IDS.get(i), 0L);
      assertThat(Math.abs(found - expected)).isLessThanOrEqualTo(5 * Math.sqrt(expected));
    }
    assertThat(all.stream().distinct().count()).isGreaterThan(2000);
    assertThat(load(options(choice).threads(1).build(), 3)).isEqualTo(all);
    assertThat(ids(load(options(choice).build(), 4))).isNotEqualTo(ids(all));
    List<List<Got>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ranks.add(load(options(choice).rank(rank, 2).build(), 3));
    }
    for (int i = 0; i < 6000; i++) {
      assertThat(ranks.get(i % 2).get(i / 2)).isEqualTo(all.get(i));
    }
    try (Dataset dataset = Datasets.open(folder);
        var loader = new Loader(dataset, CROPS, options(choice).build())) {
      LoaderState state;
      try (Epoch epoch = loader.epoch(3)) {
        assertThat(take(epoch, 20)).isEqualTo(all.subList(0, 140)); // more than the dataset has
        state = epoch.state();
      }
      try (Epoch epoch = loader.epoch(LoaderState.parse(state.toJson()))) {
        assertThat(take(epoch, Integer.MAX_VALUE)).isEqualTo(all.subList(140, 6000));
      }
      try (var plain = new Loader(dataset, CROPS, options(Choice.ALL).build())) {
        assertThatThrownBy(() -> plain.epoch(state))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("weights=");
      }
    }
  }

  @Test
  void classesAreBalanced() throws IOException {
    List<Integer> most =
        IntStream.range(0, COUNT).filter(i -> i % 3 != 0 || i < 6).boxed().toList();
    String part = "numbers:" + lines("most", most);
    try (Dataset dataset = Datasets.open(folder);
        var loader =
            new Loader(dataset, CROPS, options(Choice.parse(part, "balanced", 3000L)).build());
        Epoch epoch = loader.epoch(0)) {
      Map<Long, Long> labels = new TreeMap<>();
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        for (int slot = 0; slot < batch.size(); slot++) {
          labels.merge(batch.label(slot), 1L, Long::sum);
        }
        batch.close();
      }
      double each = 3000.0 / dataset.classes().size();
      assertThat(labels).hasSize(dataset.classes().size());
      assertThat(labels.values())
          .allSatisfy(n -> assertThat((double) n).isBetween(each * 0.9, each * 1.1));
    }
  }

  /// Those asked for and no others, shuffled anew each epoch or in the order asked for.
  @Test
  void aSubsetHasThoseAskedFor() throws IOException {
    List<Integer> numbers = List.of(41, 3, 17, 59, 0, 22, 8, 30);
    List<Long> wanted = numbers.stream().map(IDS::get).toList();
    Choice byNumber = Choice.parse("numbers:" + lines("numbers", numbers), null, null);
    List<String> keys = numbers.stream().map(KEYS::get).toList();
    Choice byKey = Choice.parse("keys:" + lines("keys", keys), null, null);
    for (Choice choice : List.of(byNumber, byKey)) {
      assertThat(ids(load(options(choice).order(OrderSpec.SEQUENTIAL).build(), 0)))
          .isEqualTo(wanted);
      List<Long> first = ids(load(options(choice).build(), 0));
      assertThat(first).containsExactlyInAnyOrderElementsOf(wanted).isNotEqualTo(wanted);
      assertThat(ids(load(options(choice).build(), 1))).isNotEqualTo(first);
    }
    Choice tenth = Choice.parse("10%", null, null);
    List<Long> some = ids(load(options(tenth).build(), 0));
    assertThat(some).hasSize(6).doesNotHaveDuplicates();
    assertThat(ids(load(options(tenth).seed(6).build(), 0)))
        .containsExactlyInAnyOrderElementsOf(some);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0%; -; expected a share such as 10%",
        "half; -; expected a share such as 10%",
        "0.1%; -; of 60 samples has none",
        "numbers:1 60; -; expected numbers below 60",
        "numbers:1 x; -; expected a whole number of at least 0",
        "numbers:1 1; -; sample 1 twice",
        "keys:nobody; -; key 'nobody' of a subset",
        "-; 1 2; 2 weights for a dataset of 60 samples",
        "-; -1; expected a number of at least 0",
      })
  void whatCannotBeChosenIsRefused(String part, String weights, String words) throws IOException {
    int colon = part.indexOf(':') + 1;
    Path listed = lines("listed", List.of(part.substring(colon).split(" ", -1)));
    Path weighed = lines("weighed", List.of(weights.split(" ", -1)));
    try (Dataset dataset = Datasets.open(folder)) {
      assertThatThrownBy(
              () -> {
                Choice choice =
                    Choice.parse(
                        part.equals("-")
                            ? null
                            : colon == 0 ? part : part.substring(0, colon) + listed,
                        weights.equals("-") ? null : weighed.toString(),
                        null);
                new Loader(dataset, CROPS, options(choice).build()).close();
              })
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(words);
    }
  }
}
