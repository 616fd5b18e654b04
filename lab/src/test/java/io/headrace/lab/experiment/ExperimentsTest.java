package io.headrace.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.experiment.Verdict.Outcome;
import io.headrace.lab.report.Report;
import io.headrace.lab.sweep.Runs;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

final class ExperimentsTest {
  @TempDir private Path dir = Path.of(".");

  static List<Experiment> all() {
    return Experiments.all();
  }

  private Data nothing() throws IOException {
    var setup = new Setup(dir, dir, null, Size.TINY, 2, 40_000);
    return new Data(setup, new Runs(Map.of(), List.of()), new Facts(dir.resolve("facts.json")));
  }

  private static Verdict judged(Experiment experiment, String id, Data data) {
    return experiment.claims().stream()
        .filter(claim -> claim.id().equals(id))
        .findFirst()
        .orElseThrow()
        .judge(data);
  }

  /// The rows that have to have a verdict.
  @Test
  void everyRowThatIsAskedForIsJudged() {
    Set<String> judged = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (Experiment experiment : Experiments.all()) {
      assertThat(names.add(experiment.name())).as(experiment.name()).isTrue();
      assertThat(experiment.question()).endsWith("?");
      for (Claim claim : experiment.claims()) {
        assertThat(claim.id()).matches("[A-D]\\d+");
        assertThat(judged.add(claim.id())).as("one verdict on " + claim.id()).isTrue();
      }
    }
    List<String> asked = new ArrayList<>(List.of("C30", "C31", "D3", "D7", "D8", "D9", "D11"));
    for (int i = 29; i <= 48; i++) {
      asked.add("A" + i);
    }
    for (int i :
        new int[] {
          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 49, 50, 51, 52, 53, 54, 55,
          57, 58, 59
        }) {
      asked.add("B" + i);
    }
    for (int i = 31; i <= 48; i++) {
      asked.add("B" + i);
    }
    for (int i = 4; i <= 12; i++) {
      asked.add("C" + i);
    }
    asked.addAll(List.of("C27", "C32", "C33", "C34", "C35", "D5", "D6", "D12"));
    assertThat(judged).containsAll(asked);
  }

  /// Law: without data a claim is open, unless it is arithmetic on the paper's own numbers.
  @ParameterizedTest
  @MethodSource("all")
  void nothingHoldsWithoutData(Experiment experiment) throws IOException {
    Set<String> arithmetic = Set.of("B24", "B32", "B39", "B40");
    for (Claim claim : experiment.claims()) {
      Verdict verdict = claim.judge(nothing());
      assertThat(verdict.outcome())
          .as(claim.id() + ": " + verdict.reason())
          .isEqualTo(arithmetic.contains(claim.id()) ? Outcome.HOLDS : Outcome.OPEN);
      assertThat(verdict.reason()).isNotEmpty();
    }
  }

  /// "62 h" are 62.4 h: with 62 h the logged epochs would not come out.
  @Test
  void budgetsAreThoseOfTheLogs() throws IOException {
    Verdict hours = judged(new TimeBudget(), "B39", nothing());
    assertThat(hours.measured()).isEqualTo("[34, 86, 179, 179, 180, 180]");
    assertThat(hours.reason()).contains("62 h would give [33, 86, 178, 178, 178, 178]");
    assertThat(judged(new TimeBudget(), "B40", nothing()).measured()).isEqualTo("[34, 5, 10, 34]");
    assertThat(judged(new Thrash(), "B24", nothing()).measured()).isEqualTo("4.0 %");
  }

