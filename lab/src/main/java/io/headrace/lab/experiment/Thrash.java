package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.HitRates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Paper B, Fig. 2: what is read in an epoch when memory holds a share of the dataset, in random
/// and in sequential order.
final class Thrash extends Experiment {
  private static final List<Integer> SHARES = List.of(20, 40, 60, 80, 95, 110);
  private static final String RANDOM = "full";
  private static final String SEQUENTIAL = "buffer:4";

  /// GiB of the paper's dataset.
  private static final double DATASET = 145.7;

  /// What the paper's logs have: GiB of page cache (less 1), GiB read by the random loader, GiB
  /// read by the sequential one; at limits of 16 to 160 GiB in steps of 16. The logs give the
  /// sequential one's six lowest limits as a range, of which the middle stands here.
  private static final double[][] LOGGED = {
    {1.8, 145.6, 145.55},
    {17.4, 145.2, 145.55},
    {33.2, 142.9, 145.55},
    {48.8, 138.5, 145.55},
    {64.2, 131.6, 145.55},
    {80.0, 121.6, 145.55},
    {95.9, 107.8, 144.0},
    {111.9, 88.4, 142.0},
    {127.9, 61.1, 141.4},
    {143.4, 16.5, 0.4}
  };

  Thrash() {
    super(
        "thrash",
        "How much does a cache of the samples used last save when it cannot hold them all?");
  }

  private static Trial trial(Setup setup, String order, int share, double bytes) {
    return setup
        .trial()
        .with(Key.ORDER, order)
        .with(Key.FORMAT, "race")
        .with(Key.CACHE, format("lru:%.0f", bytes * share / 100));
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    double bytes =
        facts.of("bytes", () -> bench.runner().prepare(trial(setup, RANDOM, 100, 1e6)).bytes());
    List<Trial> trials =
        Setup.product(
            List.of(RANDOM, SEQUENTIAL),
            SHARES,
            (order, share) -> trial(setup, order, share, bytes));
    return new Data(setup, bench.run(name(), trials), facts);
  }

  private static double hits(Data data, String order, int share) {
    return data.of(trial(data.setup(), order, share, data.fact("bytes")))
        .value(run -> run.hitRate());
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B22",
            "reading an epoch against memory, random and sequential",
            "Fig. 2",
            this::formula),
        new Claim(
            "B23",
            "sequential: no gain until all fits; random: less than in proportion",
            "",
            this::finding),
        new Claim("B24", "logged GiB at limits of 16 to 160 GiB", "145.6 … 16.5", this::logged));
  }

  private Verdict formula(Data data) {
    double worst = 0;
    for (int share : SHARES) {
      double expected = HitRates.lruShuffled(Math.min(1, share / 100.0));
      worst = Math.max(worst, Math.abs(hits(data, RANDOM, share) - expected));
    }
    return Verdict.of(
        worst < 0.08,
        format("%.1f points", 100 * worst),
        "largest difference of measured hits to c + (1 − c) ln(1 − c)");
  }

  private Verdict finding(Data data) {
    double half = hits(data, SEQUENTIAL, 80);
    double all = hits(data, SEQUENTIAL, 110);
    double random = hits(data, RANDOM, 80);
    return Verdict.of(
        half < 0.2 && all > 0.95 && random < 0.75 && random > 0.2,
        percent(half) + ", " + percent(random),
        format(
            "hits where 80 %% fit, sequential and random; sequential has %s where all fits",
            percent(all)));
  }

  private Verdict logged(Data data) {
    double worst = 0;
    for (double[] row : LOGGED) {
      double expected = DATASET * (1 - HitRates.lruShuffled(row[0] / DATASET));
      worst = Math.max(worst, Math.abs(expected - row[1]) / DATASET);
    }
    return Verdict.of(
        worst < 0.05,
        format("%.1f %%", 100 * worst),
        "largest difference of the formula to the logs, as a share of the dataset");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    for (String order : List.of(RANDOM, SEQUENTIAL)) {
      for (int share : SHARES) {
        points.add(
            new Point(
                order.equals(RANDOM) ? "random" : "sequential",
                "memory of %d %%".formatted(share),
                share,
                100 * (1 - hits(data, order, share))));
      }
    }
    for (double[] row : LOGGED) {
      double x = 100 * row[0] / DATASET;
      points.add(new Point("random", "the paper's logs", x, 100 * row[1] / DATASET).asReference());
      points.add(
          new Point("sequential", "the paper's logs", x, 100 * row[2] / DATASET).asReference());
    }
    for (int share = 0; share <= 100; share += 5) {
      points.add(
          new Point(
              "formula",
              "(1 − c)(1 − ln(1 − c))",
              share,
              100 * (1 - HitRates.lruShuffled(share / 100.0))));
    }
    return List.of(
        Report.lines(
            "Fig. 2: what an epoch reads",
            "Hollow: the paper's logs, 145.7 GiB of ImageNet.",
            "memory, % of the dataset; read in an epoch, % of the dataset",
            points));
  }
}
