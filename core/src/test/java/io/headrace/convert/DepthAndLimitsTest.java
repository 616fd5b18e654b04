package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageSize;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.png.PngEncoding;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.ShardTally.Counter;
import io.headrace.convert.encode.QualityMeter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of conversions for what an encoding cannot hold: depth is kept or its loss counted, a side
/// that is too long is a fault of that sample.
final class DepthAndLimitsTest {
  private static final List<String> DEEP =
      List.of(
          "png/type2-16.png",
          "png/type4-16.png",
          "pnm/rgb-16.ppm",
          "avif/yuv444-10.avif",
          "bmp/masks-10.bmp",
          "pnm/netpbm-plain-16.ppm");

  private static final List<String> ODD =
      List.of(
          "pnm/bits.pbm",
          "pnm/netpbm-plain.pbm",
          "pnm/netpbm-plain.pgm",
          "pnm/netpbm-plain.ppm",
          "bmp/rle-8.bmp",
          "bmp/rle-4.bmp",
          "bmp/rgb-565.bmp",
          "bmp/palette-2.bmp",
          "bmp/os2-16.bmp");

  @TempDir Path dir;

  private static void resource(String from, Path to) throws IOException {
    try (InputStream in = DepthAndLimitsTest.class.getResourceAsStream("/" + from)) {
      Files.copy(Objects.requireNonNull(in, from), to);
    }
  }

  /// {@return six pictures of more than 8 bits and one of 8}
  private Path deep() throws IOException {
    Path folder = Files.createDirectories(dir.resolve("deep/a"));
    for (String file : DEEP) {
      resource(file, folder.resolve(file.replace('/', '-')));
    }
    resource("png/type2-08.png", folder.resolve("shallow.png"));
    return Objects.requireNonNull(folder.getParent());
  }

  private ConvertReport convert(
      Path from, String packing, String encoding, String resize, boolean skip)
      throws IOException, InterruptedException {
    return convert(from, dir.resolve("out"), packing, encoding, resize, skip, 0);
  }

  private static ConvertReport convert(
      Path from,
      Path target,
      String packing,
      String encoding,
      String resize,
      boolean skip,
      int measured)
      throws IOException, InterruptedException {
    Representation to = Representation.of(packing, "none", encoding, resize);
    var options = new ConvertOptions(target, "data", to, 2, false, 0, 2, skip, 1L << 28);
    try (Dataset dataset = Datasets.open(from)) {
      return new Converter(dataset, options.withMeasured(measured)).run();
    }
  }

