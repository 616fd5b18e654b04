package io.headrace.lab.trial;

import io.headrace.format.Dataset;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.lab.machine.Traffic;
import io.headrace.load.Bottleneck;
import io.headrace.load.EpochReport;
import io.headrace.load.PacedConsumer;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.LoadOptions;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A machine whose clock only its loader and its consumer move, so that every figure is known.
public final class FakeMachine implements Ticker {
  /// Seconds that the loader takes to make an epoch of so many samples.
  @FunctionalInterface
  public interface Speed {
    /// {@return the seconds}
    double seconds(Dataset data, LoadOptions options, long epoch, long samples);
  }

  /// What was done, in order: `drop FILE`, `load ROOT EPOCH`.
  public final List<String> log = new ArrayList<>();

  private final Speed speed;
  private long now = 1_000_000_000;
  private long busy;

  /// A machine of four processors, of which this process may use two and others have one.
  public FakeMachine(Speed speed) {
    this.speed = speed;
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public void sleepUntil(long nanos) {
    now = Math.max(now, nanos);
  }

  /// {@return its instruments}
  public Instruments instruments() {
    return new Instruments(
        this,
        () -> new ProcessorTime(now / 1_000_000 * 3, now / 1_000_000 * 4, 4, now * 2),
        () -> new Traffic(++busy, 10 * busy, 100 * busy),
        2,
        () -> Double.POSITIVE_INFINITY,
        file -> log.add("drop " + file.getFileName()),
        FakeLoader::new);
  }

  private final class FakeLoader implements Instruments.Epochs {
    private final Dataset data;
    private final LoadOptions options;
    private final long made = now;

    FakeLoader(Dataset data, Pipeline pipeline, LoadOptions options) {
      this.data = data;
      this.options = options;
    }

    @Override
    public EpochReport load(long number, boolean another, PacedConsumer consumer) {
      log.add("load %s %d%s".formatted(data.root().getFileName(), number, another ? "" : " last"));
      long start = now;
      long samples = data.size();
      double seconds = speed.seconds(data, options, number, samples);
      now += Math.round(seconds * 1e9);
      consumer.work((int) samples);
      return epoch(number, samples, (start - made) / 1e9, seconds);
    }

    @Override
    public long peakMemory() {
      return 12_345;
    }

    @Override
    public void close() {}
  }

  /// {@return what an epoch would report: a thousand bytes read and a millisecond waited for each
  /// sample, three quarters of which the cache had}
  public static EpochReport epoch(long number, long samples, double began, double seconds) {
    return new EpochReport(
        number,
        samples,
        0,
        0,
        0,
        0,
        0,
        Map.of(),
        Map.of(),
        List.of(),
        Decoding.FAST,
        began,
        seconds,
        1000 * samples,
        List.of(),
        new CacheReading("lru", 3 * samples, samples, 0, 0.8, false, 500, 600),
        List.of(
            new StageReading(Stage.DECODE, 0.002 * samples, 0.0015 * samples, samples, 0),
            new StageReading(Stage.STALL, 0.001 * samples, 0, samples, 0)),
        0.25,
        Bottleneck.DECODE,
        "",
        "",
        true,
        "");
  }
}
