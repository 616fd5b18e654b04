package io.headrace.cli;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;

/// Warns that samples are stored class by class where an order that stays near the stored one is to
/// train on them. Batches have few classes then, which costs accuracy.
final class ClassOrder {
  /// Neighbours whose labels are compared.
  private static final int PAIRS = 64;

  /// Share of neighbours of one class from which on samples lie class by class.
  private static final double SAME = 0.9;

  /// Chance of that in a random order from which on one class has nearly all samples.
  private static final double CHANCE = 0.6;

  private ClassOrder() {}

  /// @param pipeline warned about only if it has random steps, as for training
  static void warn(PrintWriter err, Dataset dataset, OrderSpec order, Pipeline pipeline)
      throws IOException {
    boolean trains = pipeline.firstRandomStep() < pipeline.steps().size();
    if (order instanceof OrderSpec.Full || !trains || !dataset.indexed()) {
      return;
    }
    if (classByClass(dataset)) {
      err.println(
          "warning: samples are stored class by class, and the order %s stays near that: batches"
                  .formatted(order)
              + " have few classes. convert --shuffle SEED stores them mixed");
      err.flush();
    }
  }

  private static boolean classByClass(Dataset dataset) throws IOException {
    long size = dataset.size();
    if (size < 2 * PAIRS) {
      return false;
    }
    int same = 0;
    Map<Long, Integer> classes = new HashMap<>();
    try (Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int pair = 0; pair < PAIRS; pair++) {
        long at = (size - 2) * pair / (PAIRS - 1);
        try {
          reader.describe(at, sample);
          long label = sample.label();
          int _ = classes.merge(label, 1, Integer::sum);
          reader.describe(at + 1, sample);
          same += sample.label() == label ? 1 : 0;
        } catch (CorruptDataException e) {
          return false; // loading says what is wrong
        }
      }
    }
    double chance = 0;
    for (int count : classes.values()) {
      chance += (double) count * count / PAIRS / PAIRS;
    }
    return same >= SAME * PAIRS && chance < CHANCE;
  }
}
