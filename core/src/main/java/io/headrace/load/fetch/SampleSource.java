package io.headrace.load.fetch;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Sample;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.ClosableQueue;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings encoded samples, each at its position in the epoch, to the decode workers.
///
/// Holders of bytes circulate: empty ones wait in `free`, full ones in `queue`.
public abstract sealed class SampleSource permits IndexedSource, StreamSource {
  public final ClosableQueue<EncodedSlot> free;
  public final ClosableQueue<EncodedSlot> queue;
  final BatchRing ring;
  private final Arena arena;
  private final MemoryBudget budget;
  private final List<Sample> samples = new ArrayList<>();
  private final LoaderThreads threads;
  private final List<LoaderThreads.Task> tasks = new ArrayList<>();
  private int followed;

  /// @param holders samples that may be read ahead or in work at one time, to begin with
  /// @param most holders that there may ever be
  /// @param queued holders that may wait for decode workers
  SampleSource(SourceSetting setting, int holders, int most, int queued) {
    ring = setting.ring();
    threads = setting.threads();
    arena = setting.arena();
    budget = setting.load().budget();
    free = new ClosableQueue<>(most);
    queue = new ClosableQueue<>(queued);
    for (int i = 0; i < holders; i++) {
      free.put(holder());
    }
  }

  final EncodedSlot holder() {
    return holderOf(new Block(budget, arena));
  }

  /// {@return a holder with an arena of its own. An arena counts the reads and checksums under way
  ///     in it; with one for each holder, threads do not contend for that counter}
  final EncodedSlot holderApart() {
    return holderOf(new Block(budget));
  }

  private synchronized EncodedSlot holderOf(Block block) {
    var sample = new Sample(block);
    samples.add(sample);
    return new EncodedSlot(sample);
  }

  /// Starts the reading tasks.
  public abstract void start();

  final synchronized void run(String name, Runnable task) {
    tasks.add(threads.run(name, task));
  }

  /// Starts a reading task when one of another source's tasks has ended, the first that nothing
  /// follows yet.
  final synchronized void runAfter(@Nullable SampleSource before, String name, Runnable task) {
    LoaderThreads.Task other = before == null ? null : before.takeTask();
    tasks.add(other == null ? threads.run(name, task) : threads.runAfter(other, name, task));
  }

  /// {@return a task that nothing follows yet, or null}
  private synchronized LoaderThreads.@Nullable Task takeTask() {
    return followed < tasks.size() ? tasks.get(followed++) : null;
  }

  /// {@return bytes of memory that its samples take}
  public final synchronized long memory() {
    return samples.stream().mapToLong(sample -> sample.block().memory().byteSize()).sum();
  }

  /// Wakes everybody who waits.
  public void stop() {
    free.close();
    queue.close();
  }

  /// Waits for the reading tasks to end, once stopped, and gives their memory back.
  public final void dispose() {
    for (LoaderThreads.Task task : running()) {
      task.join();
    }
    samples.forEach(Sample::close);
  }

  private synchronized List<LoaderThreads.Task> running() {
    return List.copyOf(tasks);
  }

  /// {@return what reading threw, as a fault of the sample it was to fill}
  static CorruptDataException faultOf(IOException e, Location where) {
    if (e instanceof CorruptDataException fault) {
      return fault;
    }
    String reason =
        e instanceof NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
    return new CorruptDataException(Fault.IO, reason, where, e);
  }
}
