package io.headrace.load;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.order.OrderSpec;
import io.headrace.order.StreamOrder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Supply from shards that can only be read from their start.
///
/// Several shards are read at once, each by a thread of its own (a lane) with a few samples read
/// ahead. One sequencer takes a sample from each lane in turn, passes them through the shuffle
/// window and deals them out: so the order depends on the shards' contents and the seed alone.
/// Every rank reads all shards and keeps its share.
final class StreamSupply extends Supply {
  private static final int AHEAD = 16;

  private final Dataset dataset;
  private final StreamOrder order;
  private final LoadOptions options;
  private final Meters meters;
  private final int shards;
  private final int window;
  private final long done;
  private final AtomicLong bytesRead = new AtomicLong();
  private final List<Lane> lanes = new ArrayList<>();
  private int turn;
  private int at;
  private boolean closed;

  StreamSupply(
      Dataset dataset,
      StreamOrder order,
      LoadOptions options,
      Assembly assembly,
      Arena arena,
      MemoryBudget budget,
      Meters meters,
      int queued,
      long done) {
    int window =
        switch (options.order()) {
          case OrderSpec.Sequential() -> 1;
          case OrderSpec.Buffer(int fill) -> fill;
          case OrderSpec.Interleave(_, int fill) -> fill;
          case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.TwoRegion _ -> options.window();
        };
    super(assembly, arena, budget, window + queued + options.threads() + 1, queued);
    this.dataset = dataset;
    this.order = order;
    this.options = options;
    this.meters = meters;
    this.window = window;
    this.done = done;
    shards = dataset.shards().size();
  }

  /// One shard being read.
  private final class Lane {
    final Handoff<Fetched> empty;
    final Handoff<Fetched> full = new Handoff<>(AHEAD);

    Lane(Handoff<Fetched> empty) {
      this.empty = empty;
    }

    void start(int shard) {
      run("lane-" + shard, () -> readAll(shard));
    }

    private void readAll(int shard) {
      try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
        long before = 0;
        boolean more = true;
        while (more) {
          Fetched fetched = empty.take();
          if (fetched == null) {
            return;
          }
          fetched.fault = null;
          long cpu = Cpu.ofThisThread();
          long start = System.nanoTime();
          try {
            more = cursor.next(fetched.sample);
          } catch (IOException e) {
            fetched.fault = faultOf(e, fetched.sample.location());
          }
          long now = cursor.bytesRead();
          bytesRead.addAndGet(now - before);
          meters.stored(now - before);
          before = now;
          if (!more) {
            empty.put(fetched);
            return;
          }
          long nanos = System.nanoTime() - start;
          cpu = Cpu.ofThisThread() - cpu;
          meters.add(Stage.READ, nanos, cpu, 1, fetched.sample.encodedBytes());
          more = fetched.fault == null || cursor.resumable();
          if (!full.put(fetched)) {
            return;
          }
        }
      } catch (CorruptDataException e) {
        emitFault(e);
      } catch (IOException | RuntimeException | Error e) {
        assembly.fail(e);
      } finally {
        full.end();
      }
    }

    /// A shard that cannot even be opened is one fault in the stream.
    private void emitFault(CorruptDataException e) {
      Fetched fetched = empty.take();
      if (fetched != null) {
        fetched.fault = e;
        full.put(fetched);
      }
    }
  }

  @Override
  void start() {
    run(
        "sequence",
        () -> {
          try {
            sequence();
          } catch (RuntimeException | Error e) {
            assembly.fail(e);
          }
        });
  }

  private void sequence() {
    int lanes =
        switch (options.order()) {
          case OrderSpec.Sequential _, OrderSpec.Buffer _ -> 1;
          case OrderSpec.Interleave(int l, _) -> l;
          case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.TwoRegion _ -> options.readers();
        };
    int wanted = Math.min(lanes, shards);
    for (int i = 0; i < wanted; i++) {
      Handoff<Fetched> empty = new Handoff<>(AHEAD);
      for (int k = 0; k < AHEAD; k++) {
        empty.put(holder());
      }
      if (!open(i, empty)) {
        return;
      }
    }
    List<Fetched> held = new ArrayList<>(window);
    long position = 0;
    for (long dealt = 0; ; dealt++) {
      while (held.size() < window) {
        Fetched fetched = nextFromLanes();
        if (fetched == null) {
          break;
        }
        held.add(fetched);
      }
      if (held.isEmpty()) {
        break;
      }
      int drawn = order.draw(held.size());
      Fetched fetched = held.get(drawn);
      Fetched last = held.removeLast();
      if (drawn < held.size()) {
        held.set(drawn, last);
      }
      if (dealt < done || (dealt - done) % options.world() != options.rank()) {
        free.put(fetched);
        continue;
      }
      fetched.position = position;
      if (!assembly.awaitRoom(position) || !queue.put(fetched)) {
        return;
      }
      position++;
    }
    assembly.end(position);
    queue.end();
  }

  /// {@return the next sample of the lane whose turn it is, or null when all shards are read}
  private @Nullable Fetched nextFromLanes() {
    while (!lanes.isEmpty()) {
      at %= lanes.size();
      Lane lane = lanes.get(at);
      Fetched fetched = lane.full.take();
      if (fetched != null) {
        Fetched spare = free.take();
        if (spare == null) {
          return null;
        }
        lane.empty.put(spare);
        at++;
        return fetched;
      }
      if (!advance(lane)) {
        return null;
      }
    }
    return null;
  }

  /// Puts the next shard on the place of a lane that has ended, or closes the place.
  private synchronized boolean advance(Lane ended) {
    if (closed) {
      return false;
    }
    if (turn < shards) {
      lanes.remove(at);
      return open(at, ended.empty);
    }
    lanes.remove(at);
    return true;
  }

  private synchronized boolean open(int place, Handoff<Fetched> empty) {
    if (closed) {
      return false;
    }
    if (turn < shards) {
      var lane = new Lane(empty);
      lanes.add(place, lane);
      lane.start(order.shardAt(turn++));
    }
    return true;
  }

  @Override
  long bytesRead() {
    return bytesRead.get();
  }

  @Override
  synchronized void stop() {
    closed = true;
    super.stop();
    for (Lane lane : lanes) {
      lane.empty.close();
      lane.full.close();
    }
  }
}
