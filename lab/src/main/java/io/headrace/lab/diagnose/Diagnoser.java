package io.headrace.lab.diagnose;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Model;
import io.headrace.lab.model.Platform;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Instruments;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.CacheSpec;
import io.headrace.store.ColdStore;
import io.headrace.store.Device;
import io.headrace.store.Store;
import io.headrace.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Compares a trainer's run with the same from memory, and with its own rate.
///
/// @param options how to diagnose
/// @param runner stays the caller's
/// @param memory the machine with data in memory
/// @param fetching measures the store alone
/// @param file gets the runs
/// @param progress told what is done, one line each
public record Diagnoser(
    Options options,
    Runner runner,
    Platform memory,
    Fetching fetching,
    Path file,
    Consumer<String> progress) {
  /// How to diagnose.
  ///
  /// @param trial how the trainer is fed today: its consumer, store, cache and threads
  /// @param samples to run it on, spread over the dataset
  /// @param memoryBytes that may hold data between epochs
  /// @param repeats of each run
  /// @param seconds that a run lasts at least
  /// @param candidates representations to predict for, after a conversion of the samples
  public record Options(
      Trial trial,
      int samples,
      long memoryBytes,
      int repeats,
      double seconds,
      List<Representation> candidates) {
    /// Copies the list.
    ///
    /// @throws ConfigException if there is no consumer
    public Options {
      candidates = List.copyOf(candidates);
      if (trial.consumer().unbounded()) {
        throw new ConfigException(
            "a trainer's own rate tells whether it waits: expected --consumer, a rate such as"
                + " 4155/s or a preset such as resnet50");
      }
      if (samples < 1 || repeats < 1 || !(seconds >= 0) || memoryBytes < 1) {
        throw new ConfigException(
            "samples %d, repeats %d, seconds %s, memory %d: expected at least 1, 1, 0 and 1"
                .formatted(samples, repeats, seconds, memoryBytes));
      }
    }
  }

  /// Measures the rate at which a store gives encoded samples.
  @FunctionalInterface
  public interface Fetching {
    /// {@return samples a second}
    double rate(Dataset data, Trial trial, double seconds) throws IOException, InterruptedException;
  }

  /// A diagnoser that measures with instruments.
  public Diagnoser(
      Options options,
      Runner runner,
      Instruments instruments,
      Path file,
      Consumer<String> progress) {
    this(
        options,
        runner,
        Platform.of(instruments.allowed(), instruments.memory().getAsDouble()),
        (data, trial, seconds) -> FetchProbe.rate(data, trial, instruments.ticker(), seconds),
        file,
        progress);
  }

  /// {@return what is wrong, and what would end it}
  public Diagnosis run() throws IOException, InterruptedException {
    long samples;
    double total;
    try (Dataset data = runner.open(options.trial(), Store.LOCAL)) {
      samples = data.size();
      total = data.storedBytes();
    }
    Trial today = options.trial();
    Trial sampled = sampled(today, samples);
    boolean imitated = Device.find(today.get(Key.STORE)) != null;
    boolean cold = today.level() == CacheLevel.COLD || (!imitated && total > options.memoryBytes());
    Trial actual = cold ? sampled.with(Key.LEVEL, CacheLevel.COLD.word()) : sampled;
    Trial inMemory =
        sampled
            .with(Key.LEVEL, CacheLevel.PAGE_CACHE.word())
            .with(Key.STORE, "page")
            .with(Key.CACHE, "none");
    Trial free = inMemory.with(Key.CONSUMER, "none");
    Runs runs = sweep(List.of(free, inMemory, actual));
    progress.accept("fetching");
    double fetch = fetchRate(actual, cold);
    Summary anchor = runs.of(free);
    Costs costs = Costs.of(anchor, memory.cores(), null);
    long count = samples >= 0 ? samples : (long) (total / Math.max(1, costs.bytes()));
    Platform platform = platform(today, cold, fetch, costs);
    var whatIfs =
        new WhatIfs(
            today,
            platform,
            costs,
            count,
            options.memoryBytes(),
            memory.cores(),
            new ArrayList<>());
    whatIfs.ask();
    for (Representation to : options.candidates()) {
      progress.accept("converting to " + to.label());
      Trial converted = free.with(to);
      Summary measured = sweep(List.of(converted)).of(converted);
      whatIfs.representation(to, Costs.of(measured, memory.cores(), null), measured);
    }
    Prediction now = Model.USUAL.predict(today, costs, platform, count);
    var measured = new Diagnosis.Measured(anchor, runs.of(inMemory), runs.of(actual));
    return whatIfs.conclude(measured, fetch, now);
  }

  /// {@return the trial on the samples, with a cache that holds the same share of them}
  private Trial sampled(Trial trial, long samples) {
    int number = samples < 0 ? options.samples() : (int) Math.min(options.samples(), samples);
    CacheSpec cache = trial.cache();
    Trial few = trial.with(Key.SAMPLES, number);
    if (cache instanceof CacheSpec.None || samples <= 0) {
      return few;
    }
    long bytes = Math.max(1, (long) ((double) cache.bytes() * number / samples));
    return few.with(Key.CACHE, trial.get(Key.CACHE).replaceFirst(":[^:]+", ":" + bytes));
  }

  private Runs sweep(List<Trial> trials) throws IOException, InterruptedException {
    return new Sweeper(runner, progress)
        .run(new Sweep("diagnose", trials, options.repeats(), options.seconds(), false), file);
  }

  /// {@return samples a second that the store gives; infinite where all data are in memory}
  private double fetchRate(Trial actual, boolean cold) throws IOException, InterruptedException {
    Store store = Stores.parse(actual.get(Key.STORE));
    try (Dataset data = runner.open(actual, cold ? new ColdStore(store) : store)) {
      return fetching.rate(data, actual, Math.max(1, options.seconds()));
    }
  }

  private Platform platform(Trial today, boolean cold, double fetch, Costs costs) {
    Device imitated = Device.find(today.get(Key.STORE));
    return imitated != null
        ? memory.with(imitated)
        : cold ? memory.with(Device.rate("disk", fetch * costs.bytes())) : memory;
  }
}
