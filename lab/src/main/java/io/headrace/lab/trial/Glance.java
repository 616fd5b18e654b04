package io.headrace.lab.trial;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.LevelChoice;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import io.headrace.natives.WarmKernel;
import io.headrace.pipeline.LevelChooser;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.pipeline.SoundProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What one thread needs for a sample when nothing else runs: CPU seconds, medians of a few passes
/// over a few samples after some that warm the code up; of fewer passes where these take long.
///
/// @param read to get its encoded bytes, in page cache, decompression included
/// @param decode to decode it
/// @param transform to crop, resize and pack it
/// @param bytes read of a sample
public record Glance(double read, double decode, double transform, double bytes) {
  private static final int PASSES = 3;

  /// Seconds of warming up for each second of measurement.
  private static final double MIN_WARM = 0.3;

  private static final double MAX_WARM = 2;
  private static final int MAX_WARM_PASSES = 200;
  private static final double SETTLED = 0.9;

  /// Vectors that a first pass makes the JIT compile are used when they are, not before.
  private static final Duration COMPILING = Duration.ofSeconds(10);

  /// Turns samples into slots of a batch, and sums how long that took.
  ///
  /// @param step makes a sample of what was read
  /// @param decodeNanos that decoding took so far
  /// @param transformNanos that the rest took so far
  /// @param levels what chooses levels and bands that are read in an epoch, or null if samples are
  ///     read whole
  record Work(
      Step step,
      LongSupplier decodeNanos,
      LongSupplier transformNanos,
      LongFunction<@Nullable LevelChoice> levels) {
    /// Processes a sample in an epoch.
    @FunctionalInterface
    interface Step {
      void process(Sample sample, long epoch) throws DecodeException;
    }
  }

