package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.lab.report.Report;
import io.headrace.lab.trial.Key;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A tuning of known numbers, as a plan and as a report.
final class PlanFileTest {
  private static final Representation WEBP =
      Representation.of("race", "none", "webp:60", "longest=300");

  @TempDir private Path dir = Path.of(".");

  private static Tuning tuning(boolean measuredOthers) {
    Result original = Made.result("original", 100, 1, 250, 1000, 900, 1200);
    Result made = Made.result("webp", 40, 0.93, Made.FITS, 2000, 2100, 1900);
    Result webp =
        new Result(
            new Candidate("webp", WEBP),
            made.trial().with(WEBP),
            made.costs(),
            made.totalBytes(),
            made.conversion(),
            1.5,
            2345.5,
            made.rates(),
            made.storeRate(),
            made.bottleneck());
    Result small = Made.result("small", 20, 0.5, Made.FITS, 4000, 4000, 4000);
    var limits = new Limits(90_000, 50_000, 1500, 0.9);
    List<Result> results = List.of(original, webp, small);
    return new Tuning(
        results,
        Pick.of(results, limits),
        limits,
        64,
        1000,
        25_000_000,
        measuredOthers ? List.of(0.02, 0.05) : List.of(Double.NaN, 0.5),
        List.of(new Tuning.Untried("avif", 12, "predicted 12 samples/s, others more")));
  }

  /// Writes the plan of a folder with one picture.
  private void write(Path file, Tuning tuning, String pipeline) throws IOException {
    Path folder = Files.createDirectories(dir.resolve("data/a"));
    Files.writeString(folder.resolve("one.ppm"), "P3 1 1 255 1 2 3\n");
    try (Dataset data = Datasets.open(java.util.Objects.requireNonNull(folder.getParent()))) {
      PlanFile.write(file, tuning, pipeline, OpenOptions.DEFAULT, data);
    }
  }

  /// What is done ahead, and how it is loaded, is in the plan and comes back from it.
  @Test
  void stepsAheadAndWaysToLoadAreInThePlan() throws IOException {
    Pipeline eval = Pipeline.eval();
    List<String> names = Candidates.of(Content.IMAGE, eval).stream().map(Candidate::name).toList();
    assertThat(names)
        .contains("race, raw, after resize_shorter=256,center_crop=224")
        .anyMatch(n -> n.startsWith("race, shuffle") && n.endsWith(", after " + eval.spec()));
    assertThat(Candidates.of(Content.IMAGE, Pipeline.train()))
        .as("a random crop comes first")
        .noneMatch(c -> c.name().contains("after"));
    assertThat(Candidates.of(Content.SOUND, Pipeline.speech()).stream().map(Candidate::name))
        .contains("race, after mono,resample=16000,pad_or_trim=10");
    Candidate ahead = Candidates.parse("race none raw steps=resize_shorter=256,center_crop=224");
    Result made = Made.result("ahead", 40, 1, Made.FITS, 2000, 2100, 1900);
    Result result =
        new Result(
            ahead,
            made.trial()
                .with(ahead.representation())
                .with(Key.READERS, 16)
                .with(Key.CACHE, "lru:9MiB"),
            made.costs(),
            made.totalBytes(),
            made.conversion(),
            1,
            2000,
            made.rates(),
            made.storeRate(),
            made.bottleneck());
    List<Result> results = List.of(Made.result("original", 100, 1, 250, 1000), result);
    var limits = new Limits(900_000, 50_000, 1500, 0);
    var tuning =
        new Tuning(results, Pick.of(results, limits), limits, 8, 8, 1, List.of(0.0), List.of());
    Path file = dir.resolve("ahead.json");
    write(file, tuning, eval.spec());
    PlanFile.Plan plan = PlanFile.read(file);
    assertThat(plan.representation()).isEqualTo(ahead.representation());
    assertThat(plan.loading()).containsEntry("readers", "16").containsEntry("cache", "lru:9MiB");
  }