  private static Map<String, byte[]> samples(Path path) throws IOException {
    Map<String, byte[]> samples = new TreeMap<>();
    try (Dataset dataset = Datasets.open(path);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          while (cursor.next(sample)) {
            samples.put(
                sample.key().replaceAll("\\.[a-z]+$", ""),
                sample.encoded().toArray(ValueLayout.JAVA_BYTE));
          }
        }
      }
    }
    return samples;
  }

  @ParameterizedTest
  @CsvSource({
    "tfrecord, png, 0", "tar, png, 0", "folder, png, 0", "race, png, 0",
    "tfrecord, raw, 0", "tar, raw, 0", "folder, raw, 0", "race, raw, 0",
    "tfrecord, ppm, 0", "tar, lossless:fast, 0", "folder, lossless:small, 0",
        "race, lossless:fast, 0",
    "tfrecord, jpeg:90, 6", "tar, qoi, 6", "folder, webp-lossless, 6", "race, avif:80, 6",
    "tfrecord, bmp, 5", "tar, webp:80, 6", "tfrecord, keep, 0", "race, progressive, 0",
  })
  void depthIsKeptOrItsLossCounted(String packing, String encoding, int reduced) throws Exception {
    Path source = deep();
    ConvertReport report = convert(source, packing, encoding, "keep", false);
    assertThat(report.written()).isEqualTo(7);
    assertThat(report.depthsReduced()).isEqualTo(reduced);
    Map<String, byte[]> before = samples(source);
    long deep = 0;
    for (Map.Entry<String, byte[]> sample : samples(dir.resolve("out")).entrySet()) {
      byte[] was = Objects.requireNonNull(before.get(sample.getKey()), sample.getKey());
      if (depth(sample.getValue()) > 8) {
        assertThat(pixels16(sample.getValue())).as(sample.getKey()).isEqualTo(pixels16(was));
        deep++;
      }
    }
    assertThat(deep).isEqualTo(6 - reduced);
  }

  private static int depth(byte[] encoded) throws DecodeException {
    try (var decoder = new ImageDecoder()) {
      return decoder.probe(MemorySegment.ofArray(encoded)).bitDepth();
    }
  }

  private static char[] pixels16(byte[] encoded) throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, encoded);
      ImageInfo info = decoder.probe(bytes);
      MemorySegment rgb = arena.allocate(2 * info.rgbBytes(), 2);
      decoder.decodeRgb16(bytes, info, rgb);
      return rgb.toArray(ValueLayout.JAVA_CHAR);
    }
  }

  /// What is read now keeps its name and its bytes from container to container.
  @ParameterizedTest
  @ValueSource(strings = {"folder", "tar", "tfrecord", "race"})
  void bitmapsAndDigitsGoFromContainerToContainer(String packing) throws Exception {
    Path folder = Files.createDirectories(dir.resolve("odd/a"));
    for (String file : ODD) {
      resource(file, folder.resolve(file.substring(4)));
    }
    ConvertReport report =
        convert(Objects.requireNonNull(folder.getParent()), packing, "keep", "keep", false);
    assertThat(report.kept()).isEqualTo(ODD.size());
    ConvertReport back =
        convert(dir.resolve("out"), dir.resolve("back"), "folder", "keep", "keep", false, 0);
    assertThat(back.kept()).isEqualTo(ODD.size());
    for (String file : ODD) {
      assertThat(dir.resolve("back/a").resolve(file.substring(4)))
          .hasSameBinaryContentAs(folder.resolve(file.substring(4)));
    }
    try (Dataset dataset = Datasets.open(dir.resolve("out"))) {
      assertThat(Verifier.verify(dataset, true).faults()).isEmpty();
    }
  }

  @Test
  void whatIsMadeSmallerHas8Bits() throws Exception {
    ConvertReport report = convert(deep(), "tfrecord", "png", "longest=10", false);
    assertThat(report.resized()).isEqualTo(7);
    assertThat(report.depthsReduced()).isEqualTo(6);
  }

  @Test
  void countsOutliveAConversionThatIsTakenUpAgain() throws Exception {
    Path source = deep();
    ConvertReport first = convert(source, "tfrecord", "qoi", "keep", false);
    var tally = new ShardTally();
    tally.add(Counter.DEPTHS_REDUCED, first.depthsReduced());
    assertThat(ShardTally.parse(tally.toJson()).get(Counter.DEPTHS_REDUCED)).isEqualTo(6);
  }

  /// {@return two good pictures, one of 70,000 columns, one of 70,000 rows and a row of 40,000}
  private Path long5() throws IOException, DecodeException {
    Path folder = Files.createDirectories(dir.resolve("long/a"));
    int[][] sizes = {{40, 30}, {70_000, 2}, {2, 70_000}, {40_000, 1}, {30, 40}};
    try (Arena arena = Arena.ofConfined();
        var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      for (int[] size : sizes) {
        MemorySegment pixels = arena.allocate(3L * size[0] * size[1]);
        for (long i = 0; i < pixels.byteSize(); i++) {
          pixels.set(ValueLayout.JAVA_BYTE, i, (byte) (i / 300));
        }
        long bytes = encoder.encode(pixels, size[0], size[1], 3, PngEncoding.DEFAULT, out);
        Files.write(
            folder.resolve(size[0] + "x" + size[1] + ".png"),
            out.memory().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return Objects.requireNonNull(folder.getParent());
  }

  @ParameterizedTest
  @CsvSource({
    "tfrecord, jpeg:80, 2",
    "tar, jpeg:80, 2",
    "race, jpeg:80, 2",
    "folder, jpeg:80, 2",
    "tfrecord, webp:80, 3",
    "tar, webp-lossless, 3",
    "race, avif:60, 3",
    "tfrecord, qoi, 0",
    "tar, bmp, 0",
    "race, ppm, 0",
    "folder, lossless:fast, 0",
    "tfrecord, raw, 0",
    "race, pyramid:80, 0",
    "race, tiled, 0",
    "race, packed, 0",
    "tfrecord, progressive, 0",
    "tfrecord, mix:1*jpeg:80+1*jpeg:81, 2",
  })
  void aSideThatIsTooLongIsAFaultOfThatSample(String packing, String encoding, int refused)
      throws Exception {
    Path source = long5();
    ConvertReport report = convert(source, packing, encoding, "keep", true);
    assertThat(report.in()).isEqualTo(5);
    assertThat(report.skipped()).hasSize(refused);
    assertThat(report.written()).isEqualTo(5 - refused);
    assertThat(report.skipped()).allMatch(s -> s.contains("LIMIT") && s.contains("0000 "));
    assertThat(samples(dir.resolve("out"))).hasSize(5 - refused);
    if (refused > 0) {
      Path other = dir.resolve("other");
      assertThatThrownBy(() -> convert(source, other, packing, encoding, "keep", false, 0))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("0000")
          .hasMessageContaining(".png")
          .extracting(e -> ((CorruptDataException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"longest=1", "longest=200", "shortest=1", "longest=65500"})
  void resizingNeverMakesAPictureOfNothing(String resize) throws Exception {
    ConvertReport report = convert(long5(), "tfrecord", "jpeg:80", resize, true);
    assertThat(report.written()).isEqualTo(5);
    try (var decoder = new ImageDecoder()) {
      for (byte[] encoded : samples(dir.resolve("out")).values()) {
        ImageInfo info = decoder.probe(MemorySegment.ofArray(encoded));
        assertThat(Math.min(info.width(), info.height())).isPositive();
      }
    }
  }

  @Test
  void whatWouldTakeTheWholeHeapToResizeIsAFaultOfThatSample() throws Exception {
    Path folder = Files.createDirectories(dir.resolve("wide/a"));
    String row = "P4 %d 1\n".formatted(20_000_000);
    byte[] wide = Arrays.copyOf(row.getBytes(StandardCharsets.US_ASCII), 14 + 2_500_000);
    Files.write(folder.resolve("wide.pbm"), wide);
    resource("png/type2-08.png", folder.resolve("small.png"));
    ConvertReport report =
        convert(
            Objects.requireNonNull(folder.getParent()),
            "tfrecord",
            "jpeg:80",
            "longest=1000",
            true);
    assertThat(report.written()).isEqualTo(1);
    assertThat(report.skipped().getFirst()).contains("wide.pbm", "LIMIT", "20000000 x 1 pixels");
  }

  @Test
  void measuringTakesAnySize() throws Exception {
    ConvertReport report =
        convert(long5(), dir.resolve("out"), "tfrecord", "jpeg:80", "keep", true, 5);
    assertThat(report.skipped()).hasSize(2);
    assertThat(Objects.requireNonNull(report.likeness()).images()).isEqualTo(3);
    assertThat(QualityMeter.measures(new ImageSize(4096, 6000))).isTrue();
    assertThat(QualityMeter.measures(new ImageSize(1, 1 << 28))).isFalse(); // 120 GB of heap
    assertThat(QualityMeter.measures(new ImageSize(1 << 14, 1 << 14))).isFalse();
  }
}
