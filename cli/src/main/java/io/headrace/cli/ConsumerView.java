package io.headrace.cli;

import io.headrace.load.ConsumerRate;
import io.headrace.load.EpochReport;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/// How well an epoch fed its consumer.
final class ConsumerView {
  private ConsumerView() {}

  static void print(PrintWriter out, ConsumerRate consumer, EpochReport report) {
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

  static void put(Map<String, Object> view, ConsumerRate consumer, EpochReport report) {
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
