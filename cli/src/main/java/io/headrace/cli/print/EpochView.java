package io.headrace.cli.print;

import io.headrace.load.ConsumerRate;
import io.headrace.load.EpochReport;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.SkippedSample;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An epoch's report as JSON shows it, and how well the epoch fed its consumer.
public final class EpochView {
  private EpochView() {}

  private static Map<String, @Nullable Object> cache(CacheReading cache) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", cache.name());
    map.put("hits", cache.hits());
    map.put("misses", cache.misses());
    map.put("extended", cache.extended());
    map.put("hit_rate", cache.hitRate());
    map.put("predicted_hit_rate", Double.isNaN(cache.predicted()) ? null : cache.predicted());
    map.put("predicted_is_estimate", cache.estimated());
    map.put("used_bytes", cache.usedBytes());
    map.put("capacity", cache.capacity());
    return map;
  }

  public static Map<String, Object> of(EpochReport report) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("epoch", report.epoch());
    map.put("delivered", report.delivered());
    map.put("skipped", report.skipped());
    map.put("substituted", report.substituted());
    map.put("padded", report.padded());
    map.put("dropped", report.dropped());
    map.put("unlabelled", report.unlabelled());
    if (!report.missing().isEmpty()) {
      map.put("missing", report.missing());
    }
    if (!report.outside().isEmpty()) {
      map.put("outside", report.outside());
    }
    map.put("decoding", report.decoding().label());
    map.put("began", report.began());
    map.put("seconds", report.seconds());
    map.put("samples_per_second", report.samplesPerSecond());
    map.put("bytes_read", report.bytesRead());
    map.put(
        "fidelities",
        report.fidelities().stream()
            .map(
                f ->
                    Map.of(
                        "groups", f.groups(),
                        "samples", f.samples(),
                        "bytes", f.bytes(),
                        "bytes_a_sample", f.meanBytes()))
            .toList());
    map.put("cache", cache(report.cache()));
    map.put("bottleneck", report.bottleneck().label());
    map.put("queue_occupancy", report.queueOccupancy());
    map.put("digest", report.digest());
    map.put("set_digest", report.setDigest());
    map.put("verified", report.verified());
    map.put("contradiction", report.contradiction());
    Map<String, Object> stages = new LinkedHashMap<>();
    report
        .stages()
        .forEach(
            stage ->
                stages.put(
                    stage.stage().name().toLowerCase(Locale.ROOT),
                    Map.of(
                        "seconds", stage.seconds(),
                        "cpu_seconds", stage.cpuSeconds(),
                        "items", stage.items(),
                        "bytes", stage.bytes())));
    map.put("stages", stages);
    List<Object> faults = new ArrayList<>();
    for (SkippedSample fault : report.faults()) {
      faults.add(
          Map.of(
              "where", fault.where().toString(),
              "fault", fault.fault().name(),
              "reason", fault.reason()));
    }
    map.put("faults", faults);
    return map;
  }

  /// Prints how well an epoch fed its consumer.
  public static void print(PrintWriter out, ConsumerRate consumer, EpochReport report) {
    if (!consumer.unbounded()) {
      double waited = waitedShare(consumer, report);
      out.printf(
          Locale.ROOT,
          "  %-10s takes %s samples/s: it waited %.1f %% of the time, goodput %.1f %%%n",
          "consumer",
          Units.rate(consumer.samplesPerSecond()),
          100 * waited,
          100 * (1 - waited));
    }
  }

  /// Puts the same into the view of an epoch.
  public static void put(Map<String, Object> view, ConsumerRate consumer, EpochReport report) {
    if (!consumer.unbounded()) {
      double waited = waitedShare(consumer, report);
      view.put(
          "consumer",
          Map.of(
              "name",
              consumer.name(),
              "samples_per_second",
              consumer.samplesPerSecond(),
              "stall_share",
              waited,
              "goodput",
              1 - waited));
    }
  }

  /// {@return the share of the time in which the consumer waited, of that and its own work}
  private static double waitedShare(ConsumerRate consumer, EpochReport report) {
    double waited =
        report.stages().stream()
            .filter(stage -> stage.stage() == Stage.STALL)
            .mapToDouble(StageReading::seconds)
            .sum();
    double worked = report.delivered() / consumer.samplesPerSecond();
    return waited + worked > 0 ? waited / (waited + worked) : 0;
  }
}
