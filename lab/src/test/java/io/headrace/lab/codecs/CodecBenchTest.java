package io.headrace.lab.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import io.headrace.error.ConfigException;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CodecBenchTest {
  @TempDir private Path dir = Path.of(".");

  private static BenchResult run(
      Path path, @Nullable BenchKind kind, boolean decoded, int limit, String... encodings)
      throws IOException {
    List<String> said = new ArrayList<>();
    var options = new BenchOptions(path, kind, List.of(encodings), limit, 1, decoded);
    BenchResult result = CodecBench.run(options, said::add);
    assertThat(said).isNotEmpty();
    for (Measured m : result.measured()) {
      assertThat(m.bytes()).as(m.name()).isPositive();
      assertThat(m.ratio()).as(m.name()).isPositive();
      assertThat(m.decodeMegabytesPerSecond()).as(m.name()).isPositive().isFinite();
      boolean found = m.name().equals("original");
      assertThat(m.encodeMegabytesPerSecond() > 0).as(m.name()).isNotEqualTo(found);
    }
    assertThat(result.measured()).anyMatch(result::pareto);
    return result;
  }

  private static Map<String, Measured> byName(BenchResult result) {
    return result.measured().stream()
        .collect(Collectors.toMap(Measured::name, Function.identity()));
  }

  @Test
  void everyImageEncodingIsMeasured() throws IOException {
    BenchResult result = run(Photos.few(dir, 1, 1), null, false, 1);
    assertThat(result.kind()).isEqualTo(BenchKind.IMAGES);
    assertThat(result.refused()).isEmpty();
    assertThat(result.measured()).hasSameSizeAs(ImageSubject.USUAL);
    assertThat(result.measured().getFirst().ratio()).isEqualTo(1);
    for (Measured m : result.measured()) {
      boolean lossy = List.of("jpeg", "webp", "avif", "learned").contains(m.family());
      if (m.quality() instanceof Quality.Picture(double psnr, double ssim, double msSsim)) {
        assertThat(lossy).as(m.name()).isTrue();
        assertThat(psnr).as(m.name()).isBetween(20.0, 60.0);
        assertThat(ssim).as(m.name()).isBetween(0.5, 1.0);
        assertThat(msSsim).as(m.name()).isBetween(0.8, 1.0).isGreaterThan(ssim);
      } else {
        assertThat(lossy).as(m.name()).isFalse();
        assertThat(m.quality()).as(m.name()).isEqualTo(new Quality.Exact());
      }
    }
  }

  @Test
  void soundIsToldFromImagesAndMeasured() throws IOException {
    BenchResult result = run(Sounds.wav(dir, 2), null, false, 2);
    assertThat(result.kind()).isEqualTo(BenchKind.AUDIO);
    assertThat(result.refused()).isEmpty();
    assertThat(result.seconds()).isEqualTo(2);
    assertThat(result.plainBytes()).isEqualTo(2 * 2 * 16_000);
    Map<String, Measured> byName = byName(result);
    assertThat(byName.keySet()).contains("original", "wav", "flac:5", "mp3:128", "vorbis:0.4");
    for (String exact : List.of("original", "wav", "flac:0", "flac:5", "flac:8")) {
      assertThat(byName.get(exact)).extracting(Measured::quality).isEqualTo(new Quality.Exact());
    }
    Measured mp3 = Objects.requireNonNull(byName.get("mp3:v2"));
    assertThat(mp3.quality()).isInstanceOf(Quality.Sound.class);
    assertThat(((Quality.Sound) mp3.quality()).snr()).isGreaterThan(15);
    assertThat(mp3.ratio()).isLessThan(0.5);
    double perSecond = mp3.decodeMegabytesPerSecond() * 1e6 / 32_000;
    assertThat(mp3.decodeTimesRealTime()).isCloseTo(perSecond, within(1e-6 * perSecond));
  }

  @Test
  void streamsTakeAnyFiles() throws IOException {
    for (int i = 0; i < 3; i++) {
      Files.writeString(dir.resolve(i + ".txt"), "the same words again and again ".repeat(900));
    }
    BenchResult result = run(dir, BenchKind.STREAMS, false, 8, "none", "zlib", "zstd:level=7");
    assertThat(result.plainBytes()).isEqualTo(3 * 900 * 31);
    Map<String, Measured> byName = byName(result);
    assertThat(byName.keySet())
        .contains("none", "zlib", "zlib:strategy=rle", "zstd:level=7")
        .doesNotContain("gzip");
    assertThat(byName.get("none")).extracting(Measured::ratio).isEqualTo(1.0);
    assertThat(byName.get("zlib")).extracting(Measured::ratio, DOUBLE).isLessThan(0.05);
    assertThat(byName.get("zlib:strategy=huffman"))
        .extracting(Measured::ratio, DOUBLE)
        .isBetween(0.3, 0.7);
  }

  @Test
  void streamsOfDecodedFilesArePixelsOrSamples() throws IOException {
    BenchResult pixels =
        run(
            Photos.few(dir.resolve("a"), 1, 1),
            BenchKind.STREAMS,
            true,
            1,
            "zstd",
            "snappy",
            "lz4");
    assertThat(pixels.content()).contains("the pixels of 1 images");
    assertThat(byName(pixels)).containsKeys("zstd", "lz4:level=9", "snappy");
    BenchResult samples = run(Sounds.wav(dir.resolve("b"), 1), null, true, 1, "zlib:level=1");
    assertThat(samples.kind()).isEqualTo(BenchKind.STREAMS);
    assertThat(samples.plainBytes()).isEqualTo(32_000);
  }

  @Test
  void tensorsAreSpectrogramsOrFractions() throws IOException {
    BenchResult sound = run(Sounds.wav(dir.resolve("a"), 2), BenchKind.TENSORS, false, 2);
    assertThat(sound.plainBytes()).isEqualTo(2 * 99 * 80 * 4);
    for (Measured m : sound.measured()) {
      if (m.quality() instanceof Quality.Values(double bound, double error)) {
        assertThat(m.family()).isEqualTo("zfp");
        assertThat(error).as(m.name()).isPositive().isLessThanOrEqualTo(bound);
      } else {
        assertThat(m.quality()).isEqualTo(new Quality.Exact());
      }
    }
    BenchResult images =
        run(Photos.few(dir.resolve("b"), 1, 1), BenchKind.TENSORS, false, 1, "adaptive", "store");
    assertThat(images.measured()).hasSize(3);
    assertThat(byName(images).get("adaptive")).extracting(Measured::ratio, DOUBLE).isLessThan(0.6);
  }

  /// MP3 has no rate above 48 kHz.
  @Test
  void anEncodingThatCannotHoldTheFilesIsListedWithItsReason() throws IOException {
    assertThat(run(Sounds.wav(dir, 1), null, false, 1, "wav", "mp3:8", "flac:8").refused())
        .isEmpty();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.toList()) {
        byte[] wav = Files.readAllBytes(file);
        ByteBuffer.wrap(wav).order(ByteOrder.LITTLE_ENDIAN).putInt(24, 96_000);
        Files.write(file, wav);
      }
    }
    BenchResult result = run(dir, null, false, 1, "wav", "mp3:8", "flac:8");
    assertThat(result.measured()).extracting(Measured::name).contains("wav", "flac:8");
    assertThat(result.measured()).extracting(Measured::family).doesNotContain("mp3");
    assertThat(result.refused()).isNotEmpty();
    for (BenchResult.Refused refused : result.refused()) {
      assertThat(refused.name()).startsWith("mp3:");
      assertThat(refused.reason()).contains("96000");
    }
    assertThatThrownBy(() -> run(dir, null, false, 1, "mp3:4")).isInstanceOf(ConfigException.class);
  }

  @Test
  void foldersWithoutAnythingToMeasureAreRefused() throws IOException {
    Path missing = dir.resolve("missing");
    assertThatThrownBy(() -> run(missing, null, false, 1)).isInstanceOf(NoSuchFileException.class);
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThatThrownBy(() -> run(empty, null, false, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(empty + " is an empty folder");
    Path text = Files.createDirectory(dir.resolve("text"));
    Files.writeString(text.resolve("a.jpg"), "not an image, whatever its name");
    assertThatThrownBy(() -> run(text, null, false, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(text.toString())
        .hasMessageContaining("--kind streams");
    Path sound = Sounds.wav(dir.resolve("sound"), 1);
    assertThatThrownBy(() -> run(sound, BenchKind.IMAGES, false, 1))
        .isInstanceOf(ConfigException.class);
    Path broken = Files.createDirectory(dir.resolve("broken"));
    Files.write(broken.resolve("a.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
    assertThatThrownBy(() -> run(broken, null, false, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not one of 1 images");
  }

  @Test
  void whatIsLeftOutIsSaid() throws IOException {
    Path photos = Photos.few(dir, 1, 1);
    Files.writeString(dir.resolve("notes.txt"), "notes");
    Files.writeString(dir.resolve(".hidden.txt"), "hidden");
    BenchResult result = run(photos, null, false, 4, "bmp");
    assertThat(result.items()).isEqualTo(1);
    assertThat(result.notes()).containsExactly("1 of 2 files looked at are of another kind");
  }

  @ParameterizedTest
  @EnumSource
  void unknownEncodingsAreRefusedWithWhatThereIs(BenchKind kind) throws IOException {
    Path folder =
        kind == BenchKind.IMAGES ? Photos.few(dir, 1, 1) : Sounds.wav(dir.resolve("s"), 1);
    assertThatThrownBy(() -> run(folder, kind, false, 1, "gif"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gif")
        .hasMessageContaining("encodings measured here");
  }

  @Test
  void optionsOfASpellingAreNotDividedByItsCommas() {
    List<String> usual = List.of("original", "zlib");
    assertThat(Setting.pick(usual, List.of("zlib:level=9", "strategy=rle", " ZLIB"), s -> s))
        .extracting(Setting::name)
        .containsExactly("original", "zlib:level=9,strategy=rle", "zlib");
  }

  private static Measured measured(double bytes, double speed, double ssim) {
    Quality quality = ssim == 1 ? new Quality.Exact() : new Quality.Picture(30, ssim, 0.99);
    return new Measured("x", "x", bytes, 1, 1, speed, 1, 0, 0, quality);
  }

  @Test
  void theFrontHoldsWhatNothingBeatsInAllRespects() {
    Measured small = measured(10, 100, 0.9);
    Measured fast = measured(100, 1000, 1);
    Measured beaten = measured(110, 900, 1);
    List<Measured> all = List.of(small, fast, beaten);
    var result = new BenchResult(BenchKind.IMAGES, 1, "", "", 1, 1, 0, all, List.of(), List.of());
    assertThat(all).extracting(result::pareto).containsExactly(true, true, false);
  }
}
