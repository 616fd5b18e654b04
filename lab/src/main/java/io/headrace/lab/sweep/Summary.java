package io.headrace.lab.sweep;

import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// All runs of one trial that count.
///
/// @param trial which
/// @param runs at least one, in order of repeats
public record Summary(Trial trial, List<Run> runs) {
  public Summary {
    runs = List.copyOf(runs);
  }

  /// {@return the median of a figure over the runs, with its interval}
  ///
  /// @param figure such as `Run::rate`
  public Median median(ToDoubleFunction<Run> figure) {
    return Median.of(runs.stream().mapToDouble(figure).toArray());
  }

  /// {@return the median of a figure over the runs}
  public double value(ToDoubleFunction<Run> figure) {
    return median(figure).value();
  }

  /// {@return what was done ahead, of the last run}
  public Conversion conversion() {
    return runs.getLast().conversion();
  }

  /// {@return samples a second, the median}
  public double rate() {
    return value(Run::rate);
  }

  /// {@return the rate with its interval, for a figure}
  public Point point(String series, String label, double x) {
    Median rate = median(Run::rate);
    return new Point(series, label, x, rate.value(), rate.low(), rate.high(), false);
  }

  /// {@return stored bytes of a sample}
  public double bytesPerSample() {
    return conversion().bytesPerSample();
  }

  /// {@return seconds to convert the data, the median over the conversions that were timed}
  public double conversionSeconds() {
    return trial.level() == CacheLevel.COLD
        ? value(run -> run.conversion().seconds())
        : conversion().seconds();
  }

  /// {@return what most runs said; the later one where two are as common}
  public <T> T commonest(Function<Run, T> said) {
    List<T> all = runs.stream().map(said).toList();
    T best = all.getLast();
    for (T one : all.reversed()) {
      best = Collections.frequency(all, one) > Collections.frequency(all, best) ? one : best;
    }
    return best;
  }
}
