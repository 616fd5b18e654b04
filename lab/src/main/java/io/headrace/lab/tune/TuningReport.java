package io.headrace.lab.tune;

import io.headrace.lab.report.ReportData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A tuning as a report shows it.
public final class TuningReport {
  private TuningReport() {}

  /// {@return what the report shows}
  ///
  /// @param dataset where the samples came from, for people
  /// @param machine facts that belong beside the figures
  /// @param title headline
  /// @param epochs loaded before and after; may be empty
  public static ReportData of(
      Tuning tuning,
      String title,
      String dataset,
      Map<String, String> machine,
      List<ReportData.EpochRow> epochs) {
    List<ReportData.Row> rows = new ArrayList<>();
    Result original = tuning.results().getFirst();
    for (Result result : tuning.results()) {
      String objection = Pick.objection(result, tuning.limits());
      rows.add(
          new ReportData.Row(
              result.candidate().name(),
              result.costs().bytes(),
              result.totalBytes(),
              result.quality(),
              result.predicted(),
              result.measured(),
              1000 * result.costs().miss().read(),
              1000 * result.costs().miss().decode(),
              1000 * result.costs().miss().transform(),
              result.storeBound() ? "storage" : result.bottleneck().label(),
              objection.isEmpty(),
              note(result, tuning),
              result.equals(original),
              result.equals(tuning.pick().result())));
    }
    return new ReportData(
        title,
        dataset,
        tuning.samples(),
        tuning.pick().advice() + " " + tuning.conditions(),
        limits(tuning),
        machine,
        rows,
        epochs,
        tuning.limits().consumer());
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
      notes.add(
          String.format(
              Locale.ROOT, "not in memory: the disk feeds %,.0f samples/s", result.storeRate()));
    }
    if (result.rates().size() > 1) {
      notes.add(String.format(Locale.ROOT, "repeats differ by %.0f %%", 100 * result.spread()));
    }
    return String.join("; ", notes);
  }

  private static Map<String, String> limits(Tuning tuning) {
    Map<String, String> limits = new LinkedHashMap<>();
    Limits given = tuning.limits();
    limits.put(
        "Storage",
        given.storageBytes() == Long.MAX_VALUE ? "no limit" : mebibytes(given.storageBytes()));
    limits.put("Memory for data", mebibytes(given.memoryBytes()));
    limits.put(
        "Quality", String.format(Locale.ROOT, "mean SSIM of at least %.2f", given.minQuality()));
    limits.put(
        "Trainer",
        given.consumer() == 0
            ? "takes all it gets"
            : String.format(Locale.ROOT, "%,.0f samples/s", given.consumer()));
    return limits;
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
  }
}
