package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A tuning as a report shows it.
public final class TuningReport {
  private TuningReport() {}

  /// One epoch that was loaded.
  ///
  /// @param name such as `original, round 2`
  /// @param samplesPerSecond delivered rate
  /// @param stallShare share of the epoch that the consumer waited, 0 to 1
  /// @param bottleneck of the rate
  public record EpochRow(
      String name, double samplesPerSecond, double stallShare, String bottleneck) {}

  /// {@return what the report shows}
  ///
  /// @param dataset where the samples came from, for people
  /// @param machine facts that belong beside the figures
  /// @param title headline
  /// @param epochs loaded before and after; may be empty
  public static Report of(
      Tuning tuning,
      String title,
      String dataset,
      Map<String, String> machine,
      List<EpochRow> epochs) {
    List<Report.Section> sections = new ArrayList<>(List.of(candidates(tuning), stages(tuning)));
    if (!epochs.isEmpty()) {
      sections.add(epochs(epochs));
    }
    return new Report(
        title,
        tuning.samples() < 0 ? dataset : format("%s, %,d samples", dataset, tuning.samples()),
        tuning.pick().advice() + " " + tuning.conditions(),
        limits(tuning),
        sections,
        machine);
  }

  private static Report.Section candidates(Tuning tuning) {
    List<Point> points = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    int picked = tuning.results().indexOf(tuning.pick().result());
    for (Result result : tuning.results()) {
      String name = result.candidate().name();
      boolean feasible = Pick.objection(result, tuning.limits()).isEmpty();
      String series =
          result.equals(tuning.pick().result())
              ? "picked"
              : result.equals(tuning.results().getFirst()) ? "original" : "candidate";
      var point = new Point(series, name, result.totalBytes(), result.rate());
      points.add(feasible ? point : point.asReference());
      rows.add(
          List.of(
              name,
              result.costs().bytes(),
              result.totalBytes(),
              result.quality(),
              result.measured(),
              result.predicted(),
              result.storeBound() ? "storage" : result.bottleneck().label(),
              note(result, tuning)));
    }
    return Report.points(
            "Storage against throughput",
            "Up and to the left is better. Hollow: not within the limits.",
            "log whole dataset, bytes; log throughput, samples/s",
            points)
        .with(
            Report.Table.of(
                "representation; a sample|bytes; whole dataset|bytes; SSIM|; "
                    + "measured|samples/s; predicted|samples/s; bottleneck; note",
                rows,
                List.of(picked)));
  }

  private static Report.Section stages(Tuning tuning) {
    List<Point> points = new ArrayList<>();
    for (Result result : tuning.results()) {
      String name = result.candidate().name();
      points.add(new Point("read", name, 0, 1000 * result.costs().miss().read()));
      points.add(new Point("decode", name, 0, 1000 * result.costs().miss().decode()));
      points.add(new Point("transform", name, 0, 1000 * result.costs().miss().transform()));
    }
    return Report.stacks(
        "Where the time goes",
        "Thread time that one sample costs in each stage.",
        "representation; thread time of a sample, ms",
        points);
  }

  private static Report.Section epochs(List<EpochRow> epochs) {
    return Report.bars(
            "Before and after",
            "Samples a second that reached the trainer.",
            "round; throughput, samples/s",
            epochs.stream()
                .map(
                    e ->
                        new Point(
                            e.name().startsWith("original") ? "original" : "converted",
                            e.name(),
                            0,
                            e.samplesPerSecond()))
                .toList())
        .with(
            "round; throughput|samples/s; trainer waited|share; bottleneck",
            epochs.stream()
                .map(
                    e ->
                        List.<Object>of(
                            e.name(), e.samplesPerSecond(), e.stallShare(), e.bottleneck()))
                .toList());
  }

  private static String note(Result result, Tuning tuning) {
    List<String> notes = new ArrayList<>();
    tuning.pick().passedOver().stream()
        .filter(passed -> passed.result().equals(result))
        .forEach(passed -> notes.add("faster, but not picked: " + passed.why()));
    String objection = Pick.objection(result, tuning.limits());
    if (notes.isEmpty() && !objection.isEmpty()) {
      notes.add(objection);
    }
    if (notes.isEmpty() && result.storeBound()) {
      notes.add(format("not in memory: the disk feeds %,.0f samples/s", result.storeRate()));
    }
    if (result.rates().size() > 1) {
      notes.add(format("repeats differ by %.0f %%", 100 * result.spread()));
    }
    return String.join("; ", notes);
  }

  private static List<Report.Card> limits(Tuning tuning) {
    Limits given = tuning.limits();
    return List.of(
        new Report.Card(
            "Storage",
            given.storageBytes() == Long.MAX_VALUE ? "no limit" : mebibytes(given.storageBytes()),
            "allowed"),
        new Report.Card("Memory", mebibytes(given.memoryBytes()), "for data"),
        new Report.Card("Quality", format("%.2f", given.minQuality()), "mean SSIM at least"),
        new Report.Card(
            "Trainer",
            given.consumer() == 0 ? "takes all" : format("%,.0f", given.consumer()),
            given.consumer() == 0 ? "it gets" : "samples/s"));
  }

  private static String mebibytes(long bytes) {
    return format("%,d MiB", bytes >> 20);
  }
}
