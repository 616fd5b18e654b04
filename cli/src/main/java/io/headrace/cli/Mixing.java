package io.headrace.cli;

import io.headrace.cli.watch.LoadMonitor;
import io.headrace.error.ConfigException;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.EpochOrder;
import io.headrace.order.ShuffleQuality;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Loads epochs and looks at how they are mixed.
final class Mixing {
  private final int batchSize;
  private @Nullable EpochOrder last;
  private @Nullable EpochOrder before;
  private int[] labels = new int[1024];
  private int count;

  Mixing(LoadOptions options) {
    if (options.world() > 1) {
      throw new ConfigException("--shuffle-quality looks at whole epochs: leave --rank out");
    }
    batchSize = options.batchSize();
  }

  EpochReport run(Loader loader, long number, LoadMonitor watch) throws IOException {
    before = last;
    count = 0;
    try (Epoch epoch = loader.epoch(number)) {
      last = epoch.order();
      watch.begin(epoch, number);
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        for (int slot = 0; slot < batch.size(); slot++) {
          add(batch.label(slot));
        }
        watch.batch(epoch, batch.size());
        batch.close();
      }
      EpochReport report = epoch.report();
      watch.end(report);
      return report;
    }
  }

  private void add(long label) {
    if (label < 0 || label > 1 << 20) {
      return; // no class, or no number of one
    }
    if (count == labels.length) {
      labels = Arrays.copyOf(labels, 2 * count);
    }
    labels[count++] = (int) label;
  }

  void print(PrintWriter out) {
    EpochOrder order = last;
    EpochOrder previous = before;
    if (order != null) {
      out.printf(
          Locale.ROOT,
          "  mixing     correlation with disk order %.3f%s (a full shuffle: 0 ± %.3f)%n",
          ShuffleQuality.diskCorrelation(order.count(), order::sampleAt),
          previous == null
              ? ""
              : String.format(
                  Locale.ROOT,
                  ", with the epoch before %.3f",
                  ShuffleQuality.epochCorrelation(
                      (int) order.count(), order::sampleAt, previous::sampleAt)),
          1 / Math.sqrt((double) Math.max(1, order.count())));
    }
    if (count > 0) {
      out.printf(
          Locale.ROOT,
          "             classes in batches vary %.2f times as much as in a full shuffle%n",
          ShuffleQuality.classImbalance(Arrays.copyOf(labels, count), batchSize));
    }
    out.flush();
  }
}