  @Test
  void variantsAreMadeOnceAndJudged() throws IOException, InterruptedException {
    Path photos = Photos.few(dir.resolve("photos"), 1, 2);
    List<String> said = new ArrayList<>();
    var experiment = new Variants();
    Finding first;
    try (var bench = new Bench(dir.resolve("out"), photos, null, Size.TINY, said::add)) {
      first = Finding.of(experiment, bench);
    }
    assertThat(first.failure()).isEmpty();
    assertThat(first.verdicts()).hasSameSizeAs(experiment.claims());
    assertThat(first.verdicts()).noneMatch(verdict -> verdict.outcome() == Outcome.OPEN);
    assertThat(first.verdicts().getFirst().measured()).isEqualTo("11");
    assertThat(judgedOf(first, "B19").outcome()).isEqualTo(Outcome.HOLDS);
    Report.Figure figure = first.sections().getFirst().figure();
    assertThat(figure == null ? List.of() : figure.points()).hasSize(20);
    try (var bench = new Bench(dir.resolve("out"), photos, null, Size.TINY, said::add)) {
      assertThat(Finding.of(experiment, bench).verdicts())
          .as("from the file, times included")
          .isEqualTo(first.verdicts());
      bench.clear();
    }
    assertThat(said).containsExactly("photos as PNG");
    assertThat(dir.resolve("out/work")).doesNotExist();
    assertThat(dir.resolve("out/runs/variants.facts.json")).exists();
  }

  /// Table IV: whole photos beside crops, pixels beside headers.
  @Test
  void codecsAreMeasuredOnWholePhotosAndOnCrops() throws IOException, InterruptedException {
    Path photos = dir.resolve("small");
    try (Dataset one = Datasets.open(Photos.few(dir.resolve("photos"), 1, 1))) {
      var small = Representation.of("folder", "none", "jpeg:96", "shortest=60");
      var _ = new Converter(one, ConvertOptions.of(photos, small, 1)).run();
    }
    var experiment = new LearnedCodecs();
    try (var bench = new Bench(dir.resolve("out"), photos, null, Size.TINY, line -> {})) {
      Finding found = Finding.of(experiment, bench);
      assertThat(found.failure()).isEmpty();
      assertThat(judgedOf(found, "B52").reason()).contains("lossyless gives no image");
      assertThat(judgedOf(found, "B53").outcome()).isEqualTo(Outcome.HOLDS);
      assertThat(judgedOf(found, "B58").outcome()).isNotEqualTo(Outcome.OPEN);
      Facts facts = bench.facts(experiment.name());
      for (String encoding : List.of("jpeg:10", "webp:50", "avif:85")) {
        assertThat(facts.get("header " + encoding)).as(encoding).isPositive();
        assertThat(facts.get("crop bytes " + encoding))
            .as("224 x 224 against 60 x 90")
            .isGreaterThan(facts.get("whole bytes " + encoding));
        assertThat(facts.get("whole similarity " + encoding)).isBetween(0.5, 1.0);
      }
    }
  }

  /// What the numbers say, by hand: originals of 40,000 bytes, so that 17,587 are the paper's.
  @Test
  void learnedCodecsAreJudgedByWhatTheyTake() throws IOException {
    Map<String, Double> facts = new TreeMap<>();
    for (String codec : List.of("jpeg", "webp", "learned:mbt2018")) {
      boolean learned = codec.startsWith("learned");
      int[] qualities = learned ? new int[] {1, 4, 8} : new int[] {10, 50, 85};
      for (int rank = 0; rank < 3; rank++) {
        String encoding = codec + ":" + qualities[rank];
        double bytes = (learned ? 1000 : 2000) << rank;
        facts.put("whole bytes " + encoding, bytes);
        facts.put("crop bytes " + encoding, bytes / 4);
        for (String what : List.of("whole ", "crop ")) {
          facts.put(what + "encode " + encoding, learned ? 0.5 : 0.001);
          facts.put(what + "decode " + encoding, learned ? 0.6 : 0.002);
          facts.put(what + "similarity " + encoding, 0.9);
        }
        facts.put("header " + encoding, 0.00002);
      }
    }
    Path file = dir.resolve("facts.json");
    Files.writeString(file, JsonMapper.shared().writeValueAsString(facts));
    var experiment = new LearnedCodecs();
    Data data = nothing();
    assertThat(judged(experiment, "B52", data).reason())
        .startsWith("bmshj2018-factorized, bmshj2018-hyperprior, mbt2018-mean, cheng2020-anchor,");
    assertThat(judged(experiment, "B54", data))
        .isEqualTo(
            Verdict.of(
                true,
                "2.00×, 2.00×, 2.00×",
                "whole photos, the best learned codec against the better of JPEG and WebP;"
                    + " MS-SSIM 0.900 against 0.900, 0.900 against 0.900, 0.900 against 0.900 of"
                    + " WebP"));
    assertThat(judged(experiment, "B55", data).outcome()).isEqualTo(Outcome.HOLDS);
    assertThat(judged(experiment, "B55", data).measured()).isEqualTo("10,552 s");
    assertThat(judged(experiment, "B57", data).measured()).isEqualTo("4.0 to 4.0×");
    Verdict decoded = judged(experiment, "B58", data);
    assertThat(decoded.outcome()).as(decoded.toString()).isEqualTo(Outcome.FAILS);
    assertThat(decoded.measured()).isEqualTo("0.36×, 0.36×"); // 2801 s against 222.4 times 35.2 s
    assertThat(decoded.reason()).contains("100 and 100 times");
    assertThat(judged(experiment, "B59", data).measured()).isEqualTo("500 to 500×");
    Report.Table table = experiment.show(data).getFirst().table();
    assertThat(table == null ? List.of() : table.rows()).hasSize(27);
  }

