package io.headrace.lab.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// A rate that is to be expected, in samples a second, and what bounds it.
///
/// @param rate expected
/// @param low end of the interval that holds nine of ten measured rates
/// @param high end of it
/// @param limits the rate that each part alone would allow; infinite where it bounds nothing
/// @param hitRate expected of the loader's cache, 0 to 1
public record Prediction(
    double rate, double low, double high, Map<Bound, Double> limits, double hitRate) {
  /// What may bound a rate.
  public enum Bound {
    /// The trainer itself.
    CONSUMER("the trainer"),
    /// The store: its rate, its requests a second, its latency for so many readers.
    STORE("storage"),
    /// Threads that read.
    READERS("the readers"),
    /// Threads that decode and transform.
    WORKERS("the decode workers"),
    /// Processors, with everything that the loader does.
    PROCESSORS("the processors"),
    /// The bandwidth of memory.
    MEMORY("memory bandwidth");

    private final String words;

    Bound(String words) {
      this.words = words;
    }

    /// {@return the name in sentences}
    public String words() {
      return words;
    }
  }

  /// Stages overlap, but not perfectly: where two allow the same rate, both together give 2^(−1/p)
  /// of it.
  private static final double SHARPNESS = 10;

  public Prediction {
    limits = Map.copyOf(limits);
  }

  /// {@return the prediction that follows from limits}
  ///
  /// @param error relative error that nine of ten predictions keep
  static Prediction of(EnumMap<Bound, Double> limits, double hitRate, double error) {
    double lowest = limits.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double sum = 0;
    for (double limit : limits.values()) {
      sum += Math.pow(lowest / limit, SHARPNESS);
    }
    double rate = lowest * Math.pow(sum, -1 / SHARPNESS);
    return new Prediction(rate, rate * (1 - error), rate * (1 + error), limits, hitRate);
  }

  /// {@return what bounds the rate}
  public Bound bound() {
    return Collections.min(
        List.of(Bound.values()), Comparator.comparingDouble(bound -> limit(bound)));
  }

  /// {@return the rate that a part alone would allow}
  public double limit(Bound bound) {
    return limits.getOrDefault(bound, Double.POSITIVE_INFINITY);
  }

  /// {@return the rate that all parts but some would allow}
  public double without(Bound... some) {
    return Arrays.stream(Bound.values())
        .filter(bound -> !List.of(some).contains(bound))
        .mapToDouble(this::limit)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
