package io.headrace.lab.tune;

import io.headrace.lab.model.Costs;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Trial;
import io.headrace.load.Bottleneck;
import java.nio.file.Path;
import java.util.stream.DoubleStream;

/// Made-up measurements.
final class Made {
  static final double FITS = Double.POSITIVE_INFINITY;

  private Made() {}

  /// {@return a result of a dataset of 1000 samples}
  static Result result(String name, double bytes, double quality, double store, double... rates) {
    return new Result(
        new Candidate(name, null),
        Trial.of(Path.of("photos")),
        new Costs(
            bytes,
            1,
            new Costs.Work(0.0001, 0.0008, 0.0002),
            new Costs.Work(0, 0.0008, 0.0002),
            bytes,
            0.00002,
            1),
        bytes * 1000,
        new Conversion(1, 1, 100, 100 * bytes, 40, quality, quality),
        0,
        rates[0],
        DoubleStream.of(rates).boxed().toList(),
        store,
        Bottleneck.DECODE);
  }
}
