package io.headrace.load.fetch;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Location;
import io.headrace.format.Dataset;
import io.headrace.load.deliver.ClosableQueue;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.Streams;
import io.headrace.meter.Cpu;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.order.LastBatch;
import io.headrace.order.RanksTail;
import io.headrace.order.StreamOrder;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Supply from shards that can only be read from their start.
///
/// Several shards are read at once, each by a thread of its own (a lane) with a few samples read
/// ahead. One sequencer takes a sample from each lane in turn, passes them through the shuffle
/// window and deals them out: so the order depends on the shards' contents and the seed alone.
/// Every rank reads all shards and keeps its share. A sample has no number before it is read, so a
/// mixture of fidelities is drawn for each shard.
public final class StreamSource extends SampleSource {
  private static final int AHEAD = 16;

  private final Dataset dataset;
  private final StreamOrder order;
  private final LoadOptions options;
  private final Meters meters;
  private final int shards;
  private final int window;
  private final long done;
  private final long limit;
  private final FidelityCounts fidelity;
  private final List<Lane> lanes = new ArrayList<>();
  private int turn;
  private int at;
  private boolean closed;
  private volatile long rest = -1;

  /// @param done samples that all ranks have had
  /// @param limit samples to bring at most
  public StreamSource(SourceSetting setting, StreamOrder order, long done, long limit) {
    LoadOptions options = setting.load().options();
    int window = Streams.window(options);
    int holders = window + setting.queued() + options.threads() + 3;
    super(setting, holders, holders, setting.queued());
    dataset = setting.load().dataset();
    this.order = order;
    this.options = options;
    meters = setting.meters();
    this.window = window;
    this.done = done;
    this.limit = limit;
    fidelity = setting.fidelity();
    shards = dataset.shards().size();
  }

  /// One shard being read.
  private final class Lane {
    final ClosableQueue<EncodedSlot> empty;
    final ClosableQueue<EncodedSlot> full = new ClosableQueue<>(AHEAD);

    Lane(ClosableQueue<EncodedSlot> empty) {
      this.empty = empty;
    }

    void start(int shard) {
      run("lane-" + shard, () -> readAll(shard));
    }

    private void readAll(int shard) {
      int groups = fidelity.draw(shard, new CounterRandom());
      try (Dataset.SampleCursor cursor = dataset.openCursor(shard, groups)) {
        long before = 0;
        boolean more = true;
        while (more) {
          EncodedSlot fetched = empty.take();
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
          fidelity.add(groups, more ? 1 : 0, now - before);
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
      } catch (IOException e) {
        emitFault(faultOf(e, Location.of(dataset.shards().get(shard).toString())));
      } catch (RuntimeException | Error e) {
        assembly.fail(e);
      } finally {
        full.end();
      }
    }

    /// A shard that cannot even be opened is one fault in the stream.
    private void emitFault(CorruptDataException e) {
      EncodedSlot fetched = empty.take();
      if (fetched != null) {
        fetched.fault = e;
        full.put(fetched);
      }
    }
  }

  @Override
  public void start() {
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
    int wanted = Math.min(Streams.lanes(options), shards);
    for (int i = 0; i < wanted; i++) {
      ClosableQueue<EncodedSlot> empty = new ClosableQueue<>(AHEAD);
      for (int k = 0; k < AHEAD; k++) {
        empty.put(holder());
      }
      if (!open(i, empty)) {
        return;
      }
    }
    List<EncodedSlot> held = new ArrayList<>();
    var dealer = new Dealer();
    long dealt = 0;
    for (; dealer.position < limit; dealt++) {
      while (held.size() < window) {
        EncodedSlot fetched = nextFromLanes();
        if (fetched == null) {
          break;
        }
        held.add(fetched);
      }
      if (held.isEmpty()) {
        break;
      }
      int drawn = order.draw(held.size());
      EncodedSlot fetched = held.get(drawn);
      EncodedSlot last = held.removeLast();
      if (drawn < held.size()) {
        held.set(drawn, last);
      }
      if (dealt < done) {
        free.put(fetched);
      } else if (!dealer.deal(fetched, (dealt - done) % options.world())) {
        return;
      }
    }
    rest = Math.max(0, dealt - done);
    if (dealer.end()) {
      queue.end();
    }
  }

  /// Deals samples out to the ranks and passes on what comes to this one.
  private final class Dealer {
    private final RanksTail tail = options.ranksTail();
    private long position;

    /// This rank's sample of a round that is not full yet.
    private @Nullable EncodedSlot own;

    /// The sample dealt last, if it is another rank's.
    private @Nullable EncodedSlot last;

    /// @param place which rank it comes to
    /// @return false if the epoch is closed
    boolean deal(EncodedSlot fetched, long place) {
      recycle();
      if (place != options.rank()) {
        last = fetched;
      } else if (tail == RanksTail.DROP) {
        own = fetched;
      } else {
        return emit(fetched);
      }
      EncodedSlot mine = own;
      if (mine == null || place < options.world() - 1) {
        return true;
      }
      own = null;
      return emit(mine);
    }

    private void recycle() {
      EncodedSlot spare = last;
      if (spare != null) {
        last = null;
        free.put(spare);
      }
    }

    private boolean emit(EncodedSlot fetched) {
      fetched.position = position;
      if (!assembly.awaitRoom(position) || !queue.put(fetched)) {
        return false;
      }
      position++;
      return true;
    }

    /// Evens the ranks out and tells the epoch's length.
    ///
    /// @return false if the epoch is closed
    boolean end() {
      long samples = position;
      EncodedSlot repeated = last;
      long round = rest % options.world();
      boolean isShort = round > 0 && options.rank() >= round && position < limit;
      if (tail == RanksTail.PAD && isShort && repeated != null) {
        last = null;
        if (!emit(repeated)) {
          return false;
        }
      }
      long count = position;
      if (options.lastBatch() == LastBatch.DROP) {
        count -= count % options.batchSize();
      }
      assembly.end(count, Math.min(count, samples));
      return true;
    }
  }

  /// {@return samples of the epoch from where it was taken up, in all ranks; -1 before the end}
  public long rest() {
    return rest;
  }

  /// {@return the next sample of the lane whose turn it is, or null when all shards are read}
  private @Nullable EncodedSlot nextFromLanes() {
    while (!lanes.isEmpty()) {
      at %= lanes.size();
      Lane lane = lanes.get(at);
      EncodedSlot fetched = lane.full.take();
      if (fetched != null) {
        EncodedSlot spare = free.take();
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

  private synchronized boolean open(int place, ClosableQueue<EncodedSlot> empty) {
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
  public synchronized void stop() {
    closed = true;
    super.stop();
    for (Lane lane : lanes) {
      lane.empty.close();
      lane.full.close();
    }
  }
}
