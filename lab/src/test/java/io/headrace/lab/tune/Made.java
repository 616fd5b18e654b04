package io.headrace.lab.tune;

import io.headrace.load.Bottleneck;
import io.headrace.load.EpochReport;
import io.headrace.load.plan.CacheReading;
import io.headrace.pipeline.Decoding;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/// Made-up measurements.
final class Made {
  static final double FITS = Double.POSITIVE_INFINITY;

  private Made() {}

  /// {@return a result of a dataset of 1000 samples}
  static Result result(String name, double bytes, double quality, double store, double... rates) {
    return new Result(
        new Candidate(name, null),
        new Costs(0.0001, 0.001, bytes),
        bytes * 1000,
        quality,
        rates[0],
        DoubleStream.of(rates).boxed().toList(),
        store,
        Bottleneck.DECODE,
        0.0008,
        0.0002,
        0);
  }

  /// {@return what an epoch would report}
  ///
  /// @param began seconds after the loader was made
  static EpochReport epoch(
      long number, long delivered, double began, double seconds, Bottleneck bottleneck) {
    return new EpochReport(
        number,
        delivered,
        0,
        0,
        0,
        0,
        0,
        Map.of(),
        List.of(),
        Decoding.FAST,
        began,
        seconds,
        0,
        List.of(),
        new CacheReading("none", 0, 0, 0, 0, false, 0, 0),
        List.of(),
        0,
        bottleneck,
        "",
        "",
        true,
        "");
  }
}
