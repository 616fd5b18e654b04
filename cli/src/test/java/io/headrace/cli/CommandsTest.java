package io.headrace.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.cli.print.Units;
import io.headrace.spec.Bytes;
import io.headrace.testkit.Corrupter;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class CommandsTest {
  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {
    JsonNode json() {
      return JsonMapper.builder().build().readTree(out);
    }
  }

  private static Ran run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    String[] words = List.of(args).stream().map(String::valueOf).toArray(String[]::new);
    CommandLine command =
        Main.commandLine(words).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(words);
    return new Ran(code, out.toString(), err.toString());
  }

  private Path photos() {
    return Photos.few(dir.resolve("photos"), 2, 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"inspect", "convert", "verify", "load", "tune", "demo", "doctor", "codecs"})
  void everyCommandHasHelpWithAnExample(String command) {
    Ran ran = run(command, "--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Usage: headrace " + command).contains("Example:");
  }

  @Test
  void withoutArgumentsTheCommandsAreListed() {
    Ran ran = run();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("demo", "inspect", "convert", "Exit codes");
  }

  /// What is run is put together without the other commands.
  @Test
  void aCommandAloneIsTheOneAmongAll() {
    var all = Main.commandLine().getSubcommands();
    assertThat(all).containsKeys("inspect", "steps", "codecs", "train");
    all.forEach(
        (name, command) -> {
          var alone = Main.commandLine(new String[] {name, "--help"}).getSubcommands();
          assertThat(alone).containsOnlyKeys(name);
          assertThat(requireNonNull(alone.get(name)).getUsageMessage())
              .isEqualTo(command.getUsageMessage());
        });
    assertThat(Main.commandLine(new String[] {"--help"}).getSubcommands()).hasSameSizeAs(all);
  }

  @Test
  void unknownOptionsAndCommandsAreUsageErrors() {
    assertThat(run("frobnicate").code()).isEqualTo(Exit.USAGE);
    assertThat(run("load", "--nonsense", "x").code()).isEqualTo(Exit.USAGE);
    assertThat(run("load").code()).isEqualTo(Exit.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "load", "tune"})
  void aMissingFolderIsNamedInOneLine(String command) {
    Path missing = dir.resolve("nothing-here");
    Ran ran = run(command, missing);
    assertThat(ran.code()).isIn(Exit.FAILED, Exit.USAGE);
    assertThat(ran.err()).contains(missing.toString()).doesNotContain("\tat ");
    assertThat(ran.err().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "load", "tune"})
  void anEmptyFolderIsSaidToBeEmpty(String command) throws IOException {
    Path empty = Files.createDirectories(dir.resolve("empty"));
    Ran ran = run(command, empty);
    assertThat(ran.code()).isIn(Exit.FAILED, Exit.USAGE);
    assertThat(ran.err()).contains(empty.toString());
    assertThat(ran.err().lines()).hasSize(1);
  }

  @Test
  void inspectCountsWhatIsThere() {
    Ran ran = run("inspect", photos(), "--json");
    assertThat(ran.code()).isZero();
    assertThat(ran.json().path("samples").asInt()).isEqualTo(10);
    assertThat(ran.json().path("formats").path("jpeg").asInt()).isEqualTo(10);
    assertThat(ran.json().path("classes").size()).isEqualTo(2);
    assertThat(ran.json().path("qualities").path("median").asInt()).isBetween(75, 98);
    assertThat(run("inspect", photos2()).out()).contains("JPEG quality", "broken        none");
  }

  private Path photos2() {
    return Photos.few(dir.resolve("photos2"), 1, 3);
  }

  /// Two pictures of 16 bits, one grey; QOI has 8, PPM holds both.
  @Test
  void convertSaysWhereDepthIsLost() throws IOException {
    Path deep = dir.resolve("deep");
    Path source = Files.createDirectories(deep.resolve("a"));
    Files.writeString(source.resolve("one.ppm"), "P3 1 1 65535 1 256 65535\n");
    Files.writeString(source.resolve("two.pgm"), "P2 2 1 1000 1 999\n");
    Files.writeString(source.resolve("three.pbm"), "P1 2 1 01\n");
    Ran lost = run("convert", deep, dir.resolve("qoi"), "--encoding", "qoi", "--format", "tar");
    assertThat(lost.code()).isZero();
    assertThat(lost.out())
        .contains("  2 images encoded again had more than 8 bits a channel and have 8 now");
    Ran json = run("convert", deep, dir.resolve("json"), "--encoding", "qoi", "--json");
    assertThat(json.json().path("depths_reduced").asInt()).isEqualTo(2);
    Ran kept = run("convert", deep, dir.resolve("raw"), "--encoding", "raw");
    assertThat(kept.code()).isZero();
    assertThat(kept.out()).contains("3 encoded again").doesNotContain("8 bits");
    Ran back =
        run("convert", dir.resolve("raw"), dir.resolve("png"), "--encoding", "png", "--json");
    assertThat(back.json().path("depths_reduced").asInt()).isZero();
    assertThat(run("verify", dir.resolve("png"), "--deep").code()).isZero();
  }

  /// Thousand classes are summed up; the JSON document has them all. The class numbered n has one
  /// sample, but for the first five, which have 9 down to 5, and the last, which has none.
  @Test
  void inspectSumsManyClassesUp() throws IOException {
    byte[] dot = {'P', '6', ' ', '1', ' ', '1', ' ', '2', '5', '5', '\n', 1, 2, 3};
    Path root = dir.resolve("many");
    for (int label = 0; label < 1000; label++) {
      Path folder = Files.createDirectories(root.resolve("class-%03d".formatted(label)));
      for (int i = 0; i < (label < 5 ? 9 - label : 1); i++) {
        Files.write(folder.resolve(i + ".ppm"), dot);
      }
    }
    Ran ran = run("inspect", root);
    assertThat(ran.out())
        .contains(
            "classes       1,000 (--json lists all): 1 to 9 samples, median 1, imbalance 9.0 to 1")
        .contains("most          class-000 9, class-001 8, class-002 7, class-003 6, class-004 5\n")
        .contains("fewest        class-999 1, class-998 1, class-997 1, class-996 1, class-995 1\n")
        .doesNotContain("class-500");
    assertThat(ran.out().lines().mapToInt(String::length).max().orElseThrow()).isLessThan(120);
    JsonNode classes = run("inspect", root, "--json").json().path("classes");
    assertThat(classes).hasSize(1000);
    assertThat(classes.path("class-003").asInt()).isEqualTo(6);
    assertThat(classes.path("class-500").asInt()).isEqualTo(1);
  }

  /// Up to twenty classes are all named.
  @Test
  void inspectNamesFewClasses() throws IOException {
    byte[] dot = {'P', '6', ' ', '1', ' ', '1', ' ', '2', '5', '5', '\n', 1, 2, 3};
    Path root = dir.resolve("few");
    for (int label = 0; label < 20; label++) {
      Path folder = Files.createDirectories(root.resolve("class-%02d".formatted(label)));
      Files.write(folder.resolve("one.ppm"), dot);
    }
    assertThat(run("inspect", root).out())
        .contains("classes       20: class-00 1,", "class-19 1\n");
  }

  @Test
  void inspectListsBrokenFiles() throws IOException {
    Path photos = photos();
    Path bad = Photos.sorted(Photos.sorted(photos).getFirst()).getFirst();
    byte[] bytes = Files.readAllBytes(bad);
    Files.write(bad, Corrupter.cut(bytes, bytes.length * 2 / 3));
    Ran shallow = run("inspect", photos);
    Ran deep = run("inspect", photos, "--deep");
    assertThat(shallow.code()).isZero();
    assertThat(deep.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(deep.out()).contains(bad.toString()).contains("TRUNCATED");
  }

  @Test
  void aDatasetIsConvertedVerifiedAndLoaded() {
    Path target = dir.resolve("out");
    Ran convert =
        run("convert", photos(), target, "--compression", "zstd", "--shards", "3", "--json");
    assertThat(convert.err()).isEmpty();
    assertThat(convert.code()).isZero();
    assertThat(convert.json().path("written").asInt()).isEqualTo(10);
    Ran verify = run("verify", target, "--deep", "--json");
    assertThat(verify.code()).isZero();
    assertThat(verify.json().path("samples").asInt()).isEqualTo(10);
    Ran load = run("load", target, "--epochs", "2", "--batch", "4", "--json");
    assertThat(load.code()).isZero();
    JsonNode epochs = load.json();
    assertThat(epochs.size()).isEqualTo(2);
    for (JsonNode epoch : epochs) {
      assertThat(epoch.path("delivered").asInt()).isEqualTo(10);
      assertThat(epoch.path("skipped").asInt()).isZero();
      assertThat(epoch.path("verified").asBoolean()).isTrue();
      assertThat(epoch.path("set_digest").asString())
          .isEqualTo(verify.json().path("set_digest").asString());
      assertThat(epoch.path("samples_per_second").asDouble()).isPositive();
      assertThat(epoch.path("bytes_read").asLong()).isPositive();
      assertThat(epoch.path("bottleneck").asString()).isNotEmpty();
    }
    assertThat(epochs.get(0).path("digest")).isNotEqualTo(epochs.get(1).path("digest"));
    assertThat(run("load", target).out()).contains("10 delivered", "decode", "bottleneck");
  }

  @Test
  void cachesOrdersAndStoresAreReported() {
    Path photos = photos();
    Ran load =
        run(
            "load",
            photos,
            "--epochs",
            "2",
            "--batch",
            "4",
            "--cache",
            "minio:100MiB",
            "--store",
            "nvme",
            "--io-depth",
            "3",
            "--order",
            "block:2:2",
            "--json");
    assertThat(load.err()).isEmpty();
    assertThat(load.code()).isZero();
    JsonNode cache = load.json().get(1).path("cache");
    assertThat(cache.path("name").asString()).isEqualTo("minio");
    assertThat(cache.path("hits").asInt()).isEqualTo(10);
    assertThat(cache.path("hit_rate").asDouble()).isEqualTo(1);
    assertThat(cache.path("predicted_hit_rate").asDouble()).isEqualTo(1);
    assertThat(load.json().get(1).path("bytes_read").asLong()).isZero();
    Ran text =
        run(
            "load",
            photos,
            "--epochs",
            "2",
            "--batch",
            "4",
            "--cache",
            "two-region:200KiB",
            "--shuffle-quality");
    assertThat(text.out())
        .contains("cache two-region", "predicted 0.", "storage", "correlation with disk order")
        .contains("with the epoch before", "classes in batches");
    for (List<String> wrong :
        List.of(
            List.of("--cache", "fifo:1MiB"),
            List.of("--cache", "lru"),
            List.of("--cache", "lru:0"),
            List.of("--cache", "lru:1TiB"),
            List.of("--order", "two-region"),
            List.of("--order", "sideways"),
            List.of("--store", "tape"),
            List.of("--shuffle-quality", "--rank", "0/2"))) {
      Ran ran = run(Stream.concat(Stream.of("load", photos), wrong.stream()).toArray());
      assertThat(ran.code()).as(wrong.toString()).isEqualTo(Exit.USAGE);
      assertThat(ran.err().lines()).as(wrong.toString()).hasSize(1);
    }
  }

  @Test
  void whatOnlyRaceHoldsIsWrittenAsRace() {
    Path target = dir.resolve("packed");
    assertThat(run("convert", photos(), target, "--encoding", "packed").code()).isZero();
    assertThat(target).isDirectoryContaining("glob:**.race");
  }

  @Test
  void wrongOptionsOfConvertAreUsageErrorsAndWriteNothing() {
    Path target = dir.resolve("out");
    Path photos = photos();
    for (List<String> wrong :
        List.of(
            List.of("--compression", "brotli"),
            List.of("--compression", "zlib:level=12"),
            List.of("--encoding", "jpeg:500"),
            List.of("--encoding", "jpeg:80", "--jpeg-quality", "80"),
            List.of("--shards", "0"),
            List.of("--resize", "bigger"),
            List.of("--on-error", "hope"),
            List.of("--memory", "lots"),
            List.of("--plan", dir.resolve("no-plan.json").toString()))) {
      Ran ran = run(Stream.concat(Stream.of("convert", photos, target), wrong.stream()).toArray());
      assertThat(ran.code()).as(wrong.toString()).isEqualTo(Exit.USAGE);
      assertThat(ran.err().lines()).as(wrong.toString()).hasSize(1);
      assertThat(target).doesNotExist();
    }
  }

  @Test
  void aPlanIsMadeFollowedAndLoaded() throws IOException {
    Path plan = dir.resolve("plan.json");
    Path report = dir.resolve("report.html");
    Path photos = photos();
    Ran tune =
        run(
            "tune",
            photos,
            "--samples",
            "2",
            "--repeats",
            "1",
            "--seconds",
            "0",
            "--batch",
            "2",
            "--out",
            plan,
            "--report",
            report,
            "--work",
            dir.resolve("work"),
            "--json");
    assertThat(tune.err()).isEmpty();
    assertThat(tune.code()).isZero();
    int measured = tune.json().path("candidates").size();
    assertThat(measured).isGreaterThanOrEqualTo(2);
    assertThat(measured + tune.json().path("untried").size()).isGreaterThanOrEqualTo(20);
    assertThat(tune.json().path("pick").path("command").asString()).contains("headrace load");
    for (JsonNode candidate : tune.json().path("candidates")) {
      assertThat(candidate.path("predicted").asDouble()).isPositive();
      assertThat(candidate.path("measured").asDouble()).isPositive();
      assertThat(candidate.path("bytes").asDouble()).isPositive();
      assertThat(candidate.path("quality").asDouble()).isBetween(0.5, 1.0);
    }
    assertThat(tune.json().path("pick").path("name").asString()).isNotEmpty();
    assertThat(tune.json().path("advice").asString()).isNotEmpty();
    assertThat(Files.readString(report)).contains("<html");
    assertThat(dir.resolve("work").resolve("samples")).doesNotExist();
    Path target = dir.resolve("out");
    if (tune.json().path("pick").has("representation")) {
      assertThat(run("convert", photos, target, "--plan", plan).code()).isZero();
      assertThat(run("load", target, "--plan", plan).code()).isZero();
    } else {
      assertThat(run("convert", photos, target, "--plan", plan).code()).isEqualTo(Exit.USAGE);
    }
  }

  @Test
  void badDataHasAnExitCodeOfItsOwn() throws IOException {
    Path photos = photos();
    Path bad = Photos.sorted(Photos.sorted(photos).getLast()).getLast();
    byte[] bytes = Files.readAllBytes(bad);
    Files.write(bad, Corrupter.cut(bytes, bytes.length / 2));
    Ran fail = run("load", photos);
    assertThat(fail.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(fail.err()).contains(bad.toString()).contains("TRUNCATED");
    Ran skip = run("load", photos, "--on-error", "skip");
    assertThat(skip.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(skip.out()).contains("9 delivered, 1 skipped").contains(bad.toString());
  }

  @Test
  void codecsAreListedAndMeasured() {
    Ran list = run("codecs");
    assertThat(list.code()).isZero();
    assertThat(list.out()).contains("jpeg", "webp", "avif", "flac", "zstd", "zfp", "libturbojpeg");
  }

  @Test
  void encodingsAreMeasured() throws IOException {
    Path report = dir.resolve("codecs.html");
    Ran bench =
        run(
            "codecs",
            "bench",
            photos(),
            "--limit",
            "1",
            "--rounds",
            "1",
            "--encodings",
            "jpeg,qoi,png:2",
            "--report",
            report,
            "--json");
    assertThat(bench.err()).isEmpty();
    assertThat(bench.code()).isZero();
    assertThat(bench.json().path("kind").asString()).isEqualTo("images");
    JsonNode settings = bench.json().path("settings");
    assertThat(settings.valueStream().map(setting -> setting.path("name").asString()))
        .containsExactly("original", "jpeg:95", "jpeg:85", "jpeg:75", "jpeg:50", "qoi", "png:2");
    for (JsonNode setting : settings) {
      boolean lossy = setting.path("family").asString().equals("jpeg");
      assertThat(setting.path("lossless").asBoolean()).isNotEqualTo(lossy);
      assertThat(setting.has("ms_ssim")).isEqualTo(lossy);
      assertThat(setting.path("decode_megabytes_per_second").asDouble()).isPositive();
    }
    assertThat(Files.readString(report)).contains("<html", "\"jpeg:95\"", "codecs bench");
    Ran streams = run("codecs", "bench", photos2(), "--kind", "streams", "--encodings", "zstd,lz4");
    assertThat(streams.code()).isZero();
    assertThat(streams.out()).contains("encode MB/s", "decode MB/s", "zstd:level=19", "lz4");
  }

  @Test
  void encodingsAreMeasuredOnImagesInRecords() {
    Path target = dir.resolve("records");
    assertThat(run("convert", photos2(), target, "--compression", "zstd").code()).isZero();
    Ran bench = run("codecs", "bench", target, "--rounds", "1", "--encodings", "bmp", "--json");
    assertThat(bench.code()).isZero();
    assertThat(bench.err()).isEmpty();
    assertThat(bench.json().path("items").asInt()).isEqualTo(3);
  }

  @Test
  void wrongRequestsToMeasureAreUsageErrors() throws IOException {
    Path photos = photos2();
    Path empty = Files.createDirectories(dir.resolve("empty"));
    for (List<Object> wrong :
        List.<List<Object>>of(
            List.of(photos, "--rounds", "0"),
            List.of(photos, "--limit", "0"),
            List.of(photos, "--kind", "video"),
            List.of(photos, "--encodings", "gif"),
            List.of(photos, "--kind", "audio"),
            List.of(photos, "--kind", "images", "--decoded"),
            List.of(empty))) {
      Ran ran = run(Stream.concat(Stream.of("codecs", "bench"), wrong.stream()).toArray());
      assertThat(ran.code()).as(wrong.toString()).isEqualTo(Exit.USAGE);
      assertThat(ran.err().lines()).as(wrong.toString()).hasSize(1);
    }
    Ran missing = run("codecs", "bench", dir.resolve("nothing-here"));
    assertThat(missing.code()).isEqualTo(Exit.FAILED);
    assertThat(missing.err()).contains("no such file or folder").contains("nothing-here");
  }

  @Test
  void doctorNamesEveryThingItLooksFor() {
    Ran ran = run("doctor", "--folder", dir);
    assertThat(ran.out())
        .contains("JDK", "libturbojpeg", "libspng", "libz", "cores", "memory", "/dev/shm", "disk");
    assertThat(ran.code()).isZero();
    assertThat(run("doctor", "--folder", dir, "--json").json().isArray()).isTrue();
  }

  @Test
  void sizesAreReadAsPeopleWriteThem() {
    assertThat(Bytes.parse("512")).isEqualTo(512);
    assertThat(Bytes.parse("2GiB")).isEqualTo(2L << 30);
    assertThat(Bytes.parse("2G")).isEqualTo(2L << 30);
    assertThat(Bytes.parse("1.5 kB")).isEqualTo(1500);
    assertThat(Units.size(39_117)).isEqualTo("38.2 KiB");
    assertThat(Units.size(512)).isEqualTo("512 B");
  }
}