  private static Verdict judgedOf(Finding finding, String id) {
    List<String> ids = finding.experiment().claims().stream().map(Claim::id).toList();
    return finding.verdicts().get(ids.indexOf(id));
  }

  @Test
  void anExperimentThatFailsLeavesItsClaimsOpen() throws IOException, InterruptedException {
    Path photos = Photos.few(dir.resolve("photos"), 2, 2);
    try (var bench = new Bench(dir.resolve("out"), photos, null, Size.TINY, line -> {})) {
      Files.writeString(dir.resolve("out/runs/thrash.facts.json"), "no facts");
      Finding finding = Finding.of(new Thrash(), bench);
      assertThat(finding.failure()).contains("thrash.facts.json is not a file of facts");
      assertThat(finding.verdicts())
          .hasSize(3)
          .allMatch(verdict -> verdict.outcome() == Outcome.OPEN)
          .allMatch(verdict -> verdict.reason().startsWith("it failed: ConfigException"));
      Report report = EvidencePage.report(List.of(finding), Map.of());
      assertThat(report.cards()).extracting(Report.Card::value).containsExactly("0", "0", "3");
      assertThat(PapersPage.of(List.of(finding), Map.of("CPU", "a|b")))
          .contains("CPU a|b")
          .contains(
              "| B23 | sequential: no gain until all fits; random: less than in proportion"
                  + " | – | – | not measured | it failed: ")
          .contains("`headrace experiment thrash` |")
          .doesNotContain("{{measured}}");
    }
  }

  @Test
  void aClaimThatFailsStopsNothing() throws IOException {
    var claim =
        new Claim(
            "A1",
            "that",
            "",
            data -> {
              throw new IllegalStateException("no such thing");
            });
    Verdict verdict = claim.judge(nothing());
    assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
    assertThat(verdict.reason()).contains("no such thing");
  }

  @Test
  void anUnknownNameIsAnsweredWithAllNames() {
    assertThat(Experiments.named("liquid").name()).isEqualTo("liquid");
    assertThatThrownBy(() -> Experiments.named("fluid"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("no experiment 'fluid': expected zlib-strategies, zstandard,");
  }

  @Test
  void ranksCorrelate() {
    List<Double> up = List.of(1.0, 2.0, 3.0, 9.0);
    assertThat(Statistics.rankCorrelation(up, List.of(5.0, 6.0, 70.0, 800.0))).isEqualTo(1);
    assertThat(Statistics.rankCorrelation(up, List.of(9.0, 3.0, 2.0, 1.0))).isEqualTo(-1);
    assertThat(Statistics.rankCorrelation(up, List.of(1.0, 1.0, 1.0, 1.0))).isZero();
    // ranks 1, 2.5, 2.5, 4 against 2, 1, 3, 4: 1.5 · 0.5 + 1.5 · 1.5 over …
    assertThat(Statistics.rankCorrelation(List.of(1.0, 2.0, 2.0, 3.0), List.of(2.0, 1.0, 3.0, 4.0)))
        .isCloseTo(3 / Math.sqrt(4.5 * 5), within(1e-12));
  }
}
