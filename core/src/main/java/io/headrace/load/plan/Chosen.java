package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.Sequence;
import io.headrace.order.WeightedDraw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The samples that a [Choice] leaves, in the order of the epoch or drawn by their weights.
final class Chosen implements Selection {
  private final OrderSpec order;
  private final long seed;
  private final int @Nullable [] numbers;
  private final @Nullable WeightedDraw draw;
  private final long size;

  /// @throws ConfigException if the dataset has no such samples, or their weights make no sense
  Chosen(LoadSetting setting) {
    LoadOptions options = setting.options();
    Choice choice = options.choice();
    Dataset dataset = setting.dataset();
    order = options.order();
    seed = options.seed();
    if (choice.drawn() && !(order instanceof OrderSpec.Full)) {
      throw new ConfigException(
          "order %s with weights, by which samples are drawn at random: leave the order out"
              .formatted(order));
    }
    if (dataset.size() > Integer.MAX_VALUE - 8) {
      throw new ConfigException(
          "%d samples are too many for a subset or weights".formatted(dataset.size()));
    }
    int all = (int) dataset.size();
    try {
      SubsetSpec part = choice.part();
      numbers = part == null ? null : picked(part, dataset);
      double[] weights =
          switch (choice.weights()) {
            case Choice.Weights.Equal() -> null;
            case Choice.Weights.Balanced() -> balanced(dataset, numbers);
            case Choice.Weights.Given(var given) -> of(given, all, numbers);
          };
      draw = weights == null ? null : new WeightedDraw(weights);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int count = numbers == null ? all : numbers.length;
    size = choice.samples() > 0 ? choice.samples() : count;
  }

  private static int[] picked(SubsetSpec part, Dataset dataset) throws IOException {
    long[] picked = Picks.of(part, dataset).numbers();
    if (picked.length == 0) {
      throw new ConfigException(
          "subset %s: no class of %s has so many samples".formatted(part.text(), dataset.root()));
    }
    return Arrays.stream(picked).mapToInt(Math::toIntExact).toArray();
  }

  private static double[] balanced(Dataset dataset, int @Nullable [] numbers) throws IOException {
    long[] labels = new long[numbers == null ? (int) dataset.size() : numbers.length];
    Map<Long, Integer> classes = new HashMap<>();
    try (Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int i = 0; i < labels.length; i++) {
        reader.describe(numbers == null ? i : numbers[i], sample);
        if (sample.label() < 0) {
          throw new ConfigException(
              "weights that balance classes: %s has no label".formatted(sample.key()));
        }
        labels[i] = sample.label();
        classes.merge(sample.label(), 1, Integer::sum);
      }
    }
    return Arrays.stream(labels)
        .mapToDouble(label -> 1.0 / classes.getOrDefault(label, 1))
        .toArray();
  }

  private static double[] of(double[] given, int all, int @Nullable [] numbers) {
    if (given.length != all) {
      throw new ConfigException(
          "%d weights for a dataset of %d samples: expected one for each"
              .formatted(given.length, all));
    }
    double[] weights =
        numbers == null ? given : Arrays.stream(numbers).mapToDouble(i -> given[i]).toArray();
    if (!(Arrays.stream(weights).sum() > 0)) {
      throw new ConfigException("weights whose sum is 0: expected some above 0");
    }
    return weights;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int run() {
    return 1;
  }

  @Override
  public Sequence epoch(long number) {
    Sequence sequence =
        draw == null ? Permutation.of(order, size, seed, number) : draw.epoch(size, seed, number);
    return numbers == null ? sequence : new Picked(sequence, numbers);
  }

  /// A sequence over numbers of samples.
  @SuppressWarnings("ArrayRecordComponent") // large, and never compared
  private record Picked(Sequence places, int[] numbers) implements Sequence {
    @Override
    public long size() {
      return places.size();
    }

    @Override
    public long at(long position) {
      return numbers[(int) places.at(position)];
    }

    @Override
    public long turn(long position, long epoch) {
      return places.turn(position, epoch);
    }
  }
}
