package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClassShareTest {
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

  private static List<String> keys(Dataset data) throws IOException {
    List<String> keys = new ArrayList<>();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
          while (cursor.next(sample)) {
            keys.add(sample.key().replaceAll("\\.jpg$", ""));
          }
        }
      }
    }
    return keys.stream().sorted().toList();
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
      ClassShare.Taken taken = ClassShare.parse("30%").of(data);
      assertThat(taken.of()).isEqualTo(12);
      assertThat(taken.classes()).isEqualTo(3);
      assertThat(taken.without()).hasSize(1);
      ConvertReport report =
          new Converter(
                  taken.subset(),
                  ConvertOptions.of(part, Representation.of("tar", "none", "keep", "keep"), 2))
              .run();
      assertThat(report.written()).isEqualTo(3);
    }
    try (Dataset data = Datasets.open(part)) {
      // 30 % of 7 are 2.1, of 4 are 1.2, of 1 are 0.3
      assertThat(keys(data)).containsExactly("a/B", "a/a", "b/1");
      assertThat(ClassShare.parse("1").of(data).subset().size()).isEqualTo(2);
    }
  }

  @Test
  void anotherShareIsAnotherConversion() throws IOException, InterruptedException {
    Path part = dir.resolve("part");
    var options = ConvertOptions.of(part, Representation.of("tar", "none", "keep", "keep"), 1);
    try (Dataset data = Datasets.open(photos())) {
      var half = new Converter(ClassShare.parse("50%").of(data).subset(), options);
      var two = new Converter(ClassShare.parse("2").of(data).subset(), options);
      assertThat(half.plan(5)).isNotEqualTo(two.plan(5));
      assertThat(half.plan(5)).containsEntry("subset", "the first 50% of each class by name");
    }
  }

  @ParameterizedTest
  @CsvSource({"29%, 100, 29", "100%, 7, 7", "0.5%, 199, 0", "0.5%, 200, 1", "5, 3, 3", "5, 9, 5"})
  void sharesAreRoundedDownExactly(String text, long samples, long taken) {
    assertThat(ClassShare.parse(text).of(samples)).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({"0%", "101%", "-3", "0", "x", "%", "1.5"})
  void whatMakesNoSenseIsRefused(String text) {
    assertThatThrownBy(() -> ClassShare.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a percentage of each class");
  }
}
