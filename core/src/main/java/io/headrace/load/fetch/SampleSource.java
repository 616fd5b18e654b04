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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings encoded samples, each at its position in the stream, to the decode workers.
///
/// Holders of bytes circulate: empty ones wait in `free`, full ones in `queue`. Readers and workers
/// go from pass to pass, each on its own: what is appended in time is read as if it were the same
/// epoch, and where nothing is, they wait.
public abstract sealed class SampleSource permits IndexedSource, StreamSource {
  public final ClosableQueue<EncodedSlot> free;
  public final ClosableQueue<EncodedSlot> queue;
  final BatchRing ring;
  private final Arena arena;
  private final MemoryBudget budget;
  private final List<Sample> samples = new ArrayList<>();
  private final LoaderThreads threads;
  private final List<LoaderThreads.Task> tasks = new ArrayList<>();
  private final Pass first;

  /// The last one, and those before it that are not read yet.
  private final ArrayDeque<Pass> passes = new ArrayDeque<>();

  private boolean stopped;

  /// @param holders samples that may be read ahead or in work at one time, to begin with
  /// @param most holders that there may ever be
  /// @param queued holders that may wait for decode workers
  SampleSource(SourceSetting setting, Pass first, int holders, int most, int queued) {
    this.first = first;
    passes.add(first);
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
    return new EncodedSlot(sample, first);
  }

  /// Starts the reading tasks.
  public abstract void start();

  final synchronized void run(String name, Runnable task) {
    tasks.add(threads.run(name, task));
  }

  /// {@return the pass that the stream begins with}
  public final Pass first() {
    return first;
  }

  /// Waits for the pass after another.
  ///
  /// @return it, or null once the source is stopped
  public final synchronized @Nullable Pass after(Pass pass) {
    boolean interrupted = false;
    while (passes.getLast() == pass && !stopped) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (stopped) {
      return null;
    }
    boolean found = false;
    for (Pass one : passes) {
      if (found) {
        return one;
      }
      found = one == pass;
    }
    return passes.getFirst(); // those up to it are read
  }

  /// {@return the pass that the stream ends with so far}
  public final synchronized Pass last() {
    return passes.getLast();
  }

  /// {@return places for samples between readers and workers}
  public abstract int places();

  /// Appends an epoch to the stream.
  public final synchronized void append(Pass pass) {
    passes.removeIf(Pass::isRead);
    passes.add(pass);
    queue.resume();
    notifyAll();
  }

  /// Notes that a reader of a pass has ended. After the last one, workers that find nothing more to
  /// do know that they wait for an epoch and not for bytes.
  final synchronized void readerDone(Pass pass) {
    if (pass.readerDone() && pass == last()) {
      queue.end();
    }
  }

  /// Wakes everybody who waits.
  public synchronized void stop() {
    stopped = true;
    free.close();
    queue.close();
    notifyAll();
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
