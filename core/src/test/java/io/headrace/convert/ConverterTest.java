package io.headrace.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.convert.checkpoint.Staging;
import io.headrace.convert.encode.Outcome;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.folder.FolderContainer;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConverterTest {
  @TempDir static Path shared;
  private static Path photos = Path.of(".");

  @BeforeAll
  static void copyPhotos() {
    photos = Photos.few(shared.resolve("photos"), 3, 7);
  }

  private static Representation stored(String compression, String encoding, String resize) {
    return Representation.of(compression, encoding, resize);
  }

  private static ConvertOptions options(Path target, Representation to, int shards, int threads) {
    return new ConvertOptions(target, "data", to, shards, false, 0, threads, false, 1L << 28);
  }

  private static ConvertReport convert(Path from, ConvertOptions options)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(from)) {
      return new Converter(dataset, options).run();
    }
  }

  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  /// Encoded images by key, in stored order.
  private static Map<String, byte[]> samples(Path path) throws IOException {
    Map<String, byte[]> samples = new LinkedHashMap<>();
    try (Dataset dataset = Datasets.open(path);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          while (cursor.next(sample)) {
            samples.put(sample.key(), sample.encoded().toArray(ValueLayout.JAVA_BYTE));
          }
        }
      }
    }
    return samples;
  }

  private static void assertSameFiles(Path found, Path expected) throws IOException {
    Map<String, byte[]> a = files(found);
    Map<String, byte[]> b = files(expected);
    assertThat(a.keySet()).isEqualTo(b.keySet());
    b.forEach((name, bytes) -> assertThat(a.get(name)).as(name).isEqualTo(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "gzip",
        "zlib",
        "zlib:strategy=filtered",
        "zlib:strategy=huffman_only",
        "zlib:strategy=rle",
        "zlib:strategy=fixed",
        "zstd",
        "zstd:workers=2"
      })
  void keptImagesAreTheSameBytesUnderEveryCompression(String compression, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    ConvertReport report =
        convert(photos, options(target, stored(compression, "keep", "keep"), 4, 2));
    assertThat(report.in()).isEqualTo(21);
    assertThat(report.written()).isEqualTo(21);
    assertThat(report.kept()).isEqualTo(21);
    assertThat(report.bytesOut()).isEqualTo(report.bytesIn());
    Map<String, byte[]> before = samples(photos);
    Map<String, byte[]> after = samples(target);
    assertThat(after.keySet()).containsExactlyElementsOf(before.keySet());
    before.forEach((key, bytes) -> assertThat(after.get(key)).as(key).isEqualTo(bytes));
    try (Dataset dataset = Datasets.open(target)) {
      assertThat(Verifier.verify(dataset, true).faults()).isEmpty();
      assertThat(dataset.classes()).hasSize(3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "zstd:workers=2", "gzip"})
  void bytesDoNotDependOnThreads(String compression, @TempDir Path dir)
      throws IOException, InterruptedException {
    Representation to = stored(compression, "jpeg:60", "longest=200");
    convert(photos, options(dir.resolve("one"), to, 3, 1));
    convert(photos, options(dir.resolve("five"), to, 3, 5));
    assertSameFiles(dir.resolve("five"), dir.resolve("one"));
  }

  /// A57: tables of the data are made once, are in every image and in the manifest, and take about
  /// the bytes of the standard's; threads, runs and other encodings beside them change nothing.
  @Test
  void quantisationTablesAreMadeOfTheData(@TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Representation to = stored("none", "jpeg:60:tables=data", "longest=200");
    ConvertReport report = convert(photos, options(dir.resolve("one"), to, 3, 1));
    convert(photos, options(dir.resolve("five"), to, 3, 5));
    assertSameFiles(dir.resolve("five"), dir.resolve("one"));
    QuantTables.Made tables =
        Objects.requireNonNull(report.tables().get("jpeg:60:tables=data"), "no tables");
    assertThat(tables.luminance().getFirst()).isLessThan(tables.luminance().getLast());
    assertThat(Files.readString(dir.resolve("one/dataset.json")).replaceAll("\\s", ""))
        .contains("\"luminance\":" + tables.luminance().toString().replace(" ", ""));
    var header = new JpegHeader();
    int[] zigzag = new int[64];
    for (byte[] jpeg : samples(dir.resolve("one")).values()) {
      try (Arena arena = Arena.ofConfined()) {
        header.read(copy(arena, jpeg));
      }
      for (int c = 0; c < Math.min(2, header.components()); c++) {
        assertThat(header.copyQuantisation(c, zigzag)).isTrue();
        byte[] expected = tables.zigzag(c);
        for (int k = 0; k < 64; k++) {
          assertThat(zigzag[k]).as("component %d, %d", c, k).isEqualTo(expected[k] & 0xff);
        }
      }
    }
    ConvertReport standard =
        convert(
            photos, options(dir.resolve("std"), stored("none", "jpeg:60", "longest=200"), 3, 1));
    assertThat((double) report.bytesOut())
        .isCloseTo((double) standard.bytesOut(), withinPercentage(2));
    String mix = "mix:1*jpeg:60:tables=data+1*jpeg:20,tables=data";
    ConvertReport mixed =
        convert(photos, options(dir.resolve("mix"), stored("none", mix, "longest=200"), 3, 2));
    assertThat(mixed.tables()).containsOnlyKeys("jpeg:60:tables=data", "jpeg:20:tables=data");
    assertThat(mixed.tables()).containsEntry("jpeg:60:tables=data", tables);
  }

  /// Workers cut a shard into jobs, which one thread alone does not: other bytes, the same samples.
  /// A window of 128 KiB makes jobs of 512 KiB; the shard has 9 MB of pixels.
  @Test
  void workersOfZstdWork(@TempDir Path dir) throws IOException, InterruptedException {
    Map<String, byte[]> expected = null;
    List<byte[]> shards = new ArrayList<>();
    for (String compression : List.of("zstd:windowlog=17", "zstd:windowlog=17,workers=2")) {
      Path target = dir.resolve("w" + shards.size());
      convert(photos, options(target, stored(compression, "raw", "keep"), 1, 1));
      byte[] shard = files(target).get("data-00000-of-00001.tfrecord");
      assertThat(shard).as(compression).hasSizeGreaterThan(1 << 20);
      shards.add(shard);
      Map<String, byte[]> samples = samples(target);
      if (expected != null) {
        assertThat(samples.keySet()).isEqualTo(expected.keySet());
        expected.forEach((key, bytes) -> assertThat(samples.get(key)).isEqualTo(bytes));
      }
      expected = samples;
    }
    assertThat(shards.get(1)).isNotEqualTo(shards.get(0));
  }

  /// D3: the progressive form, its metadata kept, takes no more than the originals in all, and the
  /// records around it are small.
  @Test
  void progressiveRecordsTakeNoMoreThanTheOriginals(@TempDir Path dir)
      throws IOException, InterruptedException {
    Representation to = Representation.of("race", "none", "progressive", "keep");
    ConvertReport report = convert(photos, options(dir.resolve("out"), to, 2, 2));
    Map<String, byte[]> before = samples(photos);
    long bytes = before.values().stream().mapToLong(b -> b.length).sum();
    assertThat(report.bytesIn()).isEqualTo(bytes);
    assertThat(report.bytesOut()).isLessThanOrEqualTo(bytes);
    assertThat(report.fileBytes()).isLessThan(bytes);
    assertThat(samples(dir.resolve("out")).values().stream().mapToLong(b -> b.length).sum())
        .isEqualTo(report.bytesOut());
  }

  /// B16: of each lossy encoding a higher quality takes more bytes and gives pixels closer to the
  /// original's, sample by sample.
  @ParameterizedTest
  @ValueSource(strings = {"jpeg", "webp", "avif"})
  void theQualityAskedForIsTheQualityWritten(String encoding, @TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path few = Photos.few(dir.resolve("few"), 2, 2);
    convert(few, options(dir.resolve("png"), stored("none", "png", "longest=96"), 1, 1));
    Map<String, byte[]> before = samples(dir.resolve("png"));
    int[] qualities = {20, 50, 90};
    Map<String, double[]> bytes = new TreeMap<>();
    Map<String, double[]> errors = new TreeMap<>();
    for (int i = 0; i < qualities.length; i++) {
      Path target = dir.resolve("q" + qualities[i]);
      ConvertReport report =
          convert(
              dir.resolve("png"),
              options(target, stored("none", encoding + ":" + qualities[i], "keep"), 1, 1));
      assertThat(report.reencoded()).isEqualTo(4);
      for (Map.Entry<String, byte[]> sample : samples(target).entrySet()) {
        byte[] pixels = pixels(sample.getValue());
        byte[] was = pixels(before.getOrDefault(sample.getKey(), new byte[0]));
        bytes.computeIfAbsent(sample.getKey(), _ -> new double[3])[i] = sample.getValue().length;
        errors.computeIfAbsent(sample.getKey(), _ -> new double[3])[i] = meanSquare(pixels, was);
      }
    }
    assertThat(bytes).hasSize(4);
    bytes.forEach(
        (key, of) -> assertThat(of[0] * 1.1 < of[1] && of[1] * 1.1 < of[2]).as(key).isTrue());
    errors.forEach(
        (key, of) -> assertThat(of[0] > of[1] * 1.3 && of[1] > of[2] * 1.3).as(key).isTrue());
  }

  private static double meanSquare(byte[] a, byte[] b) {
    assertThat(a).hasSameSizeAs(b);
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      int d = (a[i] & 0xff) - (b[i] & 0xff);
      sum += d * d;
    }
    return sum / a.length;
  }

  @Test
  void shardsOfAStreamedSourceAreThoseOfAnIndexedOne(@TempDir Path dir)
      throws IOException, InterruptedException {
    convert(photos, options(dir.resolve("zstd"), stored("zstd", "keep", "keep"), 2, 2));
    Representation plain = Representation.PLAIN;
    convert(photos, options(dir.resolve("a"), plain, 9, 2));
    convert(dir.resolve("zstd"), options(dir.resolve("b"), plain, 9, 2));
    Map<String, byte[]> a = files(dir.resolve("a"));
    Map<String, byte[]> b = files(dir.resolve("b"));
    a.remove("dataset.json");
    b.remove("dataset.json"); // names another parent
    assertThat(b.keySet()).isEqualTo(a.keySet());
    a.forEach((name, bytes) -> assertThat(b.get(name)).as(name).isEqualTo(bytes));
  }

  @Test
  void jpegIsEncodedAgainOnlyWhereThatLowersItsQuality(@TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path target = dir.resolve("out");
    ConvertReport report =
        convert(photos, options(target, stored("none", "jpeg:88", "keep"), 2, 2));
    assertThat(report.keptBelowTarget()).isBetween(1L, 20L);
    assertThat(report.reencoded()).isEqualTo(21 - report.keptBelowTarget());
    Map<String, byte[]> before = samples(photos);
    var header = new JpegHeader();
    long kept = 0;
    for (Map.Entry<String, byte[]> sample : samples(target).entrySet()) {
      byte[] was = before.getOrDefault(sample.getKey(), new byte[0]);
      int quality = quality(header, was);
      if (quality <= 88) {
        assertThat(sample.getValue()).isEqualTo(was);
        kept++;
      } else {
        assertThat(quality(header, sample.getValue())).isEqualTo(88);
      }
    }
    assertThat(kept).isEqualTo(report.keptBelowTarget());
  }

  private static int quality(JpegHeader header, byte[] jpeg) throws DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      header.read(copy(arena, jpeg));
      return header.estimatedQuality();
    }
  }

  private static MemorySegment copy(Arena arena, byte[] bytes) {
    return arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "raw", "qoi", "lossless:small", "bmp", "ppm"})
  void losslessEncodingsKeepEveryPixel(String encoding, @TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path target = dir.resolve("out");
    convert(photos, options(target, stored("none", encoding, "keep"), 2, 2));
    Map<String, byte[]> before = samples(photos);
    for (Map.Entry<String, byte[]> sample : samples(target).entrySet()) {
      byte[] was = before.getOrDefault(sample.getKey(), new byte[0]);
      assertThat(pixels(sample.getValue())).as(sample.getKey()).isEqualTo(pixels(was));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "webp:75, webp:75, REENCODED",
    "webp-lossless, webp-lossless, REENCODED",
    "avif:60, avif:60, REENCODED",
    "lossless:fast, lossless:fast, REENCODED",
    "qoi, qoi, KEPT_BELOW_TARGET",
    "bmp, bmp, KEPT_BELOW_TARGET",
    "ppm, ppm, KEPT_BELOW_TARGET",
  })
  void formatsWithSettingsAreEncodedAgainAndOthersKept(
      String first, String second, Outcome outcome, @TempDir Path dir)
      throws IOException, InterruptedException {
    Path few = Photos.few(dir.resolve("few"), 1, 2);
    ConvertReport before =
        convert(few, options(dir.resolve("a"), stored("none", first, "longest=64"), 1, 1));
    assertThat(before.reencoded()).isEqualTo(2);
    ConvertReport report =
        convert(dir.resolve("a"), options(dir.resolve("b"), stored("none", second, "keep"), 1, 1));
    assertThat(report.reencoded()).isEqualTo(outcome == Outcome.REENCODED ? 2 : 0);
    assertThat(report.kept()).isEqualTo(outcome == Outcome.REENCODED ? 0 : 2);
    ConvertReport smaller =
        convert(
            dir.resolve("a"),
            options(dir.resolve("c"), stored("none", "keep", "longest=32"), 1, 1));
    assertThat(smaller.resized()).isEqualTo(2);
    samples(dir.resolve("c"))
        .values()
        .forEach(
            bytes ->
                assertThat(ImageFormat.detect(MemorySegment.ofArray(bytes)))
                    .isEqualTo(
                        ImageFormat.detect(
                            MemorySegment.ofArray(
                                samplesOf(dir.resolve("a")).values().iterator().next()))));
  }

  private static Map<String, byte[]> samplesOf(Path path) {
    try {
      return samples(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void orientationIsAppliedOrItsLossCounted(boolean apply, @TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path source = Files.createDirectories(dir.resolve("source/a"));
    resource("/jpeg/orientation-6-ii.jpg", source.resolve("turned.jpg"));
    resource("/png/type6-08.png", source.resolve("clear.png"));
    Representation to = stored("none", "qoi", "keep");
    var options =
        new ConvertOptions(
            dir.resolve("out"), "data", to, 1, false, 0, 1, false, 1L << 28, apply, null, 0);
    ConvertReport report = convert(dir.resolve("source"), options);
    assertThat(report.orientationsDropped()).isEqualTo(apply ? 0 : 1);
    assertThat(report.alphasDropped()).isEqualTo(1);
    try (var decoder = new ImageDecoder()) {
      byte[] before = Files.readAllBytes(source.resolve("turned.jpg"));
      ImageInfo was = decoder.probe(MemorySegment.ofArray(before));
      byte[] after = samples(dir.resolve("out")).get("a/turned.jpg");
      assertThat(after).isNotNull();
      ImageInfo is = decoder.probe(MemorySegment.ofArray(after));
      assertThat(is.width()).isEqualTo(apply ? was.height() : was.width());
      assertThat(is.height()).isEqualTo(apply ? was.width() : was.height());
    }
  }

  private static void resource(String from, Path to) throws IOException {
    try (InputStream in = ConverterTest.class.getResourceAsStream(from)) {
      Files.copy(Objects.requireNonNull(in, from), to);
    }
  }

  @Test
  void whatHasToBeTurnedIsNeverKept(@TempDir Path dir) throws IOException, InterruptedException {
    Path source = Files.createDirectories(dir.resolve("source/a"));
    resource("/jpeg/orientation-6-ii.jpg", source.resolve("turned.jpg"));
    for (boolean apply : new boolean[] {false, true}) {
      var options =
          new ConvertOptions(
              dir.resolve("out" + apply),
              "data",
              Representation.PLAIN,
              1,
              false,
              0,
              1,
              false,
              1L << 28,
              apply,
              null,
              0);
      assertThat(convert(dir.resolve("source"), options).kept()).isEqualTo(apply ? 0 : 1);
    }
  }

  private static byte[] pixels(byte[] encoded) throws DecodeException {
    try (Arena arena = Arena.ofConfined();
        var decoder = new ImageDecoder()) {
      MemorySegment image = copy(arena, encoded);
      ImageInfo info = decoder.probe(image);
      MemorySegment rgb = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(image, info, rgb);
      return rgb.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void imagesAreMadeSmallerButNeverLarger(@TempDir Path dir)
      throws IOException, InterruptedException, DecodeException {
    Path target = dir.resolve("out");
    ConvertReport report =
        convert(photos, options(target, stored("none", "keep", "longest=450"), 2, 2));
    assertThat(report.resized()).isBetween(1L, 20L);
    assertThat(report.kept()).isEqualTo(21 - report.resized());
    var header = new JpegHeader();
    for (byte[] jpeg : samples(target).values()) {
      try (Arena arena = Arena.ofConfined()) {
        header.read(copy(arena, jpeg));
        assertThat(Math.max(header.width(), header.height())).isLessThanOrEqualTo(450);
      }
    }
  }

  @Test
  void aShuffledConversionHoldsTheSameSamplesInAnotherOrder(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    convert(
        photos,
        new ConvertOptions(target, "x", Representation.PLAIN, 2, true, 7, 2, false, 1L << 28));
    assertThat(samples(target).keySet())
        .containsExactlyInAnyOrderElementsOf(samples(photos).keySet())
        .isNotEqualTo(samples(photos).keySet().stream().toList());
    try (Dataset dataset = Datasets.open(target)) {
      assertThat(Verifier.verify(dataset, false).faults()).isEmpty();
    }
  }

  /// A run that ends at a bad sample leaves no final file, and once the sample is mended the same
  /// command goes on from the finished shards to the same bytes.
  @Test
  void anInterruptedConversionIsTakenUpAgain(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 3, 7);
    Path undisturbed = dir.resolve("undisturbed");
    Representation to = stored("zstd", "keep", "keep");
    convert(source, options(undisturbed, to, 7, 1));
    Path bad = Photos.sorted(Photos.sorted(source).get(2)).get(5);
    byte[] good = Files.readAllBytes(bad);
    Path target = dir.resolve("out");
    Files.write(bad, headBroken(good));
    assertThatThrownBy(() -> convert(source, options(target, to, 7, 1)))
        .isInstanceOfSatisfying(
            CorruptDataException.class,
            e -> assertThat(e.where().file()).isEqualTo(bad.toString()));
    assertThat(Photos.sorted(target)).containsExactly(target.resolve(Datasets.UNFINISHED));
    Files.write(bad, good);
    ConvertReport report = convert(source, options(target, to, 7, 1));
    assertThat(report.resumed()).isBetween(5, 6);
    assertThat(report.written()).isEqualTo(21);
    assertSameFiles(target, undisturbed);
  }

  /// Still starts as a JPEG, but its first segment has no sensible length.
  private static byte[] headBroken(byte[] jpeg) {
    byte[] broken = jpeg.clone();
    broken[4] = 0;
    broken[5] = 0;
    return broken;
  }

  @Test
  void badSamplesAreLeftOutAndListedWhenAsked(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path source = Photos.few(dir.resolve("source"), 2, 4);
    Path bad = Photos.sorted(Photos.sorted(source).get(0)).get(1);
    Files.write(bad, headBroken(Files.readAllBytes(bad)));
    ConvertReport report =
        convert(
            source,
            new ConvertOptions(
                dir.resolve("out"), "x", Representation.PLAIN, 2, false, 0, 2, true, 1L << 28));
    assertThat(report.in()).isEqualTo(8);
    assertThat(report.written()).isEqualTo(7);
    assertThat(report.skipped()).hasSize(1);
    assertThat(report.skipped().getFirst())
        .contains(String.valueOf(bad.getFileName()))
        .contains(Fault.CORRUPT.name());
  }

  @Test
  void aTargetThatHoldsSomethingElseIsRefused(@TempDir Path dir)
      throws IOException, InterruptedException {
    Path target = Files.createDirectories(dir.resolve("out"));
    Files.writeString(target.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> convert(photos, options(target, Representation.PLAIN, 2, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not empty (it holds notes.txt)");
    assertThat(Photos.sorted(target)).hasSize(1);
  }

  @Test
  void anotherConversionHalfDoneIsNotMixedWith(@TempDir Path dir) throws IOException {
    Path target = dir.resolve("out");
    Staging.open(target, "data", 1, "{\"another\": \"plan\"}", new FolderContainer()).close();
    assertThatThrownBy(() -> convert(photos, options(target, Representation.PLAIN, 2, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holds an unfinished conversion of another kind");
  }

  @Test
  void twoConversionsIntoOneTargetAreRefused(@TempDir Path dir) throws IOException {
    Path target = dir.resolve("out");
    try (Staging first = Staging.open(target, "data", 1, "{}", new FolderContainer())) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> Staging.open(target, "data", 1, "{}", new FolderContainer()))
          .isInstanceOf(ConfigException.class)
          .hasMessage("another conversion is writing to " + target);
    }
  }

  @Test
  void verifyingNamesEveryDamage(@TempDir Path dir) throws IOException, InterruptedException {
    Path target = dir.resolve("out");
    convert(photos, options(target, Representation.PLAIN, 3, 2));
    Path shard = target.resolve("data-00001-of-00003.tfrecord");
    Files.write(shard, Corrupter.flipBit(Files.readAllBytes(shard), 8 * 5_000));
    Files.delete(target.resolve("data-00002-of-00003.tfrecord"));
    assertThatThrownBy(
            () -> {
              try (Dataset dataset = Datasets.open(target)) {
                Verifier.verify(dataset, false);
              }
            })
        .hasMessageContaining("data-00002-of-00003.tfrecord");
    Files.copy(
        target.resolve("data-00000-of-00003.tfrecord"),
        target.resolve("data-00002-of-00003.tfrecord"));
    try (Dataset dataset = Datasets.open(target)) {
      Verifier.Report report = Verifier.verify(dataset, false);
      assertThat(report.faults()).anyMatch(f -> f.contains("data-00001") && f.contains("CORRUPT"));
      assertThat(report.faults()).anyMatch(f -> f.contains("data-00002"));
    }
  }
}
