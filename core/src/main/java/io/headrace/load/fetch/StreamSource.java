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
import io.headrace.order.OrderSpec;
import io.headrace.order.RanksTail;
import io.headrace.order.StreamOrder;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads shards that can only be read from their start.
///
/// Several shards are read at once, each by a thread of its own (a lane) with a few samples read
/// ahead. One sequencer takes a sample from each lane in turn, passes them through the shuffle
/// window and deals them out to the ranks. So the order depends only on the shards' contents and
/// the seed.
/// Every rank reads all shards and keeps its share. A sample has no number before it is read, so
/// fidelities of a mixture are drawn for each shard.
public final class StreamSource extends SampleSource {
  private static final int AHEAD = 16;

  private final Dataset dataset;
  private final StreamOrder order;
  private final LoadOptions options;
  private final int shards;
  private final int window;
  private final int queued;
  private final long done;
  private final Pass pass;
  private final List<Lane> lanes = new ArrayList<>();
  private int turn;
  private int at;
  private boolean closed;

  /// @param done samples that all ranks have had
  public StreamSource(SourceSetting setting, Pass pass, long done) {
    LoadOptions options = setting.load().options();
    int window = Streams.window(options);
    int holders = window + setting.queued() + options.threads() + 3;
    super(setting, pass, holders, holders, setting.queued());
    dataset = setting.load().dataset();
    this.options = options;
    queued = setting.queued();
    this.window = window;
    this.done = done;
    this.pass = pass;
    shards = dataset.shards().size();
    order =
        new StreamOrder(
            shards,
            !(options.order() instanceof OrderSpec.Buffer) && options.shuffle(),
            options.shuffle(),
            options.seed(),
            pass.epoch);
  }

  /// One shard being read.
  private final class Lane {
    private final FidelityCounts fidelity = pass.fidelity;
    private final Meters meters = pass.meters;
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
          EncodedSlot slot = empty.take();
          if (slot == null) {
            return;
          }
          slot.fault = null;
          long cpu = Cpu.ofThisThread();
          long start = System.nanoTime();
          try {
            more = cursor.next(slot.sample);
          } catch (IOException e) {
            slot.fault = faultOf(e, slot.sample.location());
          }
          long now = cursor.bytesRead();
          fidelity.add(groups, more ? 1 : 0, now - before);
          meters.stored(now - before);
          before = now;
          if (!more) {
            empty.put(slot);
            return;
          }
          long nanos = System.nanoTime() - start;
          cpu = Cpu.ofThisThread() - cpu;
          meters.add(Stage.READ, nanos, cpu, 1, slot.sample.encodedBytes());
          more = slot.fault == null || cursor.resumable();
          if (!full.put(slot)) {
            return;
          }
        }
      } catch (IOException e) {
        emitFault(faultOf(e, Location.of(dataset.shards().get(shard).toString())));
      } catch (RuntimeException | Error e) {
        ring.fail(e, 0);
      } finally {
        full.end();
      }
    }

    /// A shard that cannot even be opened is one fault in the stream.
    private void emitFault(CorruptDataException e) {
      EncodedSlot slot = empty.take();
      if (slot != null) {
        slot.fault = e;
        full.put(slot);
      }
    }
  }

  @Override
  public int places() {
    return queued;
  }

  @Override
  public void start() {
    run(
        "sequence",
        () -> {
          try {
            sequence();
          } catch (RuntimeException | Error e) {
            ring.fail(e, 0);
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
    for (; dealer.position < options.most(); dealt++) {
      while (held.size() < window) {
        EncodedSlot slot = nextFromLanes();
        if (slot == null) {
          break;
        }
        held.add(slot);
      }
      if (held.isEmpty()) {
        break;
      }
      int drawn = order.draw(held.size());
      EncodedSlot slot = held.get(drawn);
      EncodedSlot last = held.removeLast();
      if (drawn < held.size()) {
        held.set(drawn, last);
      }
      if (dealt < done) {
        free.put(slot);
      } else if (!dealer.deal(slot, (dealt - done) % options.world())) {
        return;
      }
    }
    pass.rest(Math.max(0, dealt - done));
    if (dealer.end()) {
      readerDone(pass);
    }
  }

  /// Deals samples out to the ranks and passes on those of this one.
  private final class Dealer {
    private final RanksTail tail = options.ranksTail();
    private long position;

    /// This rank's sample of a round that is not full yet.
    private @Nullable EncodedSlot own;

    /// The sample dealt last, if it is another rank's.
    private @Nullable EncodedSlot last;

    /// @param place the rank that gets it
    /// @return false if the epoch is closed
    boolean deal(EncodedSlot slot, long place) {
      recycle();
      if (place != options.rank()) {
        last = slot;
      } else if (tail == RanksTail.DROP) {
        own = slot;
      } else {
        return emit(slot);
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

    private boolean emit(EncodedSlot slot) {
      slot.position = pass.section.start() + position;
      if (!ring.awaitRoom(slot.position) || !queue.put(slot)) {
        return false;
      }
      position++;
      return true;
    }

    /// Tells the epoch's length and gives all ranks the same number, in this order: a batch that is
    /// full is handed out at once, and must know by then which of its samples is repeated.
    ///
    /// @return false if the epoch is closed
    boolean end() {
      long samples = position;
      EncodedSlot repeated = last;
      long round = pass.rest() % options.world();
      boolean isShort = round > 0 && options.rank() >= round && samples < options.most();
      boolean repeats = tail == RanksTail.PAD && isShort && repeated != null;
      long count = repeats ? samples + 1 : samples;
      if (options.lastBatch() == LastBatch.DROP) {
        count -= count % options.batchSize();
      }
      ring.end(pass.section, count, Math.min(count, samples));
      if (count <= samples || repeated == null) {
        return true;
      }
      last = null;
      return emit(repeated);
    }
  }

  /// {@return the next sample of the lane whose turn it is, or null when all shards are read}
  private @Nullable EncodedSlot nextFromLanes() {
    while (!lanes.isEmpty()) {
      at %= lanes.size();
      Lane lane = lanes.get(at);
      EncodedSlot slot = lane.full.take();
      if (slot != null) {
        EncodedSlot spare = free.take();
        if (spare == null) {
          return null;
        }
        lane.empty.put(spare);
        at++;
        return slot;
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
