package io.headrace.lab.model;

import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Glance;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.meter.Stage;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What one sample costs the machine, measured once with its data in memory. Everything else is
/// predicted from it.
///
/// @param bytes read of a sample
/// @param requests in which they are read, if samples are read in random order; at least 1
/// @param miss work on a sample that is read
/// @param hit work on a sample that the loader's cache has
/// @param keptBytes that a sample takes in that cache
/// @param rest CPU seconds of a sample that no stage counts: handing over, batches, the consumer
/// @param busy share of the processors that it used while nothing but they bound it, 0 to 1: the
///     rest is lost where threads wait for each other, or other processes have it
public record Costs(
    double bytes,
    double requests,
    Work miss,
    Work hit,
    double keptBytes,
    double rest,
    double busy) {
  /// CPU seconds of a sample, by stage.
  ///
  /// @param read to get its encoded bytes from memory, decompression included
  /// @param decode to pixels
  /// @param transform to crop, resize and pack
  public record Work(double read, double decode, double transform) {
    /// {@return of all stages}
    public double all() {
      return read + decode + transform;
    }

    /// {@return a mixture of this and another}
    ///
    /// @param share of this, 0 to 1
    Work mixed(double share, Work other) {
      return new Work(
          share * read + (1 - share) * other.read,
          share * decode + (1 - share) * other.decode,
          share * transform + (1 - share) * other.transform);
    }
  }

  /// Bytes a second that one thread copies, for what is kept decoded where that was not measured.
  static final double COPY_RATE = 4e9;

  /// Encodings of which a loader reads parts.
  private static final List<String> PARTS = List.of("packed", "tiled", "pyramid");

  /// A fetcher takes so long to find a sample in a cache and hand it over.
  private static final double LOOK_UP = 2e-6;

  /// {@return whether a trial can be what costs are taken from: data in memory, and nothing but the
  /// processors to bound it}
  public static boolean anchors(Trial trial) {
    return trial.get(Key.LEVEL).equals("page-cache")
        && (trial.get(Key.STORE).equals("page") || trial.get(Key.STORE).equals("mmap"))
        && trial.get(Key.CACHE).equals("none")
        && trial.consumer().unbounded();
  }

  /// {@return whether two trials do the same to the same stored data, so that they share costs}
  public static boolean shared(Trial one, Trial other) {
    return Stream.of(
            Key.DATASET,
            Key.FORMAT,
            Key.ENCODING,
            Key.RESIZE,
            Key.COMPRESSION,
            Key.STEPS,
            Key.PIPELINE,
            Key.DECODING,
            Key.FIDELITY)
        .allMatch(key -> one.get(key).equals(other.get(key)));
  }

  /// CPU seconds that handing a sample over takes, where that was not measured.
  private static final double HAND_OVER = 15e-6;

  /// {@return the costs that one thread alone had, handed over as samples usually are}
  ///
  /// @param requests in which a sample is read
  public static Costs of(Glance glance, double requests) {
    var miss = new Work(glance.read(), glance.decode(), glance.transform());
    var hit = new Work(LOOK_UP + glance.bytes() / COPY_RATE, miss.decode(), miss.transform());
    return new Costs(glance.bytes(), requests, miss, hit, glance.bytes(), HAND_OVER, 1);
  }

  /// {@return the same where a sample is stored in other bytes}
  ///
  /// @param trial that loads it
  /// @param read of these
  public Costs withBytes(Trial trial, double stored, double read) {
    return new Costs(read, requests, miss, hit, kept(trial, stored, read), rest, busy);
  }

  /// {@return bytes of a sample that a cache of encoded samples holds: what was read, but with a
  ///     cache, bands, tiles and levels that a crop does not need are read too}
  private static double kept(Trial trial, double stored, double read) {
    boolean parts = PARTS.stream().anyMatch(trial.get(Key.ENCODING)::startsWith);
    return parts && trial.get(Key.FIDELITY).equals("full") ? Math.max(stored, read) : read;
  }

  /// {@return the same with other CPU seconds that no stage counts}
  Costs withRest(double seconds) {
    return new Costs(bytes, requests, miss, hit, keptBytes, seconds, busy);
  }

  /// {@return costs of a dataset of which a share has these and the rest others}
  ///
  /// @param share of these, 0 to 1
  public Costs mixed(double share, Costs other) {
    return new Costs(
        share * bytes + (1 - share) * other.bytes,
        share * requests + (1 - share) * other.requests,
        miss.mixed(share, other.miss),
        hit.mixed(share, other.hit),
        share * keptBytes + (1 - share) * other.keptBytes,
        share * rest + (1 - share) * other.rest,
        Math.min(busy, other.busy));
  }

  /// {@return what runs from memory say of costs}
  ///
  /// @param allowed processors that they could have
  /// @param kept runs of the same data with a warm cache, or null if there are none
  public static Costs of(Summary runs, int allowed, @Nullable Summary kept) {
    Work miss = work(runs);
    double bytes = runs.value(Run::bytesPerSample);
    double busy = runs.value(run -> busy(run, allowed));
    double rest = runs.value(run -> run.cpuSeconds() / run.samples()) - miss.all();
    double requests =
        Math.max(1, Math.rint(runs.value(run -> run.requests() / (double) run.samples())));
    Work hit = new Work(LOOK_UP + bytes / COPY_RATE, miss.decode(), miss.transform());
    double keptBytes = kept(runs.trial(), runs.bytesPerSample(), bytes);
    if (kept != null) {
      hit = work(kept);
      keptBytes = kept.value(r -> (double) r.cacheBytes() * r.epochs() / Math.max(1, r.samples()));
    }
    return new Costs(bytes, requests, miss, hit, keptBytes, Math.max(0, rest), busy);
  }

  /// {@return the same, where a cache keeps decoded samples and that was not measured}
  ///
  /// @param decodedBytes of a sample as the cache keeps it
  public Costs keptDecoded(double decodedBytes) {
    var copied = new Work(LOOK_UP, decodedBytes / COPY_RATE, miss.transform());
    return new Costs(bytes, requests, miss, copied, decodedBytes, rest, busy);
  }

  private static double busy(Run run, int allowed) {
    int threads = Math.min(allowed, run.trial().number(Key.THREADS));
    return Math.clamp(run.cpuSeconds() / run.seconds() / threads, 0.01, 1);
  }

  private static Work work(Summary runs) {
    return new Work(
        runs.value(run -> run.cpu(Stage.READ)),
        runs.value(run -> run.cpu(Stage.DECODE)),
        runs.value(run -> run.cpu(Stage.TRANSFORM)));
  }
}
