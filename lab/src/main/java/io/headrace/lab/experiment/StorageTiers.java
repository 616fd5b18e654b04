package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.rate;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.ConsumerRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Paper B, Fig. 3a and 3b: two trainers fed from hard disk, flash disk and memory.
final class StorageTiers extends Experiment {
  static final List<String> TIERS = List.of("HDD", "SSD", "memory");
  private static final List<String> TRAINERS = List.of("v100-resnet50", "v100-alexnet");

  /// The paper's images a second at its most workers, by trainer and tier.
  private static final double[][] PAPER = {{201, 1059, 1063}, {202, 2580, 4682}};

  StorageTiers() {
    super("storage-tiers", "How much of a trainer's rate do storage and workers leave?");
  }

  /// {@return how a tier is spelt as a store}
  static String store(Setup setup, String tier) {
    return switch (tier) {
      case "HDD" -> setup.hdd();
      case "SSD" -> setup.ssd();
      default -> "page";
    };
  }

  private static Trial trial(Setup setup, String trainer, String tier, int threads) {
    return setup
        .trial()
        .with(Key.CONSUMER, trainer)
        .with(Key.STORE, store(setup, tier))
        .with(Key.THREADS, threads);
  }

  private static List<Integer> workers(Setup setup) {
    return List.copyOf(new TreeSet<>(List.of(1, (setup.threads() + 1) / 2, setup.threads())));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    List<Trial> trials = new ArrayList<>();
    for (String trainer : TRAINERS) {
      for (String tier : TIERS) {
        for (int threads : workers(setup)) {
          trials.add(trial(setup, trainer, tier, threads));
        }
      }
    }
    return new Data(setup, bench.run(name(), trials), facts);
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B25",
            "throughput of ResNet-50 and AlexNet by storage and workers",
            "Fig. 3a, b",
            this::all),
        new Claim(
            "B26",
            "HDD is slower than SSD by 5× (ResNet-50) and 13× (AlexNet)",
            "5×, 13×",
            this::slower),
        new Claim(
            "B27", "AlexNet could take twice what the fastest loader gives", "1.8×", this::unfed));
  }

  private static double at(Data data, int trainer, String tier) {
    return data.rate(trial(data.setup(), TRAINERS.get(trainer), tier, data.setup().threads()));
  }

  private Verdict all(Data data) {
    double hdd = at(data, 1, "HDD");
    double ssd = at(data, 1, "SSD");
    double memory = at(data, 1, "memory");
    return Verdict.of(
        hdd < ssd && ssd <= 1.1 * memory,
        "%s, %s, %s".formatted(rate(hdd), rate(ssd), rate(memory)),
        "AlexNet from HDD, SSD and memory: each tier at least as fast as the one before");
  }

  private Verdict slower(Data data) {
    double resnet = at(data, 0, "SSD") / at(data, 0, "HDD");
    double alexnet = at(data, 1, "SSD") / at(data, 1, "HDD");
    return Verdict.of(
        resnet >= 4 && alexnet >= 10,
        times(resnet) + ", " + times(alexnet),
        format(
            "%d threads prepare %s from memory, which bounds what the SSD is worth",
            data.setup().threads(), rate(at(data, 1, "memory"))));
  }

  private Verdict unfed(Data data) {
    double fastest = TIERS.stream().mapToDouble(tier -> at(data, 1, tier)).max().orElseThrow();
    double ratio = ConsumerRate.parse(TRAINERS.get(1)).samplesPerSecond() / fastest;
    return Verdict.of(
        ratio >= 1.6,
        times(ratio),
        format("the fastest loader gives %s of the 8,508/s that AlexNet takes", rate(fastest)));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Report.Section> sections = new ArrayList<>();
    for (int i = 0; i < TRAINERS.size(); i++) {
      List<Point> points = new ArrayList<>();
      for (int k = 0; k < TIERS.size(); k++) {
        for (int threads : workers(data.setup())) {
          Summary summary = data.of(trial(data.setup(), TRAINERS.get(i), TIERS.get(k), threads));
          points.add(summary.point(TIERS.get(k), threads + " workers", threads));
        }
        points.add(
            new Point(TIERS.get(k), "the paper, 40 workers", data.setup().threads(), PAPER[i][k])
                .asReference());
      }
      sections.add(
          Report.lines(
              "Fig. 3%s: %s".formatted(i == 0 ? "a" : "b", TRAINERS.get(i)),
              "Hollow: the paper's, with 40 workers. Devices deliver as many images a second as"
                  + " the paper's did.",
              "decode workers, threads; log throughput, images/s",
              points));
    }
    return sections;
  }
}
