package io.headrace.lab.diagnose;

import static io.headrace.lab.report.Words.format;

import io.headrace.convert.target.Representation;
import io.headrace.lab.diagnose.Diagnosis.WhatIf;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Model;
import io.headrace.lab.model.Platform;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.SamplePacking;
import io.headrace.spec.Bytes;
import io.headrace.store.Device;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a trainer's rate would be if one thing were otherwise, predicted; and the cheapest of these
/// that ends its waiting.
///
/// @param today how the trainer is fed
/// @param platform that it is fed on
/// @param costs of a sample
/// @param samples of the whole dataset
/// @param memoryBytes that may hold data between epochs
/// @param cores processors of the machine
/// @param all what was asked so far
record WhatIfs(
    Trial today,
    Platform platform,
    Costs costs,
    long samples,
    long memoryBytes,
    int cores,
    List<WhatIf> all) {
  /// Shares of the dataset that DS-Analyzer asks about.
  private static final int CACHE_STEPS = 4;

  /// Asks what can be told without converting anything.
  void ask() {
    readersAndThreads();
    caches();
    machines();
  }

  private void add(String kind, String change, Trial trial, Platform on) {
    String command = trial.equals(today) ? "" : trial.command();
    all.add(new WhatIf(kind, change, predict(trial, costs, on), command));
  }

  private Prediction predict(Trial trial, Costs of, Platform on) {
    return Model.USUAL.predict(trial, of, on, samples);
  }

  private void readersAndThreads() {
    for (int readers : new int[] {4, 8, 16, 32, 64}) {
      if (readers > today.number(Key.READERS) && !platform.inMemory()) {
        add("readers", readers + " readers", today.with(Key.READERS, readers), platform);
      }
    }
    if (today.number(Key.THREADS) < cores) {
      add("threads", cores + " decode workers", today.with(Key.THREADS, cores), platform);
    }
    if (platform.device().seekNanos() > 0
        && today.get(Key.ORDER).equals("full")
        && today.cache() instanceof CacheSpec.None) {
      add("order", "reading in sequence", today.with(Key.ORDER, "buffer:1024"), platform);
    }
  }

  private void caches() {
    if (platform.inMemory() || samples <= 0) {
      return;
    }
    SortedSet<Long> sizes = new TreeSet<>();
    for (int step = 1; step <= CACHE_STEPS; step++) {
      sizes.add(whole() * step / CACHE_STEPS);
    }
    long least = leastCache();
    if (least > 0) {
      sizes.add(least);
    }
    for (long bytes : sizes) {
      String words = "a cache of " + Bytes.text((double) bytes);
      add("cache", bytes == least ? words + ", which suffices" : words, withCache(bytes), platform);
    }
  }

  /// {@return bytes of a cache that holds everything}
  private long whole() {
    long plain = (long) Math.ceil(samples * costs.bytes());
    return (long) Math.ceil(samples * SamplePacking.footprint(costs.bytes(), 2 * plain)) + 1;
  }

  private Trial withCache(long bytes) {
    Trial trial =
        today.get(Key.ORDER).startsWith("two-region") ? today.with(Key.ORDER, "full") : today;
    long memory = 4 * bytes / 3 + (2L << 30);
    return trial.with(Key.CACHE, "minio:" + bytes).with(Key.MEMORY, memory);
  }

  /// {@return bytes of the smallest cache with which the store keeps up with whatever else bounds
  ///     the rate; 0 if none is needed}
  long leastCache() {
    Prediction now = predict(today.with(Key.CACHE, "none"), costs, platform);
    double needed = Math.min(now.without(Bound.STORE), now.without(Bound.STORE, Bound.READERS));
    double store = Math.min(now.limit(Bound.STORE), now.limit(Bound.READERS));
    if (store >= needed || platform.inMemory()) {
      return 0;
    }
    long low = 0;
    long high = whole();
    while (high - low > Math.max(1, high / 1000)) {
      long middle = (low + high) >>> 1;
      Prediction with = predict(withCache(Math.max(1, middle)), costs, platform);
      boolean enough =
          Math.min(with.limit(Bound.STORE), with.limit(Bound.READERS))
              >= with.without(Bound.STORE, Bound.READERS);
      low = enough ? low : middle;
      high = enough ? middle : high;
    }
    return high;
  }

  private void machines() {
    for (int times : new int[] {2, 4, 8}) {
      add(
          "cores",
          "%d cores".formatted(times * cores),
          today.with(Key.THREADS, (long) times * cores),
          platform.withCores(times * cores));
    }
    Device device = platform.device();
    for (int times : new int[] {2, 4}) {
      if (!platform.inMemory()) {
        var faster =
            new Device(
                device.name(),
                times * device.bytesPerSecond(),
                times * device.streamBytesPerSecond(),
                times * device.requestsPerSecond(),
                device.latencyNanos() / times,
                device.seekNanos() / times,
                device.queueDepth());
        add("bandwidth", times + " times the storage's speed", today, platform.with(faster));
      }
    }
  }

  /// Adds a representation, whose costs were measured.
  void representation(Representation to, Costs of, Summary measured) {
    Trial trial = today.with(to);
    String change =
        format(
            "%s (%.2f times the bytes, %s)",
            to.label(),
            measured.bytesPerSample() / costs.bytes(),
            measured.conversion().lossless()
                ? "the same pixels"
                : format("SSIM %.3f", measured.conversion().ssim()));
    all.add(new WhatIf("representation", change, predict(trial, of, platform), trial.command()));
  }

  /// {@return the diagnosis}
  Diagnosis conclude(Diagnosis.Measured measured, double fetch, Prediction now) {
    double actual = measured.actual().rate();
    WhatIf remedy = actual / ingest() > 1 - Diagnosis.NO_STALL ? null : remedy(now);
    return new Diagnosis(
        today,
        ingest(),
        measured.prepared().rate(),
        fetch,
        measured.inMemory().rate(),
        actual,
        costs,
        costs.bytes(),
        samples,
        now,
        leastCache(),
        all,
        remedy);
  }

  private double ingest() {
    return today.consumer().samplesPerSecond();
  }

  /// What costs nothing comes first, then memory that is there, then a conversion, then hardware.
  private static final List<String> CHEAPEST =
      List.of("threads", "readers", "order", "cache", "representation", "bandwidth", "cores");

  /// {@return the cheapest change that ends most of the stall; if none does, the one that leaves
  /// least of it; null if none helps}
  private @Nullable WhatIf remedy(Prediction now) {
    double most = now.rate();
    WhatIf best = null;
    for (String kind : CHEAPEST) {
      for (WhatIf whatIf : all) {
        if (!whatIf.kind().equals(kind) || !affordable(whatIf)) {
          continue;
        }
        double rate = whatIf.prediction().rate();
        if (ingest() - rate <= Diagnosis.LEFT * (ingest() - now.rate())) {
          return whatIf;
        }
        if (rate > most * 1.05) {
          most = rate;
          best = whatIf;
        }
      }
    }
    return best;
  }

  private boolean affordable(WhatIf whatIf) {
    return !whatIf.kind().equals("cache")
        || whatIf.prediction().hitRate() * samples * costs.bytes() <= memoryBytes;
  }
}
