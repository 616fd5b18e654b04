package io.headrace.convert;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.convert.inspect.Difference;
import io.headrace.convert.inspect.Extractor;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of going from container to container.
final class RoundTripTest {
  @TempDir static Path shared;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void copyPhotos() {
    photos = Photos.few(shared.resolve("photos"), 3, 4);
  }

  private static ConvertReport convert(Path from, Path to, String packing, String encoding)
      throws IOException, InterruptedException {
    Representation representation = Representation.of(packing, "none", encoding, "keep");
    try (Dataset dataset = Datasets.open(from)) {
      var options = new ConvertOptions(to, "data", representation, 3, false, 0, 2, false, 1L << 28);
      return new Converter(dataset, options).run();
    }
  }

  /// {@return the files of a dataset; of a folder that was written, its images}
  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    if (files.remove("dataset.files") != null) {
      files.remove("dataset.json");
    }
    return files;
  }

  private static void assertSameFiles(Path found, Path expected) throws IOException {
    Map<String, byte[]> a = files(found);
    Map<String, byte[]> b = files(expected);
    assertThat(a.keySet()).isEqualTo(b.keySet());
    b.forEach((name, bytes) -> assertThat(a.get(name)).as(name).isEqualTo(bytes));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Read(byte[] image, long label, byte[] tiles) {}

  private static Map<String, Read> samples(Path path, int fidelity) throws IOException {
    Map<String, Read> samples = new LinkedHashMap<>();
    try (Dataset dataset = Datasets.open(path);
        Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (long i = 0; i < dataset.size(); i++) {
        reader.read(i, fidelity, sample);
        samples.put(
            sample.key(),
            new Read(
                sample.encoded().toArray(ValueLayout.JAVA_BYTE),
                sample.label(),
                sample.tiles().toArray(ValueLayout.JAVA_BYTE)));
      }
    }
    return samples;
  }

  private static void readInto(JpegCoefficients picture, byte[] jpeg) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(jpeg.length);
      MemorySegment.copy(jpeg, 0, bytes, ValueLayout.JAVA_BYTE, 0, jpeg.length);
      picture.read(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "race",
        "race:groups=1/2/5/10",
        "race:blobs=zstd:3",
        "race:blobs=lz4:0,block=100000",
        "tar",
        "tfrecord"
      })
  void keptImagesComeBackAsTheSameFiles(String packing, @TempDir Path dir)
      throws IOException, InterruptedException {
    ConvertReport there = convert(photos, dir.resolve("packed"), packing, "keep");
    ConvertReport back = convert(dir.resolve("packed"), dir.resolve("folder"), "folder", "keep");
    assertThat(there.kept()).isEqualTo(12);
    assertThat(back.kept()).isEqualTo(12);
    assertThat(back.setDigest()).isEqualTo(there.setDigest());
    assertSameFiles(dir.resolve("folder"), photos);
    assertThat(Verified.faults(dir.resolve("packed"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "race, progressive",
    "race, tiled",
    "race, packed",
    "race, packed:3",
    "tfrecord, tiled:8",
    "race, baseline",
    "race, pyramid:80",
    "tfrecord, progressive:colour",
    "folder, baseline:standard"
  })
  void losslessRewritingKeepsCoefficientsAndLabels(
      String packing, String encoding, @TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    ConvertReport report = convert(photos, dir.resolve("a"), packing, encoding);
    assertThat(report.transcoded()).isEqualTo(12);
    assertThat(report.passed()).isEmpty();
    convert(dir.resolve("a"), dir.resolve("b"), "folder", "keep");
    Map<String, Read> before = samples(photos, Integer.MAX_VALUE);
    Map<String, Read> after = samples(dir.resolve("b"), Integer.MAX_VALUE);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    try (var old = new JpegCoefficients();
        var made = new JpegCoefficients()) {
      for (var entry : before.entrySet()) {
        Read read = java.util.Objects.requireNonNull(after.get(entry.getKey()));
        assertThat(read.label()).isEqualTo(entry.getValue().label());
        readInto(old, entry.getValue().image());
        readInto(made, read.image());
        assertThat(made.sameAs(old)).as(entry.getKey()).isTrue();
      }
    }
  }

  @Test
  void progressiveAndBackToStandardTablesIsTheSameAsStraightThere(@TempDir Path dir)
      throws IOException, InterruptedException {
    convert(photos, dir.resolve("standard"), "folder", "baseline:standard");
    convert(photos, dir.resolve("progressive"), "race", "progressive");
    convert(dir.resolve("progressive"), dir.resolve("back"), "folder", "baseline:standard");
    assertSameFiles(dir.resolve("back"), dir.resolve("standard"));
  }

  /// Law: the files come back byte for byte, are counted, and each band is a group.
  @Test
  void packedJpegsComeBackByteForByte(@TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    convert(photos, dir.resolve("plain"), "folder", "baseline:standard");
    ConvertReport there = convert(dir.resolve("plain"), dir.resolve("p"), "race", "packed");
    assertThat(there.packed()).isEqualTo(12);
    assertThat(there.exact()).isEqualTo(12);
    assertThat(there.bytesOut()).isLessThan(there.bytesIn());
    ConvertReport again = convert(dir.resolve("p"), dir.resolve("q"), "race", "packed");
    assertThat(again.kept()).isEqualTo(12);
    assertThat(again.exact()).isEqualTo(12);
    convert(dir.resolve("q"), dir.resolve("back"), "folder", "keep");
    assertSameFiles(dir.resolve("back"), dir.resolve("plain"));
    try (Dataset dataset = Datasets.open(dir.resolve("p"));
        Dataset plain = Datasets.open(dir.resolve("plain"))) {
      assertThat(dataset.groups()).isEqualTo(3);
      Verifier.Report report = Verifier.verify(dataset, true);
      assertThat(report.faults()).isEmpty();
      assertThat(report.packed()).isEqualTo(12);
      assertThat(report.exact()).isEqualTo(12);
      assertThat(Difference.of(plain, dataset).sameBytes()).isEqualTo(12);
      try (var whole = new JpegCoefficients();
          var some = new JpegCoefficients()) {
        for (int fidelity = 1; fidelity <= 3; fidelity++) {
          int last = fidelity == 1 ? 8 : fidelity == 2 ? 24 : 63;
          readInto(some, Extractor.extract(dataset, 3, fidelity, (_, j) -> j.toArray(JAVA_BYTE)));
          readInto(whole, Extractor.extract(dataset, 3, 3, (_, j) -> j.toArray(JAVA_BYTE)));
          for (int k = 0; k < 64; k++) {
            assertThat(some.coefficient(0, 2, 3, k))
                .isEqualTo(k <= last ? whole.coefficient(0, 2, 3, k) : 0);
          }
        }
      }
    }
  }

  @Test
  void aPyramidHasALevelInEachGroupAndTilesInEach(@TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    convert(photos, dir.resolve("p"), "race", "pyramid:80");
    Map<String, Read> original = samples(photos, 1);
    try (var old = new JpegCoefficients();
        var made = new JpegCoefficients()) {
      int[] lasts = new int[12];
      for (int fidelity = 1; fidelity <= 4; fidelity++) {
        int i = 0;
        for (var entry : samples(dir.resolve("p"), fidelity).entrySet()) {
          readInto(made, entry.getValue().image());
          assertThat(entry.getValue().tiles()).isNotEmpty();
          assertThat(made.width()).isGreaterThanOrEqualTo(lasts[i]);
          lasts[i++] = made.width();
          if (fidelity == 4) {
            byte[] whole = java.util.Objects.requireNonNull(original.get(entry.getKey())).image();
            readInto(old, whole);
            assertThat(made.height()).isEqualTo(old.height());
          }
        }
      }
    }
  }

  @Test
  void aMixHasItsSharesExactlyAndAlikeForAnyThreads(@TempDir Path dir)
      throws IOException, InterruptedException {
    Representation mix =
        Representation.of("race", "none", "mix@7:3*raw+1*progressive", "longest=64");
    for (int threads : List.of(1, 3)) {
      try (Dataset dataset = Datasets.open(photos)) {
        var options =
            new ConvertOptions(
                dir.resolve("t" + threads), "data", mix, 2, true, 5, threads, false, 1L << 28);
        new Converter(dataset, options).run();
      }
    }
    assertSameFiles(dir.resolve("t1"), dir.resolve("t3"));
    long raw =
        samples(dir.resolve("t1"), 9).values().stream().filter(s -> s.image()[0] == 8).count();
    assertThat(raw).isEqualTo(9);
  }

  @Test
  void whatIsNoJpegIsPassedThroughAndListed(@TempDir Path dir)
      throws IOException, InterruptedException {
    convert(photos, dir.resolve("mixed"), "folder", "mix:1*png+1*keep");
    ConvertReport report = convert(dir.resolve("mixed"), dir.resolve("r"), "race", "progressive");
    assertThat(report.written()).isEqualTo(12);
    assertThat(report.transcoded()).isEqualTo(6);
    assertThat(report.passed()).hasSize(6).allMatch(p -> p.contains("png, not jpeg"));
  }

  @Test
  void whatCannotGoTogetherIsSaidBeforehand() {
    assertThatThrownBy(() -> Representation.of("tfrecord", "none", "pyramid", "keep"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("only race holds several images");
    assertThatThrownBy(() -> Representation.of("race", "zstd", "keep", "keep"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not compressed as a whole");
    assertThatThrownBy(() -> Packing.parse("zip"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected tfrecord");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tfrecord",
        "folder",
        "race",
        "race:groups=1/2/10",
        "race:blobs=lz4:0",
        "race:groups=1/3,blobs=zstd:5,block=4096"
      })
  void aPackingIsReadAsItIsWritten(String spec) {
    assertThat(Packing.parse(spec).spec()).isEqualTo(spec);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keep",
        "jpeg:75",
        "progressive",
        "progressive:drop",
        "baseline",
        "baseline:standard",
        "baseline:standard,colour",
        "tiled",
        "tiled:8",
        "tiled:8,drop",
        "packed",
        "packed:8",
        "packed:8,drop",
        "pyramid:80",
        "mix:3*raw+7*jpeg:75",
        "mix@9:1.5*lossless:fast+2*tiled:4,drop"
      })
  void anEncodingIsReadAsItIsWritten(String spec) {
    assertThat(TargetEncoding.parse(spec).spec()).isEqualTo(spec);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg",
        "jpeg:x",
        "png:1,2",
        "tiled:0x",
        "packed:65",
        "packed:0x",
        "progressive:some",
        "mix:raw",
        "mix:1*raw",
        "mix:0*raw+1*keep",
        "mix@x:1*raw+1*keep",
        "mix:1*raw+1*mix:1*raw+1*keep",
        "lossless:9",
        ""
      })
  void nonsenseIsRefused(String spec) {
    assertThatThrownBy(() -> TargetEncoding.parse(spec)).isInstanceOf(ConfigException.class);
  }

  /// Faults that a deep verification finds.
  private static final class Verified {
    static List<String> faults(Path path) throws IOException {
      try (Dataset dataset = Datasets.open(path)) {
        return Verifier.verify(dataset, true).faults();
      }
    }
  }
}
