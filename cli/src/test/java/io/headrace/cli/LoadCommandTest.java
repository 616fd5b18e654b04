package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.cli.print.Units;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The loader's promises, from the command line.
final class LoadCommandTest {
  @TempDir static Path dir;
  private static Path photos = Path.of(".");

  private record Ran(int code, String out, String err) {
    JsonNode json() {
      return JsonMapper.builder().build().readTree(out);
    }
  }

  @BeforeAll
  static void store() {
    photos = Photos.few(dir.resolve("photos"), 2, 5);
  }

  private static Ran run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(List.of(args).stream().map(String::valueOf).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran load(Object... args) {
    return run(
        Stream.concat(
                Stream.of("load", photos, "--batch", 2, "--pipeline", "center_crop=8,uint8,hwc"),
                Stream.of(args))
            .toArray());
  }

  @Test
  void aStateIsTakenUpWhereItWasLeft() throws IOException {
    Path state = dir.resolve("state.json");
    Ran first = load("--state", state, "--stop-after", 3, "--json");
    assertThat(first.err()).isEmpty();
    assertThat(first.json().get(0).path("delivered").asInt()).isEqualTo(6);
    assertThat(Files.readString(state)).contains("\"epoch\":0,\"done\":6");
    Ran second = load("--state", state, "--epochs", 2, "--json");
    assertThat(second.json().get(0).path("delivered").asInt()).isEqualTo(4);
    assertThat(second.json().get(1).path("delivered").asInt()).isEqualTo(10);
    assertThat(Files.readString(state)).contains("\"epoch\":2,\"done\":0");
    Ran other = load("--state", state, "--seed", 7);
    assertThat(other.code()).isEqualTo(Exit.USAGE);
    assertThat(other.err()).contains("the state's seed is '0'");
  }

  /// Seeds of 64 bits are one whether they have a sign or not; what is none is refused.
  @Test
  void seedsHaveSixtyFourBits() throws IOException {
    Path state = dir.resolve("seed.json");
    for (String seed : new String[] {"18446744073709551615", "-1"}) {
      Ran ran = load("--state", state, "--stop-after", 1, "--seed", seed);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(Files.readString(state)).contains("\"seed\":-1,");
    }
    for (String seed : new String[] {"18446744073709551616", "-9223372036854775809", "1.5", ""}) {
      Ran ran = load("--seed", seed);
      assertThat(ran.code()).isEqualTo(Exit.USAGE);
      assertThat(ran.err().lines()).hasSize(1);
      assertThat(ran.err()).contains("seed '" + seed + "'");
    }
  }

  @Test
  void fidelityAndRegimensAreReported() throws IOException {
    Path race = dir.resolve("race");
    Ran converted = run("convert", photos, race, "--format", "race", "--encoding", "progressive");
    assertThat(converted.code()).as(converted.err()).isZero();
    Path regimen =
        Files.writeString(
            dir.resolve("regimen.json"),
            "[{\"epochs\":2,\"fidelity\":1},{\"epochs\":1,\"fidelity\":\"full\"}]");
    Ran ran = run("load", race, "--regimen", regimen, "--batch", 4, "--json");
    JsonNode epochs = ran.json();
    assertThat(epochs).hasSize(3);
    JsonNode low = epochs.get(0).path("fidelities").get(0);
    JsonNode full = epochs.get(2).path("fidelities").get(0);
    assertThat(low.path("groups").asInt()).isEqualTo(1);
    assertThat(low.path("bytes").asLong()).isLessThan(full.path("bytes").asLong() / 2);
    long lowBytes = low.path("bytes").asLong();
    long fullBytes = full.path("bytes").asLong();
    assertThat(low.path("samples").asInt()).isEqualTo(10);
    assertThat(low.path("bytes_a_sample").asDouble()).isEqualTo(lowBytes / 10.0);
    String said = run("load", race, "--regimen", regimen).out();
    assertThat(said)
        .contains("  fidelity   4: 10 samples read, " + Units.size(fullBytes / 10.0) + " each");
    Matcher mean =
        Pattern.compile("3 epochs: ([0-9.]+) KiB read for each of 30 samples delivered\\R$")
            .matcher(said);
    assertThat(mean.find()).as(said).isTrue();
    assertThat(1024 * Double.parseDouble(mean.group(1))) // gaps between neighbours may be read too
        .isBetween((2 * lowBytes + fullBytes) / 30.0 - 52, (2 * lowBytes + fullBytes) / 30.0 * 1.1);
    // what a cache has is not read again, and still delivered
    assertThat(run("load", race, "--regimen", regimen, "--cache", "lru:64MiB").out())
        .endsWith(mean(3, fullBytes, 30));
    assertThat(run("load", photos, "--epochs", 4, "--cache", "minio:64MiB").out())
        .endsWith(mean(4, photoBytes(), 40));
    JsonNode mixed =
        run("load", race, "--fidelity", "1:0.5,full:0.5", "--epochs", 2, "--json").json();
    for (JsonNode epoch : mixed) {
      long read = 0;
      int samples = 0;
      for (JsonNode fidelity : epoch.path("fidelities")) {
        read += fidelity.path("bytes").asLong();
        samples += fidelity.path("samples").asInt();
      }
      assertThat(samples).isEqualTo(10);
      assertThat(epoch.path("bytes_read").asLong()) // with the gaps that are read over
          .isBetween(read, fullBytes);
      assertThat(read).isBetween(lowBytes, fullBytes);
    }
    Ran cached =
        run("load", race, "--regimen", regimen, "--batch", 4, "--cache", "lru:64MiB", "--json");
    JsonNode rest = cached.json().get(2);
    assertThat(cached.json().get(1).path("bytes_read").asLong()).isZero();
    assertThat(rest.path("cache").path("extended").asInt()).isEqualTo(10);
    assertThat(rest.path("bytes_read").asLong())
        .isEqualTo(full.path("bytes").asLong() - low.path("bytes").asLong());
    assertThat(rest.path("digest")).isEqualTo(epochs.get(2).path("digest"));
    assertThat(load("--fidelity", 1, "--regimen", regimen).code()).isEqualTo(Exit.USAGE);
  }

  private static String mean(int epochs, long bytes, int delivered) {
    return "%d epochs: %s read for each of %d samples delivered%n"
        .formatted(epochs, Units.size((double) bytes / delivered), delivered);
  }

  private static long photoBytes() throws IOException {
    long bytes = 0;
    for (Path group : Photos.sorted(photos)) {
      for (Path photo : Photos.sorted(group)) {
        bytes += Files.size(photo);
      }
    }
    return bytes;
  }

  /// Every line of the report is checked against the numbers of the JSON document, of one epoch
  /// that both load alike.
  @Test
  void theTextSaysWhatTheJsonSays() throws IOException {
    Path bad = dir.resolve("bad");
    Photos.few(bad, 2, 15);
    for (Path photo : Photos.sorted(Photos.sorted(bad).getFirst())) {
      Files.write(photo, new byte[] {1, 2, 3});
    }
    for (Path from : List.of(photos, bad)) {
      Object[] small = {
        "load", from, "--batch", 2, "--pipeline", "center_crop=8,uint8,hwc", "--on-error", "skip"
      };
      JsonNode epoch =
          run(Stream.concat(Stream.of(small), Stream.of("--json")).toArray()).json().get(0);
      String out = run(small).out();
      int skipped = from.equals(bad) ? 15 : 0;
      int delivered = from.equals(bad) ? 15 : 10;
      assertThat(epoch.path("delivered").asInt()).isEqualTo(delivered);
      assertThat(epoch.path("skipped").asInt()).isEqualTo(skipped);
      assertThat(epoch.path("bytes_read").asLong())
          .isEqualTo(epoch.path("stages").path("read").path("bytes").asLong());
      assertThat(epoch.path("samples_per_second").asDouble())
          .isEqualTo(delivered / epoch.path("seconds").asDouble());
      assertThat(epoch.path("stages").path("decode").path("items").asInt()).isEqualTo(delivered);
      assertThat(epoch.path("faults")).hasSize(skipped);
      assertThat(out)
          .startsWith("epoch 0: %d delivered, %d skipped in ".formatted(delivered, skipped))
          .contains("  decoding   " + epoch.path("decoding").asString())
          .contains("  storage    " + Units.size(epoch.path("bytes_read").asLong()) + " read")
          .doesNotContain(" more (--json");
      assertThat(out.lines().filter(line -> line.startsWith("  skipped "))).hasSize(skipped);
    }
    assertThat(load("--json").json().get(0).path("bytes_read").asLong()).isEqualTo(photoBytes());
  }

  /// A terminal is not flooded: twenty skipped samples are listed, the others counted.
  @Test
  void manySkippedSamplesAreCounted() throws IOException {
    Path bad = dir.resolve("many");
    Photos.few(bad, 2, 15);
    for (Path group : Photos.sorted(bad)) {
      for (Path photo : Photos.sorted(group).subList(0, 14)) {
        Files.write(photo, new byte[] {1, 2, 3});
      }
    }
    Ran ran = run("load", bad, "--on-error", "skip");
    assertThat(ran.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(ran.out().lines().filter(line -> line.startsWith("  skipped "))).hasSize(20);
    assertThat(ran.out()).contains("2 delivered, 28 skipped").contains("  … and 8 more (--json");
  }

  @Test
  void decodedSamplesAreKept() {
    Ran ran = load("--cache", "minio:16MiB:decoded", "--epochs", 2, "--json");
    JsonNode cache = ran.json().get(1).path("cache");
    assertThat(cache.path("name").asString()).isEqualTo("minio:decoded");
    assertThat(cache.path("hits").asInt()).isEqualTo(10);
    assertThat(cache.path("predicted_hit_rate").asDouble()).isEqualTo(1);
    assertThat(cache.path("predicted_is_estimate").asBoolean()).isFalse();
    assertThat(ran.json().get(1).path("bytes_read").asLong()).isZero();
    assertThat(ran.json().get(1).path("digest"))
        .isEqualTo(load("--exact", "--epochs", 2, "--json").json().get(1).path("digest"));
    assertThat(ran.json().get(1).path("decoding").asString()).isEqualTo("exact");
    assertThat(load("--cache", "lru:16MiB:decoded", "--exact", "--epochs", 2).out())
        .contains("cache lru:decoded: 10 hits, 0 misses, hit rate 1.000, predicted 1.000,")
        .contains("exact, as decoded samples are kept");
    Ran fast = load("--cache", "lru:16MiB:decoded", "--fast");
    assertThat(fast.code()).isEqualTo(Exit.USAGE);
    assertThat(fast.err()).contains("--fast with a cache of decoded samples");
    for (String wrong :
        List.of("lru", "lru:1MiB:raw", "lru:1MiB:decoded:x", "two-region:1MiB:decoded", "")) {
      assertThat(load("--cache", wrong).code()).as(wrong).isEqualTo(Exit.USAGE);
    }
  }

  @Test
  void tailsSyntheticAndStandalone() {
    Ran rank = load("--rank", "1/3", "--ranks-tail", "drop", "--last-batch", "drop");
    assertThat(rank.out())
        .contains("rank 1 of 3: 1 batches an epoch, as every rank; 4 samples dropped");
    Ran synthetic = load("--synthetic", "--json");
    assertThat(synthetic.json().get(0).path("delivered").asInt()).isEqualTo(10);
    assertThat(synthetic.json().get(0).path("verified").asBoolean()).isFalse();
    Ran alone = run("load", photos, "--standalone", "--batch", 4, "--json");
    assertThat(alone.json().get(0).path("verified").asBoolean()).isTrue();
    assertThat(load("--standalone").code()).isEqualTo(Exit.USAGE);
    for (List<String> wrong :
        List.of(
            List.of("--ranks-tail", "wrap"),
            List.of("--last-batch", "half"),
            List.of("--max-bad", "some"),
            List.of("--mix", "shaken"),
            List.of("--fidelity", "0"),
            List.of("--stop-after", "0"))) {
      assertThat(load(wrong.toArray()).code()).as(wrong.toString()).isEqualTo(Exit.USAGE);
    }
  }

  /// Ten samples take a consumer of 40 a second a quarter of a second, however long it waits.
  @Test
  void aPacedConsumerTakesItsTimeAndItsWaitingIsCounted() {
    JsonNode epoch = load("--consumer", "40/s", "--json").json().get(0);
    double waited = epoch.path("stages").path("stall").path("seconds").asDouble();
    JsonNode consumer = epoch.path("consumer");
    assertThat(consumer.path("samples_per_second").asDouble()).isEqualTo(40);
    assertThat(consumer.path("stall_share").asDouble())
        .isCloseTo(waited / (waited + 0.25), within(1e-9));
    assertThat(epoch.path("seconds").asDouble()).isGreaterThan(0.19); // all batches but the last
    assertThat(load("--consumer", "resnet50").out()).contains("  consumer   takes 4,155 samples/s");
    assertThat(load("--json").json().get(0).has("consumer")).isFalse();
    assertThat(load("--consumer", "fast").err()).contains("consumer 'fast': expected samples");
    assertThat(load("--consumer", "5/s", "--shuffle-quality").code()).isEqualTo(Exit.USAGE);
  }

  @Test
  void fastIsTheDefaultAndTheReportSaysWhatRan() {
    Object[] small = {"load", photos, "--pipeline", "random_resized_crop=16,uint8,hwc", "--json"};
    List<JsonNode> epochs =
        Stream.of(List.of(), List.of("--fast"), List.of("--exact"))
            .map(
                more -> run(Stream.concat(Stream.of(small), more.stream()).toArray()).json().get(0))
            .toList();
    assertThat(epochs)
        .extracting(e -> e.path("decoding").asString())
        .containsExactly("fast", "fast", "exact");
    assertThat(epochs.get(0).path("digest")).isEqualTo(epochs.get(1).path("digest"));
    assertThat(epochs.get(2).path("digest")).isNotEqualTo(epochs.get(0).path("digest"));
    assertThat(epochs.get(2).path("set_digest")).isEqualTo(epochs.get(0).path("set_digest"));
    assertThat(load("--standalone").out()).isEmpty();
    assertThat(run("load", photos, "--standalone").out()).contains("decoding   whole");
    Ran both = load("--fast", "--exact");
    assertThat(both.code()).isEqualTo(Exit.USAGE);
    assertThat(both.err()).contains("--fast and --exact: expected one of them");
  }

  @Test
  void explainSaysWhatIsDone() {
    Ran fast = run("load", photos, "--explain", "--pipeline", "resize=40x40");
    assertThat(fast.code()).isZero();
    assertThat(fast.out())
        .startsWith("resize=40x40 of an image of ")
        .contains("decode: JPEG at 1/8, of a pyramid that level", "pass 1: resize to 40x40")
        .contains("planes are resized");
    Ran exact = run("load", photos, "--explain", "--exact", "--pipeline", "resize=40x40");
    assertThat(exact.out()).contains("decode: full size").doesNotContain("planes are resized");
  }
}
