package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.load.plan.Picks;
import io.headrace.load.plan.SubsetSpec;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubsetSpecTest {
  @TempDir private Path dir = Path.of(".");

  /// Seven of class `a`, whose names differ in case, four of `b`, one of `c`.
  private Path photos() throws IOException {
    Path few = Photos.few(dir.resolve("few"), 1, 1);
    Path photo;
    try (Stream<Path> files = Files.walk(few)) {
      photo = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    Path root = dir.resolve("photos");
    for (String name :
        List.of(
            "a/B.jpg", "a/a.jpg", "a/C.jpg", "a/d.jpg", "a/E.jpg", "a/f.jpg", "a/G.jpg", "b/1.jpg",
            "b/2.jpg", "b/3.jpg", "b/4.jpg", "c/1.jpg")) {
      Files.createDirectories(root.resolve(name).getParent());
      Files.copy(photo, root.resolve(name));
    }
    return root;
  }

  private static List<String> inOrder(Dataset data) throws IOException {
    List<String> keys = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
          while (cursor.next(sample)) {
            keys.add(sample.key());
          }
        }
      }
    }
    return keys;
  }

  private static List<String> keys(Dataset data) throws IOException {
    return inOrder(data).stream().map(key -> key.replaceAll("\\.jpg$", "")).sorted().toList();
  }

  private static SubsetSpec parsed(String text) throws IOException {
    return SubsetSpec.parse(text, SubsetSpec.First::new);
  }

  private static Subset subset(String text, Dataset data) throws IOException {
    return Picks.of(parsed(text), data).subset(data, parsed(text));
  }

  /// Law: samples that stream are found as those that can be read one by one are; a list may have
  /// any order, and a view of it is in stored order.
  @ParameterizedTest
  @CsvSource({"tfrecord, zstd", "tar, none"})
  void everyWayOfPickingWorksOnStreamsToo(String format, String compression)
      throws IOException, InterruptedException {
    Path converted = dir.resolve("converted");
    List<String> stored = new ArrayList<>();
    try (Dataset data = Datasets.open(photos())) {
      var as = Representation.of(format, compression, "keep", "keep");
      var _ = new Converter(data, ConvertOptions.of(converted, as, 1)).run();
      for (String text : List.of("random:25%", "random:7")) {
        try (Dataset streamed = Datasets.open(converted)) {
          assertThat(Picks.of(parsed(text), streamed).numbers())
              .isSorted()
              .isEqualTo(Picks.of(parsed(text), data).numbers())
              .hasSize(text.endsWith("%") ? 3 : 7);
        }
      }
    }
    try (Dataset data = Datasets.open(converted)) {
      stored.addAll(inOrder(data));
      Path numbers = Files.write(dir.resolve("numbers"), List.of("9", "2", "11"));
      List<String> wanted = List.of(stored.get(9), stored.get(2), stored.get(11));
      Path keys = Files.write(dir.resolve("keys"), wanted);
      for (String text : List.of("numbers:" + numbers, "keys:" + keys)) {
        assertThat(Picks.of(parsed(text), data).numbers()).containsExactly(9, 2, 11);
        assertThat(inOrder(subset(text, data)))
            .containsExactly(stored.get(2), stored.get(9), stored.get(11));
      }
    }
  }

  /// Law: every container gives the same subset, and the numbers are rounded down.
  @ParameterizedTest
  @CsvSource({
    "folder, none",
    "tfrecord, none",
    "tfrecord, zstd",
    "tar, none",
    "tar, gzip",
    "race, none"
  })
  void theFirstOfEachClassByNameWhateverTheCase(String format, String compression)
      throws IOException, InterruptedException {
    Path converted = dir.resolve("converted");
    Path part = dir.resolve("part");
    try (Dataset data = Datasets.open(photos())) {
      var as = Representation.of(format, compression, "keep", "keep");
      var _ = new Converter(data, ConvertOptions.of(converted, as, 2)).run();
    }
    try (Dataset data = Datasets.open(converted)) {
      Picks taken = Picks.of(parsed("30%"), data);
      assertThat(taken.all()).isEqualTo(12);
      assertThat(taken.classes()).isEqualTo(3);
      assertThat(taken.without()).hasSize(1);
      ConvertReport report =
          new Converter(
                  taken.subset(data, parsed("30%")),
                  ConvertOptions.of(part, Representation.of("tar", "none", "keep", "keep"), 2))
              .run();
      assertThat(report.written()).isEqualTo(3);
    }
    try (Dataset data = Datasets.open(part)) {
      // 30 % of 7 are 2.1, of 4 are 1.2, of 1 are 0.3
      assertThat(keys(data)).containsExactly("a/B", "a/a", "b/1");
      assertThat(Picks.of(parsed("1"), data).numbers()).hasSize(2);
    }
  }

  @Test
  void anotherShareIsAnotherConversion() throws IOException, InterruptedException {
    Path part = dir.resolve("part");
    var options = ConvertOptions.of(part, Representation.of("tar", "none", "keep", "keep"), 1);
    try (Dataset data = Datasets.open(photos())) {
      var half = new Converter(subset("50%", data), options);
      var two = new Converter(subset("2", data), options);
      assertThat(half.plan(5)).isNotEqualTo(two.plan(5));
      assertThat(half.plan(5)).containsEntry("subset", "the first 50% of each class by name");
    }
  }

  @ParameterizedTest
  @CsvSource({"29%, 100, 29", "100%, 7, 7", "0.5%, 199, 0", "0.5%, 200, 1", "5, 3, 3", "5, 9, 5"})
  void sharesAreRoundedDownExactly(String text, long samples, long taken) throws IOException {
    assertThat(parsed("first:" + text)).isEqualTo(parsed(text));
    var amount = ((SubsetSpec.First) parsed(text)).amount();
    assertThat(amount.of(samples, RoundingMode.FLOOR)).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "0%",
    "101%",
    "-3",
    "0",
    "x",
    "%",
    "1.5",
    "first:",
    "random:0",
    "last:3",
    "random:x%"
  })
  void whatMakesNoSenseIsRefused(String text) {
    assertThatThrownBy(() -> parsed(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("subset '%s': expected a share such as 10%%".formatted(text));
  }
}
