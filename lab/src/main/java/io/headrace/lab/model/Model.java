package io.headrace.lab.model;

import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.HitRates;
import io.headrace.load.cache.SamplePacking;
import io.headrace.order.OrderSpec;
import io.headrace.store.Device;
import java.util.EnumMap;

/// Predicts how fast a trial delivers, from what a sample costs.
///
/// A loader is a pipeline whose stages overlap, so that the slowest of them sets the rate: the
/// store, with so many readers waiting for it; readers; workers; the processors that all of them
/// share; memory's bandwidth; the consumer. As in Plumber (Kuchnik et al., MLSys 2022), each
/// resource allows what it has divided by what a sample takes of it. What a cache keeps is not read
/// ([HitRates]).
///
/// @param error relative error that nine of ten predictions keep, for intervals
public record Model(double error) {
  /// The model with the error that it has as a rule.
  public static final Model USUAL = new Model(0.25);

  /// Samples that are read in one request where neighbours lie side by side, at most.
  private static final double TOGETHER = 32;

  /// Bytes that one such request has, at most.
  private static final double MAX_REQUEST = 1 << 20;

  /// A compressed shard is read in pieces of this size.
  private static final double STREAM_PIECE = 256 << 10;

  /// CPU seconds to wait for a request: a thread is put to sleep and woken.
  private static final double WAITING = 60e-6;

  /// CPU seconds to hand a sample over by itself, as readers of two regions do, which put all that
  /// they read into memory and take it out again.
  private static final double ONE_BY_ONE = 50e-6;

  /// Where a cache has so many times the bytes read that are read without one, a sample is a
  /// pyramid, of which only the levels needed are read.
  private static final double PART = 1.05;

  /// Levels of a pyramid, as a rule; each lies in a place of its own.
  private static final double LEVELS = 3;

  /// Bytes moved through memory for each byte of a decoded or delivered sample: written and read.
  private static final double MOVED = 2;

  /// {@return the rate to expect}
  ///
  /// @param samples of the whole dataset, of which a cache may hold a part
  public Prediction predict(Trial trial, Costs costs, Platform platform, long samples) {
    double hits = hitRate(trial, costs, samples);
    Costs.Work work = costs.hit().mixed(hits, costs.miss());
    int threads = trial.number(Key.THREADS);
    int readers = trial.number(Key.READERS);
    EnumMap<Bound, Double> limits = new EnumMap<>(Bound.class);
    limits.put(Bound.CONSUMER, trial.consumer().samplesPerSecond());
    limits.put(Bound.WORKERS, threads / (work.decode() + work.transform()));
    var reading = new Reading(trial, costs, platform.device(), readers, samples);
    double each = reading.requests() * reading.seconds();
    double missing = 1 - hits;
    double all = work.all() + costs.rest();
    if (!platform.inMemory()) {
      all += missing * reading.requests() * WAITING;
    }
    if (trial.cache() instanceof CacheSpec.TwoRegion) {
      all += ONE_BY_ONE + missing * MOVED * reading.bytes() / Costs.COPY_RATE;
    }
    limits.put(Bound.PROCESSORS, platform.cores() * costs.busy() / all);
    limits.put(
        Bound.READERS,
        missing * each + work.read() > 0
            ? readers / (missing * each + work.read())
            : Double.POSITIVE_INFINITY);
    double store = reading.rate();
    limits.put(Bound.STORE, missing > 0 ? store / missing : Double.POSITIVE_INFINITY);
    double delivered = (double) trial.pipeline().views() * trial.pipeline().outputSpec().bytes();
    limits.put(
        Bound.MEMORY,
        platform.memoryBytesPerSecond()
            / (MOVED * (delivered + costs.keptBytes()) + costs.bytes()));
    return Prediction.of(limits, hits, error);
  }

  /// {@return the share of samples that the loader's cache has once it is warm, 0 to 1}
  ///
  /// @param samples of the whole dataset
  static double hitRate(Trial trial, Costs costs, long samples) {
    CacheSpec cache = trial.cache();
    if (trial.level() == CacheLevel.COLD || cache instanceof CacheSpec.None || samples <= 0) {
      return 0;
    }
    double share =
        Math.floor(cache.bytes() / SamplePacking.footprint(costs.keptBytes(), cache.bytes()))
            / samples;
    return switch (cache) {
      case CacheSpec.None _ -> 0;
      case CacheSpec.MinIo _, CacheSpec.TwoRegion _ -> HitRates.fixed(share);
      case CacheSpec.Lru _ ->
          inSequence(trial) ? HitRates.lruSequential(share) : HitRates.lruShuffled(share);
    };
  }

  private static boolean inSequence(Trial trial) {
    return switch (OrderSpec.parse(trial.get(Key.ORDER))) {
      case OrderSpec.Sequential _, OrderSpec.Buffer _, OrderSpec.TwoRegion _ -> true;
      case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.Interleave _ -> false;
    };
  }

  /// {@return whether every sample is a file of its own}
  private static boolean files(Trial trial) {
    return trial.get(Key.FORMAT).equals(Trial.FOUND) || trial.get(Key.FORMAT).equals("folder");
  }

  /// {@return whether shards are read from start to end, since they are compressed as a whole}
  private static boolean streams(Trial trial) {
    return !trial.get(Key.COMPRESSION).equals(Key.COMPRESSION.usual());
  }

  /// How a sample comes from a device.
  private record Reading(Trial trial, Costs costs, Device device, int readers, long samples) {
    /// {@return bytes read of a sample: with a cache, which keeps all of it, all}
    double bytes() {
      return cached() ? Math.max(costs.bytes(), costs.keptBytes()) : costs.bytes();
    }

    private boolean cached() {
      return !(trial.cache() instanceof CacheSpec.None) && !trial.cache().decoded();
    }

    /// {@return requests that a sample needs}
    double requests() {
      if (streams(trial)) {
        return bytes() / STREAM_PIECE;
      }
      boolean together = inSequence(trial) && !trial.get(Key.ORDER).startsWith("two-region");
      if (together && !files(trial)) {
        return Math.max(1 / TOGETHER, bytes() / MAX_REQUEST);
      }
      boolean parts = bytes() > PART * costs.bytes();
      return Math.max(costs.requests(), parts ? LEVELS : 1);
    }

    /// {@return seconds from when a request is made to its last byte, with nothing in its way}
    double seconds() {
      boolean seeks =
          files(trial) || !(inSequence(trial) || streams(trial)) || (readers > 1 && streams(trial));
      double request = bytes() / requests();
      return (device.latencyNanos() + (seeks ? (1 - near()) * device.seekNanos() : 0)) / 1e9
          + Math.max(request / device.bytesPerSecond(), request / device.streamBytesPerSecond());
    }

    /// {@return the share of requests in random order that are for bytes so near the last ones that
    /// no seek is needed: in the same shard, at most [Device#NEAR] away}
    private double near() {
      if (files(trial) || streams(trial) || samples <= 0) {
        return 0;
      }
      double shards = Math.min(trial.number(Key.SHARDS), samples);
      double reach = Math.min(1, Device.NEAR / (bytes() * samples / shards));
      return (2 * reach - reach * reach) / shards;
    }

    /// {@return samples a second that the device gives, if it is asked for as many at one time as
    ///     there are readers}
    double rate() {
      double atOnce = Math.min(readers, device.queueDepth());
      double requests = Math.min(device.requestsPerSecond(), atOnce / seconds());
      return Math.min(requests / requests(), device.bytesPerSecond() / bytes());
    }
  }
}
