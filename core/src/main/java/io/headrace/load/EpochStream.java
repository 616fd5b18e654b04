package io.headrace.load;

import io.headrace.load.decode.DecodeWorker;
import io.headrace.load.decode.DecoderPool;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.load.fetch.IndexedSource;
import io.headrace.load.fetch.Pass;
import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.fetch.SampleSource;
import io.headrace.load.fetch.SourceSetting;
import io.headrace.load.fetch.StreamSource;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.order.Stride;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Readers and decode workers along one stream of positions. An epoch is a section of the stream;
/// one that is appended in time is read without a break.
///
/// It ends with the last epoch that was appended in time, or with one that is closed before all of
/// it is made.
final class EpochStream {
  private final LoadOptions options;
  private final SampleMemory memory;
  private final BatchRing ring;
  private final Arena arena = Arena.ofShared();
  private final SampleSource source;
  private final List<LoaderThreads.Task> workers = new ArrayList<>();

  /// Starts with an epoch.
  ///
  /// @param done samples that all ranks together have had of it
  /// @param stride batches of what is left of it to load
  /// @throws io.headrace.error.ConfigException if the epoch is known to have fewer
  EpochStream(
      LoadSetting setting,
      SampleMemory memory,
      BatchRing ring,
      DecoderPool decoders,
      LoaderThreads threads,
      long number,
      long done,
      Stride stride,
      FidelityMix mix) {
    options = setting.options();
    this.memory = memory;
    this.ring = ring;
    ring.restart();
    Pass first = memory.begin(number, done, stride, mix, ring);
    int queued = Math.max(8, 4 * options.threads());
    var parts = new SourceSetting(setting, memory, threads, ring, arena, queued);
    source =
        setting.dataset().indexed()
            ? new IndexedSource(parts, first)
            : new StreamSource(parts, first, done);
    try {
      for (int i = 0; i < options.threads(); i++) {
        workers.add(
            threads.run(
                "decode-" + i, // made by the thread itself, away in memory from what others write
                () -> new DecodeWorker(decoders, source, ring, setting.pipeline(), options).run()));
      }
      source.start();
    } catch (RuntimeException | Error e) {
      stop();
      throw e;
    }
  }

  /// {@return the epoch it began with}
  Pass first() {
    return source.first();
  }

  /// {@return whether an epoch may be appended while another is under way}
  boolean allowsAppending() {
    return !options.synthetic() && memory.allowsAhead();
  }

  /// Appends an epoch.
  Pass append(long number, Stride stride, FidelityMix mix) {
    Pass pass = memory.begin(number, 0, stride, mix, ring);
    source.append(pass);
    return pass;
  }

  /// Ends all threads' work, and drops what was not handed out.
  void stop() {
    ring.close();
    source.stop();
    workers.forEach(LoaderThreads.Task::join);
    source.dispose();
    arena.close();
  }
}
