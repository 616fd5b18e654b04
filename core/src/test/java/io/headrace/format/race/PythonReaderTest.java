package io.headrace.format.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headrace.codec.jpeg.coefficients.Jpegs;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.race.RaceFixture.Pictured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An independent reader, written from the specification in another language, finds in shards what
/// was put there.
final class PythonReaderTest {
  private record Run(int exit, List<String> out, String err) {}

  @BeforeAll
  static void needsPython() {
    boolean there;
    try {
      there = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      there = false;
    }
    assumeTrue(there, "no python3");
  }

  private static Path tool() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("python/tools/read_race.py"))) {
      folder = java.util.Objects.requireNonNull(folder.getParent(), "not in the repository");
    }
    return folder.resolve("python/tools/read_race.py");
  }

  private static Run run(Path dir, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", tool().toString()));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("out.txt");
    Path err = dir.resolve("err.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Run(
        process.exitValue(),
        Files.readAllLines(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  static Stream<RaceOptions> options() {
    return Stream.of(
        RaceOptions.PLAIN,
        new RaceOptions(ScanGroups.DEFAULT, 3, new BlobCompression.None(), 0),
        new RaceOptions(null, 2, new BlobCompression.Lz4(0), 0),
        new RaceOptions(null, 3, new BlobCompression.Lz4(9), 700));
  }

  @ParameterizedTest
  @MethodSource("options")
  void findsTheSameAsWe(RaceOptions options, @TempDir Path dir)
      throws IOException, DecodeException, InterruptedException, NoSuchAlgorithmException {
    List<Pictured> samples = RaceTest.anySamples(new java.util.Random(11), 40, options.levels());
    Path file = RaceFixture.write(dir.resolve("x.race"), options, samples);
    for (int fidelity = 1; fidelity <= options.groups(); fidelity++) {
      List<String> expected = new ArrayList<>();
      List<Pictured> read = new ArrayList<>();
      try (Dataset dataset = Datasets.open(file)) {
        RaceFixture.readAll(dataset, fidelity, read);
      }
      for (int i = 0; i < read.size(); i++) {
        Pictured sample = read.get(i);
        byte[] sha = MessageDigest.getInstance("SHA-256").digest(sample.image());
        expected.add(
            String.join(
                "\t",
                sample.key(),
                "" + sample.label(),
                "raw",
                "3",
                "2",
                "" + samples.get(i).levels().size(),
                "" + sample.image().length,
                HexFormat.of().formatHex(sha),
                "" + (sample.tiles().isEmpty() ? 0 : sample.tiles().getFirst().length),
                "" + (seesFields(samples.get(i), fidelity) ? sample.fields().size() : 0)));
      }
      Run run = run(dir, file.toString(), "--fidelity", "" + fidelity);
      assertThat(run.err).isEmpty();
      assertThat(run.exit).isZero();
      assertThat(run.out.subList(0, run.out.size() - 1)).isEqualTo(expected);
    }
  }

  /// {@return whether the tool sees the fields: they stand with the first level, which it reads
  /// only
  /// when asked for}
  private static boolean seesFields(Pictured sample, int fidelity) {
    return sample.levels().size() == 1 || fidelity == 1;
  }

  /// Law: what it makes of packed JPEGs are the files that were packed.
  @Test
  void makesJpegsOfPackedOnes(@TempDir Path dir) throws IOException, InterruptedException {
    Path source = Files.createDirectories(dir.resolve("source/a"));
    List<String> names =
        List.of("baseline", "cmyk", "grey", "odd", "quality-3", "restart-rows", "sample-2x1");
    for (String name : names) {
      Files.write(source.resolve(name + ".jpg"), Jpegs.named("jpeg/" + name + ".jpg"));
    }
    try (Dataset dataset = Datasets.open(dir.resolve("source"))) {
      Representation to = Representation.of("race", "none", "packed:2", "keep");
      new Converter(dataset, ConvertOptions.of(dir.resolve("out"), to, 1)).run();
    }
    Path shard;
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      shard = files.filter(f -> f.toString().endsWith(".race")).findFirst().orElseThrow();
    }
    Run run = run(dir, shard.toString(), "--extract", dir.resolve("back").toString());
    assertThat(run.err).isEmpty();
    for (String name : names) {
      assertThat(dir.resolve("back/a/" + name + ".jpg"))
          .hasSameBinaryContentAs(source.resolve(name + ".jpg"));
    }
    Run first = run(dir, shard.toString(), "--fidelity", "1");
    assertThat(first.exit).as(first.err).isZero();
  }

  @Test
  void findsDamage(@TempDir Path dir) throws IOException, DecodeException, InterruptedException {
    List<Pictured> samples = RaceTest.anySamples(new java.util.Random(12), 10, 1);
    Path file = RaceFixture.write(dir.resolve("x.race"), RaceOptions.PLAIN, samples);
    byte[] all = Files.readAllBytes(file);
    for (int at : new int[] {3, 20, 70, all.length / 2, all.length - 60, all.length - 10}) {
      byte[] bytes = all.clone();
      bytes[at] ^= 4;
      Files.write(file, bytes);
      Run run = run(dir, file.toString());
      assertThat(run.exit).as("byte " + at).isEqualTo(1);
      assertThat(run.err).contains("x.race");
    }
  }
}
