package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.report.Words;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Paper B, Fig. 10: compression and a better cache, alone and together.
final class Orthogonality extends Experiment {
  private static final List<String> SCENARIOS = List.of("default", "MinIO", "JPEG", "both");

  /// Numbers of the scenarios: bit 0 for MinIO, bit 1 for JPEG.
  private static final List<Integer> ALL = List.of(0, 1, 2, 3);

  /// A trainer and where its data lie.
  private record Case(String name, String consumer, String tier, List<Double> paper) {}

  /// Rates of the trainers are those the paper reached with data in memory.
  private static final List<Case> CASES =
      List.of(
          new Case("ResNet-50, HDD", "1175/s", "HDD", List.of(120.0, 228.0, 762.0, 1044.0)),
          new Case("ResNet-18, HDD", "2941/s", "HDD", List.of(133.0, 272.0, 493.0, 1352.0)),
          new Case("AlexNet, HDD", "8508/s", "HDD", List.of(139.0, 262.0, 388.0, 1174.0)),
          new Case("AlexNet, SSD", "8508/s", "SSD", List.of(2623.0, 2608.0, 3124.0, 3193.0)));

  Orthogonality() {
    super("orthogonality", "Do lossy compression and a cache that does not evict help each other?");
  }

  private static Trial trial(Setup setup, Case on, int scenario, int quality, double memory) {
    String cache = (scenario & 1) == 1 ? "minio" : "lru";
    return setup
        .stored(scenario >= 2 ? "jpeg:" + quality : "keep")
        .with(Key.CONSUMER, on.consumer())
        .with(Key.STORE, StorageTiers.store(setup, on.tier()))
        .with(Key.CACHE, format("%s:%.0f", cache, memory));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    int quality = (int) facts.of("quality", () -> halving(bench));
    // 64 of 67.5 GiB, as in the paper
    double memory = bench.memory(facts, 64 / 67.5, trial(setup, CASES.getFirst(), 2, quality, 1e6));
    List<Trial> trials =
        Setup.product(CASES, ALL, (on, scenario) -> trial(setup, on, scenario, quality, memory));
    return new Data(setup, bench.run(name(), trials), facts);
  }

  /// {@return the highest quality that halves the dataset, as JPEG 85 does ImageNet}
  private static double halving(Bench bench) throws IOException, InterruptedException {
    Case any = CASES.getFirst();
    double whole = bench.runner().prepare(trial(bench.setup(), any, 0, 0, 1e6)).bytes();
    return bench.fitting(
        Variants.QUALITIES, 0.52 * whole, quality -> trial(bench.setup(), any, 2, quality, 1e6));
  }

  private static Trial trial(Data data, Case on, int scenario) {
    return trial(data.setup(), on, scenario, (int) data.fact("quality"), data.fact("memory"));
  }

  private static double at(Data data, Case on, int scenario) {
    return data.rate(trial(data, on, scenario));
  }

  /// {@return the rate of both over the second best}
  private static double gain(Data data, Case on) {
    double second = Math.max(at(data, on, 0), Math.max(at(data, on, 1), at(data, on, 2)));
    return at(data, on, 3) / second;
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B49",
            "MinIO: a fixed subset that stays; hits are the share that fits",
            "",
            this::hits),
        new Claim(
            "B50", "default, MinIO, JPEG 85, both × three trainers, HDD and SSD", "16", this::all),
        new Claim(
            "B51",
            "both: up to 3× the second best; on SSD no gain, no harm",
            "1.4×, 2.7×, 3.0×, 1.0×",
            this::together));
  }

  private Verdict hits(Data data) {
    Run run = data.of(trial(data, CASES.getFirst(), 1)).runs().getLast();
    double fits = data.fact("memory") / run.conversion().bytes();
    return Verdict.of(
        Math.abs(run.hitRate() - fits) < 0.06,
        percent(run.hitRate()),
        format("hits of the original under MinIO, of which %s fits", percent(fits)));
  }

  private Verdict all(Data data) {
    long count =
        Setup.product(CASES, ALL, (on, scenario) -> at(data, on, scenario)).stream()
            .filter(rate -> rate > 0)
            .count();
    return Verdict.of(count == 16, String.valueOf(count), "trials measured");
  }

  private Verdict together(Data data) {
    List<Double> gains = CASES.stream().map(on -> gain(data, on)).toList();
    double most = Collections.max(gains.subList(0, 3));
    return Verdict.of(
        most >= 1.4 && gains.getLast() > 0.9 && gains.getLast() < 1.25,
        String.join(", ", gains.stream().map(Words::times).toList()),
        format(
            "JPEG %.0f halves the photos as JPEG 85 does ImageNet; %d threads bound the rest",
            data.fact("quality"), data.setup().threads()));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    for (Case on : CASES) {
      for (int scenario : ALL) {
        String name = SCENARIOS.get(scenario);
        points.add(new Point(name, on.name(), 0, at(data, on, scenario)));
        points.add(
            new Point(name + ", paper", on.name(), 0, on.paper().get(scenario)).asReference());
      }
    }
    return List.of(
        Report.bars("Fig. 10: compression and MinIO", "", "trainer; throughput, images/s", points));
  }
}
