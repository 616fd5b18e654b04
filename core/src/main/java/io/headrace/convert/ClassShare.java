package io.headrace.convert;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many samples of each class are taken: the first ones by key, whatever the case of letters.
/// So does "The Art of Losing to Win" bring a dataset into a budget of storage.
///
/// @param percent of each class, rounded down; null if `count` says it
/// @param count of each class, where it has so many
public record ClassShare(@Nullable BigDecimal percent, long count) {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /// What is taken of a dataset.
  ///
  /// @param subset a view of these samples; closing it leaves the dataset open
  /// @param of samples that there are
  /// @param classes that there are, samples without a label counting as one
  /// @param without labels of classes of which none is taken
  public record Taken(Subset subset, long of, int classes, List<Long> without) {}

  /// A sample by what decides about it.
  private record Place(String key, long number) {}

  /// {@return the share of a text such as `30%` or `100`}
  ///
  /// @throws ConfigException if it makes no sense
  public static ClassShare parse(String text) {
    String spelt = text.strip();
    try {
      if (spelt.endsWith("%")) {
        var percent = new BigDecimal(spelt.substring(0, spelt.length() - 1).strip());
        if (percent.signum() > 0 && percent.compareTo(HUNDRED) <= 0) {
          return new ClassShare(percent, 0);
        }
      } else if (Long.parseLong(spelt) > 0) {
        return new ClassShare(null, Long.parseLong(spelt));
      }
    } catch (NumberFormatException e) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static ConfigException wrong(String text) {
    return new ConfigException(
        "subset '%s': expected a percentage of each class, such as 30%%, or a number, such as 100"
            .formatted(text));
  }

  /// {@return how many are taken of a class of so many}
  long of(long samples) {
    return percent == null
        ? Math.min(count, samples)
        : percent
            .multiply(BigDecimal.valueOf(samples))
            .divide(HUNDRED, 0, RoundingMode.FLOOR)
            .longValue();
  }

  /// Looks at the keys and labels of all samples, in a pass of its own where the dataset only
  /// streams. A sample that cannot be read is taken, so that whoever reads the subset says so.
  public Taken of(Dataset dataset) throws IOException {
    Map<Long, List<Place>> classes = new TreeMap<>();
    List<Long> picks = new ArrayList<>();
    long all = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      if (dataset.indexed()) {
        try (Dataset.SampleReader reader = dataset.openReader()) {
          for (; all < dataset.size(); all++) {
            try {
              reader.describe(all, sample);
              note(classes, sample, all);
            } catch (CorruptDataException e) {
              picks.add(all); // reading it says so again
            }
          }
        }
      } else {
        for (int shard = 0; shard < dataset.shards().size(); shard++) {
          try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
            for (boolean more = true; more; ) {
              try {
                more = cursor.next(sample);
                if (more) {
                  note(classes, sample, all++);
                }
              } catch (CorruptDataException e) {
                picks.add(all++);
                more = cursor.resumable();
              }
            }
          }
        }
      }
    }
    List<Long> without = new ArrayList<>();
    classes.forEach(
        (label, places) -> {
          long taken = of(places.size());
          places.sort(
              Comparator.comparing(Place::key, String.CASE_INSENSITIVE_ORDER)
                  .thenComparing(Place::key)
                  .thenComparingLong(Place::number));
          places.stream().limit(taken).forEach(place -> picks.add(place.number()));
          if (taken == 0) {
            without.add(label);
          }
        });
    long[] numbers = picks.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(numbers);
    return new Taken(
        new Subset(dataset, numbers, "the first " + this + " of each class by name"),
        all,
        classes.size(),
        List.copyOf(without));
  }

  private static void note(Map<Long, List<Place>> classes, Sample sample, long number) {
    classes
        .computeIfAbsent(sample.label(), label -> new ArrayList<>())
        .add(new Place(sample.key(), number));
  }

  @Override
  public String toString() {
    return percent == null ? String.valueOf(count) : percent.toPlainString() + "%";
  }
}
