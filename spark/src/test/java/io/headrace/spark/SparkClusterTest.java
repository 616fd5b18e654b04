package io.headrace.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.Cluster;
import io.headrace.convert.Converter;
import io.headrace.convert.SpreadPlan;
import io.headrace.convert.target.Representation;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.testkit.Photos;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SparkClusterTest {
  @TempDir static Path shared;
  @TempDir Path dir;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void copyPhotos() {
    var _ = Session.get();
    photos = Photos.few(shared.resolve("photos"), 3, 4);
  }

  private static void convert(Path from, Path target, String packing, String encoding)
      throws Exception {
    var to = Representation.of(packing, "none", encoding, "keep");
    try (Dataset dataset = Datasets.open(from);
        Cluster cluster = Objects.requireNonNull(Cluster.provider("spark")).connect("")) {
      var source = new SpreadPlan.Source(from, OpenOptions.DEFAULT);
      var _ = new Converter(dataset, Folders.options(target, to, 3)).run(source, cluster);
    }
  }

  @Test
  void aStreamIsSpreadOverTasksAndComesOutTheSame() throws Exception {
    Path stream = Folders.convert(photos, dir.resolve("stream"), 5, "tfrecord", "zstd", "keep");
    Path local = Folders.convert(stream, dir.resolve("local"), 3, "tar", "none", "keep");
    convert(stream, dir.resolve("spread"), "tar", "keep");
    assertThat(Folders.files(dir.resolve("spread"))).isEqualTo(Folders.files(local));
  }

  /// Not as a stage that failed three times.
  @Test
  void badDataAreSaidAsThisProcessWouldSayThem() throws Exception {
    Path bad = Photos.sorted(photos).getFirst().resolve("bad.jpg");
    try {
      Files.write(bad, new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16});
      assertThatThrownBy(() -> convert(photos, dir.resolve("target"), "race", "jpeg:50"))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("bad.jpg");
    } finally {
      Files.delete(bad);
    }
  }
}
