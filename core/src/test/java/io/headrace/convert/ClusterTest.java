package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.load.plan.Picks;
import io.headrace.load.plan.SubsetSpec;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Conversions whose shards others write give what this process alone would, byte for byte.
final class ClusterTest {
  @TempDir static Path shared;
  @TempDir Path dir;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void copyPhotos() {
    photos = Photos.few(shared.resolve("photos"), 3, 4);
  }

  /// Does in this process what others would do: each shard is written twice, and the second is
  /// taken; the last first.
  private static final class Here implements Cluster {
    private int left = Integer.MAX_VALUE;
    private int written;

    @Override
    public List<Long> count(SpreadPlan plan, int shards) throws IOException {
      List<Long> counts = new ArrayList<>();
      try (var part = ShardPart.open(SpreadPlan.parse(plan.toJson()))) {
        for (int i = 0; i < shards; i++) {
          counts.add(part.count(i));
        }
      }
      return counts;
    }

    @Override
    public void write(SpreadPlan plan, List<Integer> shards, Finished finished)
        throws IOException, InterruptedException {
      try (var part = ShardPart.open(SpreadPlan.parse(plan.toJson()))) {
        for (int shard : shards.reversed()) {
          if (left-- == 0) {
            throw new IOException("all executors are gone");
          }
          String _ = part.write(shard, "lost");
          finished.shard(shard, "2nd", part.write(shard, "2nd"));
          written++;
        }
      }
    }

    @Override
    public void close() {}
  }

  private static ConvertOptions options(Path target, String packing, String encoding) {
    Representation to = Representation.of(packing, "none", encoding, "keep");
    return new ConvertOptions(target, "data", to, 4, false, 0, 1, false, 1L << 28);
  }

  private static Dataset taken(Dataset whole, String subset) throws IOException {
    if (subset.isEmpty()) {
      return whole;
    }
    SubsetSpec spec = SubsetSpec.parse(subset, SubsetSpec.First::new);
    return Picks.of(spec, whole).subset(whole, spec);
  }

  private static ConvertReport convert(
      Path from, ConvertOptions options, Cluster cluster, String subset) throws Exception {
    try (Dataset whole = Datasets.open(from)) {
      return new Converter(taken(whole, subset), options)
          .run(new SpreadPlan.Source(from, OpenOptions.DEFAULT), cluster);
    }
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        files.put(
            folder.relativize(file).toString(),
            Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({
    "folder,   race,                                packed,            ''",
    "folder,   race:blobs=zstd:3,                   jpeg:50:tables=data, ''",
    "folder,   'race:blobs=zstd:3,dictionary=1024', keep,              ''",
    "folder,   folder,                              jpeg:50,           ''",
    "tfrecord, tar,                                 keep,              ''",
    "tfrecord, race,                                mix:1*keep+1*png,  50%",
    "folder,   tfrecord,                            keep,              2"
  })
  void theResultIsThatOfOneProcess(String from, String packing, String encoding, String subset)
      throws Exception {
    Path source = photos;
    if (from.equals("tfrecord")) { // which only streams
      source = dir.resolve("stream");
      Representation zstd = Representation.of("tfrecord", "zstd", "keep", "keep");
      var to = new ConvertOptions(source, "s", zstd, 3, false, 0, 2, false, 1L << 28);
      try (Dataset dataset = Datasets.open(photos)) {
        ConvertReport _ = new Converter(dataset, to).run();
      }
    }
    Path local = dir.resolve("local");
    try (Dataset whole = Datasets.open(source)) {
      ConvertReport _ =
          new Converter(taken(whole, subset), options(local, packing, encoding)).run();
    }
    Path spread = dir.resolve("spread");
    var here = new Here();
    ConvertReport report = convert(source, options(spread, packing, encoding), here, subset);
    assertThat(files(spread)).isEqualTo(files(local));
    assertThat(here.written).isEqualTo(4);
    assertThat(report.contradiction()).isEmpty();
  }

  @Test
  void whatWasFinishedIsNotWrittenAgain() throws Exception {
    Path target = dir.resolve("target");
    var dying = new Here();
    dying.left = 3;
    assertThatThrownBy(() -> convert(photos, options(target, "race", "packed"), dying, ""))
        .hasMessage("all executors are gone");
    assertThat(files(target).keySet()).filteredOn(name -> name.contains("part")).isEmpty();
    var rest = new Here();
    ConvertReport report = convert(photos, options(target, "race", "packed"), rest, "");
    assertThat(report.resumed()).isEqualTo(3);
    assertThat(rest.written).isEqualTo(1);
    Path local = dir.resolve("local");
    try (Dataset dataset = Datasets.open(photos)) {
      ConvertReport _ = new Converter(dataset, options(local, "race", "packed")).run();
    }
    assertThat(files(target)).isEqualTo(files(local));
  }

  @Test
  void partsThatAreAbandonedLeaveNothing() throws Exception {
    Path target = dir.resolve("parts");
    try (var parts = new PartsConverter(options(target, "race", "keep"), List.of(), "", false);
        Dataset dataset = Datasets.open(photos);
        var part = ShardPart.of(parts.plan(), dataset)) {
      assertThatThrownBy(
              () -> new PartsConverter(options(target, "race", "keep"), List.of(), "", false))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("another conversion is writing");
      assertThat(part.count(0)).isEqualTo(12);
    }
    assertThat(target).doesNotExist();
  }
}
