package io.headrace.lab.experiment;

import static io.headrace.lab.experiment.Words.format;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Axis;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Paper B, Fig. 3c: what fetching and decoding alone give, by storage and quality, where only the
/// compressed variants fit into memory.
final class Standalone implements Experiment {
  private static final List<String> TIERS = StorageTiers.TIERS;
  private static final List<String> VARIANTS = List.of("keep", "jpeg:75", "jpeg:10");
  private static final List<String> NAMES = List.of("original", "QF 75", "QF 10");

  /// The paper's images a second, by variant and tier.
  private static final double[][] PAPER = {
    {204, 1931, 2461}, {2954, 2989, 2973}, {3364, 3287, 3377}
  };

  @Override
  public String name() {
    return "standalone";
  }

  @Override
  public String question() {
    return "Does storage still matter once a compressed variant fits into memory?";
  }

  /// Decodes, and resizes to 224, as the paper's standalone loader does.
  private static Trial trial(Setup setup, int variant, String tier, double memory) {
    return setup
        .trial()
        .with(Key.FORMAT, "race")
        .with(Key.ENCODING, VARIANTS.get(variant))
        .with(Key.PIPELINE, "resize=224x224,uint8,hwc")
        .with(Key.STORE, StorageTiers.store(setup, tier))
        .with(Key.CACHE, tier.equals("memory") ? "none" : "lru:%.0f".formatted(memory));
  }

  @Override
  public Data measure(Bench bench) throws IOException, InterruptedException {
    Setup setup = bench.setup();
    Facts facts = bench.facts(name());
    // half way between QF 75 and the original, as the paper's 64 GiB lie between 51.3 and 145.7
    double memory =
        facts.of(
            "memory",
            () -> {
              double sum = 0;
              for (int variant : new int[] {0, 1}) {
                sum += bench.runner().prepare(trial(setup, variant, "memory", 0)).bytes();
              }
              return Math.floor(sum / 2);
            });
    List<Trial> trials = new ArrayList<>();
    for (int variant = 0; variant < VARIANTS.size(); variant++) {
      for (String tier : TIERS) {
        trials.add(trial(setup, variant, tier, memory));
      }
    }
    return new Data(setup, bench.run(setup.sweep(name(), trials)), facts);
  }

  private static double at(Data data, int variant, String tier) {
    return data.rate(trial(data.setup(), variant, tier, data.facts().get("memory")));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B28",
            "fetch and decode alone: original, QF 75, QF 10 by storage",
            "Fig. 3c",
            this::all),
        new Claim(
            "B29",
            "QF 75 against the original: +20 % memory, +55 % SSD, +1348 % HDD",
            "+20, +55, +1348 %",
            this::gained),
        new Claim(
            "B30",
            "a variant that fits into memory is as fast from every storage",
            "",
            this::same));
  }

  private static double gain(Data data, String tier) {
    return at(data, 1, tier) / at(data, 0, tier) - 1;
  }

  private Verdict all(Data data) {
    double low = at(data, 0, "HDD");
    double high = at(data, 2, "memory");
    return Verdict.of(
        low < at(data, 0, "SSD") && high >= 0.9 * at(data, 0, "memory"),
        "%s to %s".formatted(Words.rate(low), Words.rate(high)),
        "the original from HDD is the slowest, QF 10 from memory among the fastest");
  }

  private Verdict gained(Data data) {
    double memory = gain(data, "memory");
    double ssd = gain(data, "SSD");
    double hdd = gain(data, "HDD");
    return Verdict.of(
        hdd > ssd && ssd >= memory - 0.05 && hdd > 3,
        format("%+.0f, %+.0f, %+.0f %%", 100 * memory, 100 * ssd, 100 * hdd),
        "the slower the storage, the more the variant that fits into memory gains");
  }

  private Verdict same(Data data) {
    List<Double> apart = new ArrayList<>();
    for (int variant = 1; variant < VARIANTS.size(); variant++) {
      int which = variant;
      apart.add(Words.apart(TIERS.stream().map(tier -> at(data, which, tier)).toList()));
    }
    return Verdict.of(
        apart.stream().allMatch(a -> a < 0.15),
        format("%.0f %%, %.0f %%", 100 * apart.getFirst(), 100 * apart.getLast()),
        "how far the three storages lie apart, of QF 75 and of QF 10");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    for (int variant = 0; variant < VARIANTS.size(); variant++) {
      for (int k = 0; k < TIERS.size(); k++) {
        String tier = TIERS.get(k);
        var median =
            data.of(trial(data.setup(), variant, tier, data.facts().get("memory")))
                .median(Run::rate);
        points.add(
            new Point(
                NAMES.get(variant), tier, 0, median.value(), median.low(), median.high(), false));
        points.add(
            new Point(NAMES.get(variant) + ", paper", tier, 0, PAPER[variant][k]).asReference());
      }
    }
    return List.of(
        new Report.Section(
            "Fig. 3c: fetching and decoding alone",
            "Memory holds half of what lies between QF 75 and the original.",
            new Report.Figure(
                Report.Kind.BARS, Axis.of("storage"), Axis.of("throughput, images/s"), points),
            null));
  }
}