  @Test
  void everyNumberIsInThePlan() throws IOException {
    Path file = dir.resolve("plan.json");
    Files.writeString(file, "old");
    write(file, tuning(true), "center_crop=8");
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactlyInAnyOrder(file, dir.resolve("data"));
    }
    JsonNode plan = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(plan.path("headrace_plan").asString()).isEqualTo("1");
    assertThat(plan.path("samples").asLong()).isEqualTo(1000);
    assertThat(plan.path("sampled").asLong()).isEqualTo(64);
    assertThat(plan.path("disk_bytes_per_second").asDouble()).isEqualTo(25_000_000);
    JsonNode limits = plan.path("limits");
    assertThat(limits.path("storage_bytes").asLong()).isEqualTo(90_000);
    assertThat(limits.path("memory_bytes").asLong()).isEqualTo(50_000);
    assertThat(limits.path("consumer_samples_per_second").asDouble()).isEqualTo(1500);
    assertThat(limits.path("min_quality").asDouble()).isEqualTo(0.9);
    JsonNode original = plan.path("candidates").get(0);
    assertThat(original.path("measured").asDouble()).isEqualTo(1000);
    assertThat(original.path("rates").valueStream().map(JsonNode::asDouble))
        .containsExactly(1000.0, 900.0, 1200.0);
    assertThat(original.path("spread").asDouble()).isEqualTo(0.3);
    assertThat(original.path("store_bound").asDouble()).isEqualTo(250);
    assertThat(original.path("bytes").asDouble()).isEqualTo(100);
    assertThat(original.path("total_bytes").asDouble()).isEqualTo(100_000);
    assertThat(original.path("read_seconds").asDouble()).isEqualTo(0.0001);
    assertThat(original.path("decode_seconds").asDouble()).isEqualTo(0.0008);
    assertThat(original.path("transform_seconds").asDouble()).isEqualTo(0.0002);
    assertThat(original.path("objection").asString()).isEqualTo("over the storage limit");
    JsonNode webp = plan.path("candidates").get(1);
    assertThat(webp.path("predicted").asDouble()).isEqualTo(2345.5);
    assertThat(webp.path("quality").asDouble()).isEqualTo(0.93);
    assertThat(webp.has("store_bound")).isFalse();
    assertThat(webp.path("objection").asString()).isEmpty();
    assertThat(plan.path("candidates").get(2).path("objection").asString())
        .isEqualTo("below the quality limit");
    assertThat(webp.path("convert_seconds").asDouble()).isEqualTo(1.5);
    assertThat(plan.path("untried").get(0).path("why").asString())
        .isEqualTo("predicted 12 samples/s, others more");
    assertThat(plan.path("pick").path("load").path("encoding").asString()).startsWith("webp");
    assertThat(plan.path("pick").path("command").asString()).contains("headrace load");
    assertThat(plan.path("pick").path("name").asString()).isEqualTo("webp");
    assertThat(plan.path("pick").path("passed_over").get(0).path("name").asString())
        .isEqualTo("small");
    assertThat(plan.path("pick").path("passed_over").get(0).path("why").asString())
        .isEqualTo("its SSIM is 0.500, and the quality limit is 0.900");
    assertThat(plan.path("spread").asDouble()).isEqualTo(0.3);
    assertThat(plan.path("processors_taken_by_others").path("most").asDouble()).isEqualTo(0.05);
    assertThat(plan.path("conditions").asString())
        .contains("differ by up to 30 % (highest and lowest of 3)")
        .doesNotContain("busy");
  }

  @Test
  void whatIsNotKnownIsNotWritten() {
    Map<String, Object> plan = PlanFile.toMap(tuning(false), "train", OpenOptions.DEFAULT);
    assertThat(plan.get("processors_taken_by_others")).isEqualTo(Map.of());
    assertThat(String.valueOf(plan.get("conditions"))).contains("is not known on this system");
  }

  @Test
  void aPlanIsReadAsItWasWritten() throws IOException {
    Path file = dir.resolve("plan.json");
    write(file, tuning(true), "center_crop=8");
    PlanFile.Plan plan = PlanFile.read(file);
    assertThat(plan.representation()).isEqualTo(WEBP);
    assertThat(plan.pipeline()).isEqualTo("center_crop=8");
    Result only = Made.result("original", 100, 1, Made.FITS, 1000);
    var limits = new Limits(Long.MAX_VALUE, 1, 0, 0);
    Tuning unchanged =
        new Tuning(
            List.of(only), Pick.of(List.of(only), limits), limits, 1, -1, 1, List.of(), List.of());
    write(file, unchanged, "train");
    assertThat(PlanFile.read(file).representation()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"headrace_plan\":\"2\"}", "{\"pick\":{}}"})
  void whatIsNoPlanIsNamed(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("other.json"), text);
    assertThatThrownBy(() -> PlanFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + " is not a plan");
    assertThatThrownBy(() -> PlanFile.read(dir.resolve("none.json")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no plan at");
  }

  @Test
  void theReportSaysWhatTheTableSays() {
    Report report =
        TuningReport.of(tuning(true), "headline", "photos", Map.of("CPU", "two"), List.of());
    assertThat(report.title()).isEqualTo("headline");
    assertThat(report.advice()).contains("Use webp").contains("differ by up to 30 %");
    Report.Table table = report.sections().getFirst().table();
    assertThat(table).isNotNull();
    if (table != null) {
      assertThat(table.marked()).containsExactly(1);
      assertThat(table.rows())
          .extracting(List::getFirst)
          .containsExactly("original", "webp", "small");
      assertThat(table.rows())
          .extracting(row -> row.get(4))
          .containsExactly(1000.0, 2000.0, 4000.0);
      assertThat(table.rows())
          .extracting(List::getLast)
          .containsExactly(
              "over the storage limit; repeats differ by 30 %",
              "repeats differ by 10 %",
              "faster, but not picked: its SSIM is 0.500, and the quality limit is 0.900; repeats"
                  + " differ by 0 %");
      assertThat(table.rows().getFirst().get(6)).isEqualTo("storage");
    }
    Report.Figure stages = report.sections().get(1).figure();
    assertThat(stages).isNotNull();
    if (stages != null) {
      assertThat(stages.points().getFirst().y()).isEqualTo(0.1);
    }
    assertThat(report.cards()).extracting(Report.Card::value).contains("1,500");
  }
}
