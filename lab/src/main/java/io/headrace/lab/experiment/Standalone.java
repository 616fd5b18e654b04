package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.rate;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Paper B, Fig. 3c: what fetching and decoding alone give, by storage and quality, where only the
/// compressed variants fit into memory.
final class Standalone extends Experiment {
  private static final List<String> TIERS = StorageTiers.TIERS;

  /// Qualities that may stand for the paper's QF 75, which takes 35 % of ImageNet.
  private static final List<Integer> QUALITIES = List.of(75, 50, 25);

  private static final List<String> NAMES = List.of("original", "QF 75", "QF 10");

  /// The paper's images a second, by variant and tier.
  private static final double[][] PAPER = {
    {204, 1931, 2461}, {2954, 2989, 2973}, {3364, 3287, 3377}
  };

  Standalone() {
    super("standalone", "Does storage still matter once a compressed variant fits into memory?");
  }

  /// Decodes, and resizes to 224, as the paper's standalone loader does.
  private static Trial trial(Setup setup, String encoding, String tier, double memory) {
    return setup
        .stored(encoding)
        .with(Key.PIPELINE, "resize=224x224,uint8,hwc")
        .with(Key.STORE, StorageTiers.store(setup, tier))
        .with(Key.CACHE, tier.equals("memory") ? "none" : format("lru:%.0f", memory));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    double memory = bench.memory(facts, Setup.MEMORY, trial(setup, "keep", "memory", 0));
    // the highest whose variant memory holds
    facts.keep(
        "quality",
        () -> bench.fitting(QUALITIES, memory, q -> trial(setup, "jpeg:" + q, "memory", 0)));
    List<Trial> trials =
        Setup.product(
            List.of(0, 1, 2),
            TIERS,
            (variant, tier) -> trial(setup, encoding(facts, variant), tier, memory));
    return new Data(setup, bench.run(name(), trials), facts);
  }

  private static String encoding(Facts facts, int variant) {
    return switch (variant) {
      case 0 -> "keep";
      case 1 -> format("jpeg:%.0f", facts.get("quality"));
      default -> "jpeg:10";
    };
  }

  private static Trial trial(Data data, int variant, String tier) {
    return trial(data.setup(), encoding(data.facts(), variant), tier, data.fact("memory"));
  }

  private static double at(Data data, int variant, String tier) {
    return data.rate(trial(data, variant, tier));
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
        "%s to %s".formatted(rate(low), rate(high)),
        "the original from HDD is the slowest, QF 10 from memory among the fastest");
  }

  private Verdict gained(Data data) {
    double memory = gain(data, "memory");
    double ssd = gain(data, "SSD");
    double hdd = gain(data, "HDD");
    return Verdict.of(
        hdd > ssd && ssd >= memory - 0.05 && hdd > 3,
        format("%+.0f, %+.0f, %+.0f %%", 100 * memory, 100 * ssd, 100 * hdd),
        format(
            "JPEG %.0f is the highest quality that memory holds here, as QF 75 is there",
            data.fact("quality")));
  }

  private Verdict same(Data data) {
    List<Double> apart =
        Stream.of(1, 2)
            .map(variant -> TIERS.stream().map(tier -> at(data, variant, tier)).toList())
            .map(Statistics::apart)
            .toList();
    return Verdict.of(
        apart.stream().allMatch(a -> a < 0.15),
        format("%.0f %%, %.0f %%", 100 * apart.getFirst(), 100 * apart.getLast()),
        "how far the three storages lie apart, of the two variants that fit");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    for (int variant = 0; variant < NAMES.size(); variant++) {
      for (int k = 0; k < TIERS.size(); k++) {
        String tier = TIERS.get(k);
        points.add(data.of(trial(data, variant, tier)).point(NAMES.get(variant), tier, 0));
        points.add(
            new Point(NAMES.get(variant) + ", paper", tier, 0, PAPER[variant][k]).asReference());
      }
    }
    return List.of(
        Report.bars(
            "Fig. 3c: fetching and decoding alone",
            format(
                "Memory holds 44 %% of the original, as in the paper; JPEG %.0f stands for its QF"
                    + " 75.",
                data.fact("quality")),
            "storage; throughput, images/s",
            points));
  }
}
