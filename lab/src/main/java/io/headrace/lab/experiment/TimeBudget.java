package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.times;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// Paper B, Table III and Fig. 7: how long an epoch of each variant takes, how many fit into a
/// budget of time, and what is learned in these.
///
/// Trained is one model, for as many epochs as fit into the time in which the fastest variant has
/// all of its own.
final class TimeBudget extends Experiment {
  private static final List<String> VARIANTS =
      List.of("original", "QF85", "QF75", "QF50", "QF25", "QF10");

  /// Numbers of the variants.
  private static final List<Integer> ALL = List.of(0, 1, 2, 3, 4, 5);
  private static final List<String> TRAINERS =
      List.of("ResNet-50, HDD", "ResNet-18, HDD", "AlexNet, HDD", "AlexNet, SSD");
  private static final List<String> CONSUMERS = List.of("1175/s", "2941/s", "8508/s", "8508/s");

  /// Seconds of an epoch in the paper, by variant and trainer.
  private static final double[][] TABLE_3 = {
    {6585, 6585, 6585, 516},
    {2584, 2584, 2584, 265},
    {1251, 452, 215, 214},
    {1250, 449, 200, 201},
    {1248, 449, 192, 190},
    {1248, 448, 185, 186}
  };

  /// Epochs that the paper's logs have under 62.4 h of ResNet-50, by variant.
  private static final int[] LOGGED = {34, 86, 179, 179, 180, 180};

  /// Top-1 accuracies in percent of Fig. 7, by variant: ResNet-50 under 10, 20 and 62.4 h, AlexNet
  /// from SSD under 5 h.
  private static final double[][] FIG_7 = {
    {42.401, 67.285, 73.275, 72.919, 72.589, 69.827},
    {61.979, 73.925, 75.908, 75.524, 74.699, 72.742},
    {74.275, 76.368, 77.504, 76.975, 76.596, 73.807},
    {49.842, 52.868, 54.040, 54.178, 53.408, 52.124}
  };

  private static final double[] HOURS = {10, 20, 62.4, 5};
  private static final int[] TRAINER_OF_HOURS = {0, 0, 0, 3};

  TimeBudget() {
    super("time-budget", "How many epochs of which variant fit into a budget of time?");
  }

  private static Trial trial(Setup setup, int variant, int trainer, double memory) {
    return setup
        .stored(encoding(variant))
        .with(Key.CONSUMER, CONSUMERS.get(trainer))
        .with(Key.STORE, trainer == 3 ? setup.ssd() : setup.hdd())
        .with(Key.CACHE, format("lru:%.0f", memory));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    double memory = bench.memory(facts, Setup.MEMORY, trial(setup, 0, 0, 1e6));
    List<Trial> trials =
        Setup.product(
            List.of(0, 1, 2, 3), ALL, (trainer, variant) -> trial(setup, variant, trainer, memory));
    Runs runs = bench.run(name(), trials);
    var untrained = new Data(setup, runs, facts);
    double fastest = epoch(untrained, VARIANTS.size() - 1, 0);
    for (int variant : ALL) {
      double share = fastest / epoch(untrained, variant, 0);
      facts.keep(
          "epochs of " + VARIANTS.get(variant),
          (double) Math.max(1, Math.round(share * setup.study().epochs())));
    }
    return new Data(setup, runs, facts, bench.classroom().train(courses(setup, facts)));
  }

  private static String encoding(int variant) {
    return variant == 0 ? "keep" : "jpeg:" + Variants.QUALITIES.get(variant - 1);
  }

  /// {@return variants that are trained}
  private static List<Integer> trained(Setup setup) {
    return ALL.stream()
        .filter(variant -> setup.study().encodings().contains(encoding(variant)))
        .toList();
  }

  private static Course course(Setup setup, Facts facts, int variant) {
    int epochs = (int) facts.get("epochs of " + VARIANTS.get(variant));
    return Course.of(
        setup.study().model(), Course.PHOTOS, Course.Leg.of(epochs, encoding(variant)));
  }

  private static List<Course> courses(Setup setup, Facts facts) {
    return trained(setup).stream().map(variant -> course(setup, facts, variant)).toList();
  }

  /// {@return seconds of an epoch of as many images as the paper's}
  private static double epoch(Data data, int variant, int trainer) {
    return 1_281_167 / data.rate(trial(data.setup(), variant, trainer, data.fact("memory")));
  }