  /// {@return what the samples of a trial take}
  ///
  /// @param data of the trial
  /// @param seconds that a measurement takes, about; 0 for a quick look at code that may be cold
  /// @throws CorruptDataException if not one sample can be decoded: what is wrong with the first
  /// @throws IOException also if there is no sample
  public static Glance at(Dataset data, Trial trial, double seconds) throws IOException {
    Dataset shown = Runner.shown(data, trial);
    var budget = new MemoryBudget(trial.loading().memory());
    long seed = trial.loading().seed();
    Pipeline pipeline = trial.pipeline().after(Manifest.stepsOf(data));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(pipeline.outputSpec().bytes(), 64);
      if (pipeline.input() == Pipeline.Input.SOUND) {
        try (var processor = new SoundProcessor(pipeline, budget)) {
          Work.Step step = (s, epoch) -> processor.process(s.encoded(), seed, epoch, s.id(), slot);
          var work = new Work(step, processor::decodeNanos, processor::transformNanos, e -> null);
          return at(shown, work, budget, seconds, Cpu::ofThisThread);
        }
      }
      try (var processor = new SampleProcessor(pipeline, budget, trial.loading().processing())) {
        Work.Step step = (s, epoch) -> processor.process(s, seed, epoch, slot);
        LongFunction<@Nullable LevelChoice> levels =
            FidelityCounts.choosesLevels(trial.loading())
                ? epoch -> new LevelChooser(pipeline, seed, epoch)
                : epoch -> null;
        var work = new Work(step, processor::decodeNanos, processor::transformNanos, levels);
        return at(shown, work, budget, seconds, Cpu::ofThisThread);
      }
    }
  }

  /// @param cpu nanoseconds that this thread ran
  static Glance at(
      Dataset dataset, Work work, MemoryBudget budget, double seconds, LongSupplier cpu)
      throws IOException {
    if (seconds > 0) {
      Glance _ = pass(dataset, work, budget, cpu, 0);
      await();
    }
    long start = cpu.getAsLong();
    List<Double> times = new ArrayList<>(); // of passes that warm up
    do {
      Glance pass = pass(dataset, work, budget, cpu, times.size());
      times.add(pass.read() + pass.decode() + pass.transform());
    } while (!warm(times, seconds, (cpu.getAsLong() - start) / 1e9));
    long epoch = times.size();
    List<Glance> passes = new ArrayList<>();
    long measuring = cpu.getAsLong();
    do {
      passes.add(pass(dataset, work, budget, cpu, epoch++));
    } while (passes.size() < PASSES
        && (seconds == 0 || (cpu.getAsLong() - measuring) / 1e9 < seconds));
    return new Glance(
        Median.of(passes.stream().map(Glance::read).toList()).value(),
        Median.of(passes.stream().map(Glance::decode).toList()).value(),
        Median.of(passes.stream().map(Glance::transform).toList()).value(),
        passes.getLast().bytes());
  }

  private static void await() {
    try {
      WarmKernel.await(COMPILING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// {@return whether code is as fast as it gets: three passes took as long as the three before}
  private static boolean warm(List<Double> times, double seconds, double spent) {
    int n = times.size();
    if (n >= MAX_WARM_PASSES || spent >= MAX_WARM * seconds) {
      return true;
    }
    return n >= 2 * PASSES
        && spent >= MIN_WARM * seconds
        && Collections.min(times.subList(n - PASSES, n))
            > SETTLED * Collections.min(times.subList(n - 2 * PASSES, n - PASSES));
  }

  private static Glance pass(
      Dataset dataset, Work work, MemoryBudget budget, LongSupplier cpu, long epoch)
      throws IOException {
    long decode = work.decodeNanos().getAsLong();
    long transform = work.transformNanos().getAsLong();
    var pass = new Pass(work, cpu, epoch);
    try (var sample = new Sample(new Block(budget))) {
      if (dataset.indexed()) {
        pass.read(dataset, sample);
      } else {
        pass.stream(dataset, sample);
      }
    }
    if (pass.samples == 0 && pass.fault != null) {
      throw pass.fault; // the first of all
    }
    if (pass.samples == 0) {
      throw new IOException(dataset.root() + ": there is no sample");
    }
    decode = work.decodeNanos().getAsLong() - decode;
    transform = work.transformNanos().getAsLong() - transform;
    double share = (double) decode / Math.max(1, decode + transform); // of the time that passed
    return new Glance(
        pass.read / 1e9 / pass.samples,
        share * pass.processed / 1e9 / pass.samples,
        (1 - share) * pass.processed / 1e9 / pass.samples,
        (double) pass.bytes / pass.samples);
  }

  /// Sums over one pass.
  private static final class Pass {
    private final Work work;
    private final LongSupplier cpu;
    private final long epoch;
    private long read;
    private long processed;
    private long samples;
    private long bytes;
    private @Nullable CorruptDataException fault;

    Pass(Work work, LongSupplier cpu, long epoch) {
      this.work = work;
      this.cpu = cpu;
      this.epoch = epoch;
    }

    /// Reads samples one by one, as a loader does: of a pyramid one level, of packed JPEGs some
    /// bands.
    void read(Dataset dataset, Sample sample) throws IOException {
      LevelChoice levels = work.levels().apply(epoch);
      try (Dataset.SampleReader reader = dataset.openReader()) {
        for (long i = 0; i < dataset.size(); i++) {
          long start = cpu.getAsLong();
          try {
            if (levels == null) {
              reader.read(i, sample);
            } else {
              reader.read(i, Integer.MAX_VALUE, levels, sample);
            }
            process(sample, start);
            bytes += sample.storedBytes();
          } catch (CorruptDataException e) {
            fault = fault == null ? e : fault;
          }
        }
      }
    }

    void stream(Dataset dataset, Sample sample) throws IOException {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            long start = cpu.getAsLong();
            try {
              more = cursor.next(sample);
              if (more) {
                process(sample, start);
              }
            } catch (CorruptDataException e) {
              fault = fault == null ? e : fault;
              more = cursor.resumable();
            }
          }
          bytes += cursor.bytesRead();
        }
      }
    }

    private void process(Sample sample, long start) {
      long taken = cpu.getAsLong();
      try {
        work.step().process(sample, epoch);
        processed += cpu.getAsLong() - taken;
        read += taken - start;
        samples++;
      } catch (DecodeException e) {
        fault = fault == null ? CorruptDataException.at(sample.location(), e) : fault;
      }
    }
  }
}
