package io.headrace.flight;

import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import io.headrace.order.Deal;
import io.headrace.order.Stride;
import io.headrace.serve.Messages;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Sends the batches of one request. A batch is sent from where it was decoded, and its memory is
/// filled again when it has left; so a consumer that takes nothing holds at most the loader's
/// memory.
final class FeedStream {
  /// How often a stream that waits looks whether its consumer is still there.
  private static final int LOOK_MILLIS = 100;

  private final Loader loader;
  private final Request request;
  private final Deal deal;
  private final ServerStreamListener listener;
  private final BufferAllocator allocator;
  private final long done;
  private final int slots;
  private final Semaphore free;
  private boolean holding;
  private final BackpressureStrategy pressure =
      new BackpressureStrategy.CallbackBackpressureStrategy();

  /// @param loader of the request's rank
  /// @param request what to send
  /// @param deal how the rank's part of an epoch is dealt out
  FeedStream(
      Loader loader,
      Request request,
      Deal deal,
      ServerStreamListener listener,
      BufferAllocator allocator) {
    this.loader = loader;
    this.deal = deal;
    this.request = request;
    this.listener = listener;
    this.allocator = allocator;
    slots = loader.batchesInMemory() - 1; // the loader must always have one
    free = new Semaphore(slots);
    String state = request.state();
    done = state == null ? 0 : LoaderState.parse(state).done();
    pressure.register(listener);
  }

  /// Sends all of it, or what the consumer takes, and then why there is no more. Returns when no
  /// batch is in use.
  ///
  /// @return what went wrong, as the consumer was told, or null
  @Nullable Exception send(boolean compressed) {
    Exception failure = null;
    try (Columns columns = new Columns(loader.layout(), allocator, compressed)) {
      listener.setUseZeroCopy(true);
      listener.start(columns.root());
      failure = send(columns);
    } finally {
      free.acquireUninterruptibly(slots);
    }
    return failure;
  }

  private @Nullable Exception send(Columns columns) {
    try (Epoch epoch = begin()) {
      long rest = loader.plan(done).samples();
      while (waitForSlot()) {
        Batch batch = epoch.next();
        if (batch == null) {
          giveUp();
          say(end(epoch.report()));
          listener.completed();
          return null;
        }
        send(columns, batch, epoch, rest);
        if (!waitForConsumer()) {
          return null;
        }
      }
      return null;
    } catch (IOException | RuntimeException e) {
      giveUp();
      if (listener.isCancelled()) {
        return null;
      }
      say(Messages.error(0, e));
      listener.completed();
      return e;
    }
  }

  private Epoch begin() {
    String state = request.state();
    Stride stride = request.stride();
    Epoch begun =
        state == null
            ? loader.epoch(request.epoch(), 0, stride)
            : loader.epoch(LoaderState.parse(state), stride);
    if (request.next() >= 0 && stride.first() < stride.step()) { // else it is of a server that went
      loader.announce(request.next(), stride);
    }
    return begun;
  }

  private boolean waitForSlot() {
    try {
      while (!free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (listener.isCancelled()) {
          return false;
        }
      }
      holding = true;
      return !listener.isCancelled() || giveUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Gives back a slot that no batch was sent from.
  private boolean giveUp() {
    if (holding) {
      holding = false;
      free.release();
    }
    return false;
  }

  /// Waits until what was sent has left, for the most part: where gRPC copies messages, memory is
  /// bounded by this.
  private boolean waitForConsumer() {
    while (true) {
      switch (pressure.waitForListener(LOOK_MILLIS)) {
        case READY -> {
          return true;
        }
        case CANCELLED, OTHER -> {
          return false;
        }
        case TIMEOUT -> {
          if (listener.isCancelled()) {
            return false;
          }
        }
      }
    }
  }

  /// @param rest samples of the epoch from where it was resumed, in all ranks
  private void send(Columns columns, Batch batch, Epoch epoch, long rest) {
    batch.keep(); // until the message has left, whatever becomes of the epoch
    ArrowBuf memory =
        allocator.wrapForeignAllocation(
            new ForeignAllocation(loader.layout().bytes(), batch.data().address()) {
              @Override
              protected void release0() {
                batch.close();
                free.release();
              }
            });
    holding = false;
    try {
      columns.set(batch, memory);
      listener.putNext(text(message(batch, epoch, rest)));
    } finally {
      columns.release();
      memory.close();
    }
  }

  private Map<String, Object> message(Batch batch, Epoch epoch, long rest) {
    int batchSize = deal.batch();
    long number = epoch.place();
    long taken = Math.min(deal.count(rest), (number + 1) * batchSize);
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", "batch");
    map.put("number", number);
    map.put("epoch", batch.epoch());
    map.put("size", batch.size());
    map.put("valid", batch.validCount());
    map.put("done", done + Math.min(rest, taken * deal.world()));
    map.put("counts", Messages.counts(epoch.report()));
    return map;
  }

  private Map<String, Object> end(EpochReport report) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", "end");
    map.put("epoch", report.epoch());
    map.put("state", loader.stateAt(report.epoch() + 1).toJson());
    map.put("seconds", report.seconds());
    map.put("counts", Messages.counts(report));
    return map;
  }

  private void say(Map<String, Object> message) {
    listener.putMetadata(text(message));
  }

  private ArrowBuf text(Map<String, Object> message) {
    byte[] json = JsonMapper.shared().writeValueAsBytes(message);
    ArrowBuf made = allocator.buffer(json.length);
    made.writeBytes(json);
    return made;
  }
}
