package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How much of each sample is read: one number of fidelity groups for all, or several, each with
/// its probability. Which sample gets which is drawn from seed, epoch and the sample's number, so
/// it does not depend on threads, ranks or resuming.
///
/// @param parts at least one; the probabilities add up to 1
public record FidelityMix(List<Part> parts) {
  /// Groups that stand for all a sample has.
  public static final int ALL = Integer.MAX_VALUE;

  /// Every sample whole.
  public static final FidelityMix FULL = of(ALL);

  private static final long STREAM = 0x666964656c697479L; // apart from the draws of pixels

  /// One of several fidelities.
  ///
  /// @param groups to read, at least 1; more than a sample has mean all of them, as [#ALL]
  /// @param probability above 0, up to 1
  public record Part(int groups, double probability) {
    /// Checks the ranges.
    ///
    /// @throws ConfigException if a number makes no sense
    public Part {
      if (groups < 1 || !(probability > 0 && probability <= 1)) {
        throw new ConfigException(
            "fidelity %s with probability %s: expected at least 1, and above 0 up to 1"
                .formatted(groups, probability));
      }
    }

    private String name() {
      return groups == ALL ? "full" : Integer.toString(groups);
    }
  }

  /// Checks the sum.
  ///
  /// @throws ConfigException if the probabilities do not add up to 1
  public FidelityMix {
    parts = List.copyOf(parts);
    double sum = parts.stream().mapToDouble(Part::probability).sum();
    if (!(Math.abs(sum - 1) < 1e-6)) {
      throw new ConfigException(
          String.format(
              Locale.ROOT, "probabilities of fidelities add up to %.4f: expected 1", sum));
    }
  }

  /// {@return the same fidelity for every sample}
  ///
  /// @param groups to read, at least 1
  public static FidelityMix of(int groups) {
    return new FidelityMix(List.of(new Part(groups, 1)));
  }

  /// Understands `full`, a number of groups, or several with probabilities: `1:0.5,full:0.5`.
  ///
  /// @throws ConfigException if it is none of these
  public static FidelityMix parse(String text) {
    List<Part> parts = new ArrayList<>();
    try {
      for (String part : text.strip().split(",", -1)) {
        String[] words = part.strip().split(":", -1);
        if (words.length > 2) {
          throw new NumberFormatException(part);
        }
        int groups = words[0].equals("full") ? ALL : Integer.parseInt(words[0]);
        parts.add(new Part(groups, words.length == 1 ? 1 : Double.parseDouble(words[1])));
      }
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "fidelity '%s': expected full, a number, or several with probabilities, such as"
                  .formatted(text)
              + " 1:0.5,full:0.5");
    }
    return new FidelityMix(parts);
  }

  /// {@return whether all samples get the same}
  public boolean constant() {
    return parts.size() == 1;
  }

  /// {@return groups to read of a sample}
  ///
  /// @param sample its number in stored order; its shard's number if the dataset only streams
  /// @param random to draw with; not shared between threads
  public int draw(long seed, long epoch, long sample, CounterRandom random) {
    if (constant()) {
      return parts.getFirst().groups();
    }
    random.reset(seed ^ STREAM, epoch, sample);
    double drawn = random.nextDouble();
    int last = parts.size() - 1;
    for (int i = 0; i < last; i++) {
      drawn -= parts.get(i).probability();
      if (drawn < 0) {
        return parts.get(i).groups();
      }
    }
    return parts.get(last).groups();
  }

  /// {@return as [#parse] understands it}
  @Override
  public String toString() {
    return constant()
        ? parts.getFirst().name()
        : parts.stream()
            .map(p -> p.name() + ":" + p.probability())
            .collect(Collectors.joining(","));
  }
}
