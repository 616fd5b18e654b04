package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.Sequence;
import io.headrace.order.WeightedDraw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The samples that a [Choice] leaves, in the order of the epoch or drawn by their weights.
final class Chosen implements Selection {
  /// Draws the samples of a share, whatever the seed.
  private static final long SHARE_STREAM = 0x737562736574L;

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
      numbers =
          switch (choice.part()) {
            case Choice.Part.All() -> null;
            case Choice.Part.Share(var share) -> share(share, all);
            case Choice.Part.Numbers(var given) -> checked(given, all);
            case Choice.Part.Keys(var keys) -> found(keys, dataset);
          };
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

  private static int[] share(BigDecimal share, int all) {
    int count =
        share.multiply(BigDecimal.valueOf(all)).setScale(0, RoundingMode.HALF_UP).intValueExact();
    if (count == 0) {
      throw new ConfigException(
          "a subset of %s of %d samples has none".formatted(share.toPlainString(), all));
    }
    Permutation shuffled = Permutation.of(all, SHARE_STREAM, 0);
    int[] drawn = new int[count];
    for (int i = 0; i < count; i++) {
      drawn[i] = (int) shuffled.at(i);
    }
    Arrays.sort(drawn);
    return drawn;
  }

  private static int[] checked(long[] given, int all) {
    var seen = new BitSet();
    int[] checked = new int[given.length];
    for (int i = 0; i < given.length; i++) {
      if (given[i] >= all) {
        throw new ConfigException(
            "sample %d of a subset: expected numbers below %d".formatted(given[i], all));
      }
      checked[i] = (int) given[i];
      if (seen.get(checked[i])) {
        throw new ConfigException(
            "sample %d twice in a subset: weights say how often a sample comes"
                .formatted(given[i]));
      }
      seen.set(checked[i]);
    }
    if (given.length == 0) {
      throw new ConfigException("a subset without samples");
    }
    return checked;
  }

  private static int[] found(List<String> keys, Dataset dataset) throws IOException {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      places.put(SampleIds.of(keys.get(i)), i);
    }
    long[] numbers = new long[keys.size()];
    Arrays.fill(numbers, -1);
    describe(
        dataset,
        null,
        (number, sample) -> {
          Integer place = places.get(sample.id());
          if (place != null) {
            numbers[place] = number;
          }
        });
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0) {
        throw new ConfigException(
            "key '%s' of a subset: %s has no such sample, or it comes twice"
                .formatted(keys.get(i), dataset.root()));
      }
    }
    return checked(numbers, (int) dataset.size());
  }

  private static double[] balanced(Dataset dataset, int @Nullable [] numbers) throws IOException {
    int count = numbers == null ? (int) dataset.size() : numbers.length;
    long[] labels = new long[count];
    Map<Long, Integer> classes = new HashMap<>();
    int[] place = {0};
    describe(
        dataset,
        numbers,
        (_, sample) -> {
          if (sample.label() < 0) {
            throw new ConfigException(
                "weights that balance classes: %s has no label".formatted(sample.key()));
          }
          labels[place[0]++] = sample.label();
          classes.merge(sample.label(), 1, Integer::sum);
        });
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

  /// Told of a sample's key and label.
  @FunctionalInterface
  private interface Described {
    void accept(int number, Sample sample);
  }

  /// Reads keys and labels, of all samples if there are no numbers.
  private static void describe(Dataset dataset, int @Nullable [] numbers, Described told)
      throws IOException {
    int count = numbers == null ? (int) dataset.size() : numbers.length;
    try (Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int i = 0; i < count; i++) {
        int number = numbers == null ? i : numbers[i];
        reader.describe(number, sample);
        told.accept(number, sample);
      }
    }
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
