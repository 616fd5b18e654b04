package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.memory.BatchBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The batches of an epoch under construction: a ring of buffers that are filled by position, in
/// any order and by any thread, and handed out in order.
///
/// Batch b uses buffer b mod n, and only after the consumer has given batch b − n back: that is
/// what bounds memory and makes producers wait.
final class Assembly {
  /// A buffer with the bookkeeping of the batch it holds.
  static final class Part {
    final BatchBuffer buffer;
    final @Nullable CorruptDataException[] faults;
    private final AtomicInteger done = new AtomicInteger();
    private long batch;
    private volatile int expected;
    private volatile int own;
    private boolean complete;

    Part(BatchBuffer buffer) {
      this.buffer = buffer;
      faults = new @Nullable CorruptDataException[buffer.capacity()];
    }

    /// {@return slots of this batch}
    int expected() {
      return expected;
    }

    /// {@return of these, slots with samples of the rank's own; the others repeat one}
    int own() {
      return own;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition ready = lock.newCondition();
  private final Part[] ring;
  private final int batchSize;
  private long count;
  private long own;
  private int held;
  private boolean closed;
  private @Nullable Throwable failure;

  /// @param buffers the ring, free to use
  /// @param count samples in the epoch, or -1 until [#end] tells
  /// @param own of these, the rank's own; those behind them are repeated
  Assembly(BatchBuffer[] buffers, long count, long own) {
    this.count = count;
    this.own = own;
    batchSize = buffers[0].capacity();
    ring = new Part[buffers.length];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Part(buffers[i]);
      reset(ring[i], i);
    }
  }

  private void reset(Part part, long batch) {
    part.batch = batch;
    part.done.set(0);
    expect(part);
    part.complete = false;
    Arrays.fill(part.faults, null);
  }

  private void expect(Part part) {
    part.expected = slots(count, part.batch);
    part.own = slots(own, part.batch);
  }

  private int slots(long total, long batch) {
    return count < 0 ? batchSize : (int) Math.clamp(total - batch * batchSize, 0, (long) batchSize);
  }

  /// Waits until the batch of `position` has a buffer.
  ///
  /// @return false if the epoch is closed
  boolean awaitRoom(long position) {
    long batch = position / batchSize;
    Part part = ring[(int) (batch % ring.length)];
    lock.lock();
    try {
      while (part.batch != batch && !closed) {
        room.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /// {@return the batch of `position`, which has room}
  Part partOf(long position) {
    return ring[(int) (position / batchSize % ring.length)];
  }

  int slotOf(long position) {
    return (int) (position % batchSize);
  }

  /// Notes that some slots are filled, or hold faults.
  void slotsDone(Part part, int slots) {
    if (part.done.addAndGet(slots) == part.expected) {
      completeIfDone(part);
    }
  }

  private void completeIfDone(Part part) {
    lock.lock();
    try {
      if (!part.complete && part.expected > 0 && part.done.get() == part.expected) {
        part.complete = true;
        ready.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Says how many samples the epoch has, where this was not known before.
  ///
  /// @param total samples
  /// @param ownTotal of these, the rank's own
  void end(long total, long ownTotal) {
    lock.lock();
    try {
      count = total;
      own = ownTotal;
      for (Part part : ring) {
        expect(part);
        completeIfDone(part);
      }
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// {@return samples in the epoch, or -1 if not known yet}
  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a batch.
  ///
  /// @return the batch, or null behind the last one
  /// @throws IOException that a thread died of
  /// @throws IllegalStateException if the consumer holds all buffers itself, or a thread died of
  ///     something unforeseen
  @Nullable Part await(long batch) throws IOException {
    Part part = ring[(int) (batch % ring.length)];
    lock.lock();
    try {
      if (held == ring.length) {
        throw new IllegalStateException(
            "all %d batches are held: close one before asking for the next".formatted(held));
      }
      while (true) {
        Throwable cause = failure;
        if (cause != null) {
          throw died(cause);
        }
        if (closed) {
          throw new IllegalStateException("epoch is closed");
        }
        if (count >= 0 && batch * batchSize >= count) {
          return null;
        }
        if (part.batch == batch && part.complete) {
          held++;
          return part;
        }
        ready.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private static RuntimeException died(Throwable cause) throws IOException {
    return switch (cause) {
      case IOException e -> throw e;
      case ConfigException e -> throw e;
      default -> new IllegalStateException("a loader thread died", cause);
    };
  }

  /// Gives a batch's buffer back.
  void release(Part part) {
    lock.lock();
    try {
      held--;
      reset(part, part.batch + ring.length);
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the epoch because a thread died of something that is no fault of the data.
  void fail(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      closed = true;
      room.signalAll();
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the epoch: nobody waits any more.
  void close() {
    lock.lock();
    try {
      closed = true;
      room.signalAll();
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
