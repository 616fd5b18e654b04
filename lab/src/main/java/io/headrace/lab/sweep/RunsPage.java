package io.headrace.lab.sweep;

import static io.headrace.lab.report.Words.format;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Run;
import io.headrace.meter.Stage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// A file of runs as its report shows it.
public final class RunsPage {
  /// What a representation's name says already.
  private static final Set<Key> NAMED =
      EnumSet.of(Key.FORMAT, Key.ENCODING, Key.RESIZE, Key.COMPRESSION, Key.STEPS);

  private RunsPage() {}

  /// {@return what the report shows: medians of each trial over its runs}
  ///
  /// @param runs at least one that counts
  /// @param title headline
  /// @param command that made the file; empty if it is not known
  public static Report of(Runs runs, String title, String command) {
    List<Summary> summaries = runs.summaries();
    Set<Key> varied = Sweep.varied(summaries.stream().map(Summary::trial).toList());
    varied.removeAll(NAMED);
    List<Point> rates = new ArrayList<>();
    List<Point> sizes = new ArrayList<>();
    List<Point> stages = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    int fastest = 0;
    for (Summary summary : summaries) {
      String label = label(summary, varied);
      String series = summary.trial().get(Key.ENCODING);
      Median rate = summary.median(Run::rate);
      double y = rate.value();
      rates.add(summary.point(series, label, 0));
      sizes.add(summary.point(series, label, summary.bytesPerSample()));
      for (Stage stage : List.of(Stage.READ, Stage.DECODE, Stage.TRANSFORM)) {
        stages.add(
            new Point(
                stage.name().toLowerCase(Locale.ROOT),
                label,
                0,
                1000 * summary.value(run -> run.cpu(stage))));
      }
      fastest = y > summaries.get(fastest).rate() ? rows.size() : fastest;
      rows.add(
          List.of(
              label,
              summary.bytesPerSample(),
              y,
              rate.low(),
              rate.high(),
              summary.value(Run::bytesPerSecond),
              1000 * summary.value(run -> run.cpuSeconds() / run.samples()),
              summary.value(Run::stallShare),
              summary.value(Run::goodput),
              summary.value(Run::hitRate),
              summary.conversionSeconds(),
              summary.commonest(Run::bottleneck),
              summary.trial().command()));
    }
    Map<String, String> machine = new LinkedHashMap<>(runs.machine());
    if (!command.isEmpty()) {
      machine.put("Command", command);
    }
    return new Report(
        title,
        format(
            "%,d trials, %,d runs that count",
            summaries.size(), summaries.stream().mapToInt(s -> s.runs().size()).sum()),
        "",
        List.of(),
        List.of(
            Report.stacks(
                "Throughput",
                "Medians. The table has the intervals that hold the true median in 95 of 100 cases;"
                    + " of fewer than six runs, the lowest and the highest.",
                "trial; throughput, samples/s",
                rates),
            Report.points(
                "Storage against throughput",
                "Up and to the left is better.",
                "log stored, bytes a sample; log throughput, samples/s",
                sizes),
            Report.stacks(
                "Where the processors' time goes", "", "trial; CPU time of a sample, ms", stages),
            new Report.Section(
                "All trials", "", null, Report.Table.of(COLUMNS, rows, List.of(fastest)))),
        machine);
  }

  private static final String COLUMNS =
      "trial; stored|bytes; throughput|samples/s; from|samples/s; to|samples/s; read a"
          + " second|bytes; CPU|ms a sample; consumer waited|share; goodput|share; cache"
          + " hits|share; conversion|s; bottleneck; the same by hand";

  private static String label(Summary summary, Set<Key> varied) {
    if (!varied.contains(Key.DATASET)) {
      return summary.trial().label(varied);
    }
    Set<Key> others = EnumSet.copyOf(varied);
    others.remove(Key.DATASET);
    return summary.trial().dataset().getFileName() + ", " + summary.trial().label(others);
  }
}