  /// {@return whole epochs in some hours}
  private static int epochs(double hours, double seconds) {
    return (int) Math.floor(hours * 3600 / seconds);
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B37",
            "epochs = whole epochs in the budget, by the mean epoch after warm-up",
            "",
            this::whole),
        new Claim(
            "B38", "the original takes 3× to 36× the time of QF 10", "3×–36×", this::slowdown),
        new Claim(
            "B39",
            "\"62 h\" = 180 epochs of the fastest variant = 62.4 h",
            "34, 86, 179, 179, 180, 180",
            this::hours),
        new Claim(
            "B40", "the original completes 34, 5, 10, 34 epochs", "34, 5, 10, 34", this::original),
        new Claim(
            "B41",
            "a variant that fits into memory wins each budget, by more than 3 points",
            "> 3 points",
            this::wins));
  }

  private Verdict whole(Data data) {
    List<Integer> ours = ALL.stream().map(variant -> epochs(10, epoch(data, variant, 0))).toList();
    return Verdict.of(
        ours.stream().allMatch(epochs -> epochs >= ours.getFirst()),
        ours.toString(),
        "epochs of ImageNet in 10 h of ResNet-50 from HDD, by variant");
  }

  private Verdict slowdown(Data data) {
    List<Double> ratios =
        Stream.of(0, 1, 2, 3)
            .map(trainer -> epoch(data, 0, trainer) / epoch(data, VARIANTS.size() - 1, trainer))
            .toList();
    double low = Collections.min(ratios);
    double high = Collections.max(ratios);
    double paperLow = TABLE_3[0][3] / TABLE_3[5][3];
    double paperHigh = TABLE_3[0][2] / TABLE_3[5][2];
    return Verdict.of(
        low >= 0.5 * paperLow && high >= 0.5 * paperHigh,
        times(low) + "–" + times(high),
        format(
            "the paper's own table has %.1f to %.1f; here %d threads bound QF 10",
            paperLow, paperHigh, data.setup().threads()));
  }

  private Verdict hours(Data data) {
    double budget = 180 * TABLE_3[5][0] / 3600;
    int[] at = Arrays.stream(TABLE_3).mapToInt(row -> epochs(budget, row[0])).toArray();
    int[] short62 = Arrays.stream(TABLE_3).mapToInt(row -> epochs(62, row[0])).toArray();
    return Verdict.of(
        Arrays.equals(at, LOGGED),
        Arrays.toString(at),
        format("under 62.4 h; 62 h would give %s", Arrays.toString(short62)));
  }

  private Verdict original(Data data) {
    int[] at = {
      epochs(5, TABLE_3[0][3]),
      epochs(10, TABLE_3[0][0]),
      epochs(20, TABLE_3[0][0]),
      epochs(62.4, TABLE_3[0][0])
    };
    return Verdict.of(
        Arrays.equals(at, new int[] {34, 5, 10, 34}),
        Arrays.toString(at),
        "AlexNet from SSD under 5 h, ResNet-50 from HDD under 10, 20, 62.4 h, by Table III");
  }

  /// {@return the smallest gap of the best variant to the original, by the accuracies of Fig. 7}
  private static double gapOfPaper() {
    return Arrays.stream(FIG_7)
        .mapToDouble(row -> Arrays.stream(row).max().orElseThrow() - row[0])
        .min()
        .orElseThrow();
  }

  private Verdict wins(Data data) {
    Setup setup = data.setup();
    double memory = data.fact("memory");
    List<String> words = new ArrayList<>();
    int best = 0;
    for (int variant : trained(setup)) {
      Course course = course(setup, data.facts(), variant);
      Score top = data.accuracy(course);
      if (top.above(data.accuracy(course(setup, data.facts(), best))) > 0) {
        best = variant;
      }
      words.add(format("%s, %d epochs: %s", VARIANTS.get(variant), course.epochs(), top));
    }
    Run stored = data.of(trial(setup, best, 0, memory)).runs().getLast();
    Score won = data.accuracy(course(setup, data.facts(), best));
    Score original = data.accuracy(course(setup, data.facts(), 0));
    return Verdict.of(
        stored.conversion().bytes() <= memory && won.above(original) > 3 && won.apart(original),
        format("%.1f points", won.above(original)),
        format(
            "%s, in the time of QF 10; the paper's smallest gap is %.1f",
            String.join("; ", words), gapOfPaper()));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<List<Object>> rows = new ArrayList<>();
    List<Point> points = new ArrayList<>();
    for (int trainer = 0; trainer < TRAINERS.size(); trainer++) {
      for (int variant : ALL) {
        double ours = epoch(data, variant, trainer);
        double paper = TABLE_3[variant][trainer];
        rows.add(List.of(VARIANTS.get(variant), TRAINERS.get(trainer), ours, paper));
        points.add(new Point(VARIANTS.get(variant), TRAINERS.get(trainer), 0, ours));
      }
    }
    List<Point> accuracy = new ArrayList<>();
    for (int i = 0; i < HOURS.length; i++) {
      for (int variant : ALL) {
        String budget = format("%s, %s h", TRAINERS.get(TRAINER_OF_HOURS[i]), HOURS[i]);
        double seconds = TABLE_3[variant][TRAINER_OF_HOURS[i]];
        accuracy.add(
            new Point(
                    budget,
                    "%s: %d epochs in the paper, %d at our rate"
                        .formatted(
                            VARIANTS.get(variant),
                            epochs(HOURS[i], seconds),
                            epochs(HOURS[i], epoch(data, variant, TRAINER_OF_HOURS[i]))),
                    epochs(HOURS[i], seconds),
                    FIG_7[i][variant])
                .asReference());
      }
    }
    List<Report.Section> sections = new ArrayList<>();
    if (!data.curves().isEmpty()) {
      sections.add(
          Course.bars(
              "Accuracy in a budget of time",
              Accuracy.note(data.setup()),
              data,
              courses(data.setup(), data.facts())));
    }
    sections.addAll(
        List.of(
            Report.bars(
                    "Table III: seconds of an epoch",
                    "Of 1,281,167 images, as in the paper.",
                    "trainer; epoch, seconds",
                    points)
                .with("variant; trainer; here|s; paper|s", rows),
            Report.points(
                "Fig. 7: epochs in a budget, and the paper's accuracy",
                "Accuracies are the paper's own.",
                "log whole epochs in the budget; top-1 accuracy, %",
                accuracy)));
    return sections;
  }
}
