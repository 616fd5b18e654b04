package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.format.Subset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.Permutation;
import java.io.IOException;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The samples of a dataset that a [SubsetSpec] asks for.
///
/// @param numbers of the samples, in the order of the list that asks for them, else ascending; of a
///     dataset that only streams, counted over its shards
/// @param all samples that there are
/// @param classes that there are, samples without a label counting as one; 0 where they do not
///     matter
/// @param without labels of classes of which none is taken
@SuppressWarnings("ArrayRecordComponent") // large, and never compared
public record Picks(long[] numbers, long all, int classes, List<Long> without) {
  /// Draws random samples, whatever the seed.
  private static final long STREAM = 0x737562736574L;

  /// A sample by what decides about it.
  private record Place(String key, long number) {}

  /// Told of a sample, with its key and label alone, or of null if it cannot be read.
  @FunctionalInterface
  private interface Described {
    void accept(long number, @Nullable Sample sample);
  }

  /// {@return a view of these samples in stored order; closing it leaves the dataset open}
  ///
  /// @param by which they were picked
  public Subset subset(Dataset whole, SubsetSpec by) {
    long[] ascending = numbers.clone();
    Arrays.sort(ascending);
    return new Subset(whole, ascending, by.rule());
  }

  /// Finds the samples. It looks at all keys and labels where that is needed, in a pass of its own
  /// where the dataset only streams.
  ///
  /// @throws ConfigException if the dataset has no such samples
  public static Picks of(SubsetSpec wanted, Dataset dataset) throws IOException {
    return switch (wanted) {
      case SubsetSpec.First(var amount) -> first(amount, dataset);
      case SubsetSpec.Random(var amount) -> random(amount, count(dataset));
      case SubsetSpec.Numbers(var numbers) -> checked(numbers, count(dataset));
      case SubsetSpec.Keys(var keys) -> found(keys, dataset);
    };
  }

  /// A sample that cannot be read is taken, so that whoever reads the subset says so.
  private static Picks first(SubsetSpec.Amount amount, Dataset dataset) throws IOException {
    Map<Long, List<Place>> classes = new TreeMap<>();
    LongStream.Builder picks = LongStream.builder();
    long all =
        describe(
            dataset,
            (number, sample) -> {
              if (sample == null) {
                picks.add(number);
              } else {
                classes
                    .computeIfAbsent(sample.label(), label -> new ArrayList<>())
                    .add(new Place(sample.key(), number));
              }
            });
    List<Long> without = new ArrayList<>();
    classes.forEach(
        (label, places) -> {
          long taken = amount.of(places.size(), RoundingMode.FLOOR);
          places.sort(
              Comparator.comparing(Place::key, String.CASE_INSENSITIVE_ORDER)
                  .thenComparing(Place::key)
                  .thenComparingLong(Place::number));
          places.stream().limit(taken).forEach(place -> picks.add(place.number()));
          if (taken == 0) {
            without.add(label);
          }
        });
    long[] numbers = picks.build().sorted().toArray();
    return new Picks(numbers, all, classes.size(), List.copyOf(without));
  }

  private static Picks random(SubsetSpec.Amount amount, long all) {
    long count = amount.of(all, RoundingMode.HALF_UP);
    if (count == 0) {
      throw new ConfigException("a subset of %s of %d samples has none".formatted(amount, all));
    }
    Permutation shuffled = Permutation.of(all, STREAM, 0);
    return listed(LongStream.range(0, count).map(shuffled::at).sorted().toArray(), all);
  }

  private static Picks checked(long[] given, long all) {
    long[] ascending = given.clone();
    Arrays.sort(ascending);
    for (int i = 0; i < ascending.length; i++) {
      if (ascending[i] >= all) {
        throw new ConfigException(
            "sample %d of a subset: expected numbers below %d".formatted(ascending[i], all));
      }
      if (i > 0 && ascending[i] == ascending[i - 1]) {
        throw new ConfigException(
            "sample %d twice in a subset: weights say how often a sample comes"
                .formatted(ascending[i]));
      }
    }
    return listed(given, all);
  }

  private static Picks found(List<String> keys, Dataset dataset) throws IOException {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      places.put(SampleIds.of(keys.get(i)), i);
    }
    long[] numbers = new long[keys.size()];
    Arrays.fill(numbers, -1);
    long all =
        describe(
            dataset,
            (number, sample) -> {
              Integer place = sample == null ? null : places.get(sample.id());
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
    return listed(numbers, all);
  }

  private static Picks listed(long[] numbers, long all) {
    if (numbers.length == 0) {
      throw new ConfigException("a subset without samples");
    }
    return new Picks(numbers, all, 0, List.of());
  }

  private static long count(Dataset dataset) throws IOException {
    return dataset.indexed() ? dataset.size() : describe(dataset, (_, _) -> {});
  }

  /// Reads all keys and labels.
  ///
  /// @return samples that there are
  private static long describe(Dataset dataset, Described told) throws IOException {
    long number = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      if (dataset.indexed()) {
        try (Dataset.SampleReader reader = dataset.openReader()) {
          for (; number < dataset.size(); number++) {
            told.accept(number, described(reader, number, sample));
          }
        }
        return number;
      }
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          for (boolean more = true; more; ) {
            try {
              more = cursor.next(sample);
              if (more) {
                told.accept(number++, sample);
              }
            } catch (CorruptDataException e) {
              told.accept(number++, null);
              more = cursor.resumable();
            }
          }
        }
      }
    }
    return number;
  }

  private static @Nullable Sample described(Dataset.SampleReader reader, long number, Sample into)
      throws IOException {
    try {
      reader.describe(number, into);
      return into;
    } catch (CorruptDataException e) {
      return null; // reading it says so again
    }
  }
}
