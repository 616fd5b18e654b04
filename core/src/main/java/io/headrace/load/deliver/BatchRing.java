package io.headrace.load.deliver;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.memory.BatchBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The batches of an epoch under construction: a ring of buffers that are filled by position, in
/// any order and by any thread, and handed out in order.
///
/// Batch b has place (first + b) mod n, and only after the consumer has given batch b − n back.
/// This bounds memory, and is the backpressure on producers. A consumer may keep a buffer and give
/// its
/// place back alone ([#keep]); a buffer that comes back goes to the first batch that has none.
/// Buffers that an epoch no longer needs pass to the next epoch, if that has begun.
///
/// A thread waits for one buffer, and is woken only for it: producers when it is given back, the
/// consumer when its batch is complete. Where there is room already no thread takes the lock.
public final class BatchRing {
  /// A buffer with the bookkeeping of the batch it holds.
  public static final class Part {
    /// Changes from batch to batch if the consumer keeps buffers. Written before `here`.
    public BatchBuffer buffer;

    public final @Nullable CorruptDataException[] faults;
    private final Condition room;
    private final Condition ready;
    private final AtomicInteger done = new AtomicInteger();

    /// Set last of all where the buffer is made ready for it.
    private volatile long batch;

    private volatile int expected;
    private volatile int own;
    private boolean complete;

    /// Whether there is a buffer: it has come from the epoch before, and is neither passed on nor
    /// kept by the consumer.
    private volatile boolean here;

    private Part(BatchBuffer buffer, ReentrantLock lock) {
      this.buffer = buffer;
      room = lock.newCondition();
      ready = lock.newCondition();
      faults = new @Nullable CorruptDataException[buffer.capacity()];
    }

    /// {@return slots of this batch}
    public int expected() {
      return expected;
    }

    /// {@return those of the slots that hold the rank's own samples; the others repeat one}
    int own() {
      return own;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Part[] ring;
  private final int first;
  private final int batchSize;
  private long count;
  private long own;
  private int held;
  private boolean left;
  private volatile boolean closed;
  private @Nullable Throwable failure;
  private @Nullable BatchRing next;

  /// @param buffers the ring, free to use
  /// @param count samples in the epoch, or -1 until [#end] tells
  /// @param own those of them that are the rank's own; the ones after them are repeated
  public BatchRing(List<BatchBuffer> buffers, long count, long own) {
    this(buffers, count, own, 0, true);
  }

  private BatchRing(List<BatchBuffer> buffers, long count, long own, int first, boolean here) {
    this.count = count;
    this.own = own;
    this.first = first;
    batchSize = buffers.getFirst().capacity();
    ring = new Part[buffers.size()];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Part(buffers.get(i), lock);
      ring[i].here = here;
      reset(ring[i], (i - first + ring.length) % ring.length);
    }
  }

  /// {@return the ring of the epoch after this one. It gets the buffers that this one no longer
  /// needs, now and later: all of them, once this one has been left}
  ///
  /// @param nextCount samples in that epoch
  /// @param nextOwn those of them that are the rank's own
  /// @throws IllegalStateException if this one runs and its length is not known, or it has been
  ///     followed
  public BatchRing follow(long nextCount, long nextOwn) {
    lock.lock();
    try {
      if ((count < 0 && !left) || next != null) {
        throw new IllegalStateException(next == null ? "length is not known" : "followed already");
      }
      List<BatchBuffer> buffers = Arrays.stream(ring).map(part -> part.buffer).toList();
      int start = left ? 0 : (int) ((first + Math.ceilDiv(count, batchSize)) % ring.length);
      var following = new BatchRing(buffers, nextCount, nextOwn, start, false);
      next = following;
      passOn(following);
      return following;
    } finally {
      lock.unlock();
    }
  }

  /// Passes on the buffers that are here and no longer needed.
  private void passOn(BatchRing to) {
    for (Part part : ring) {
      if (part.here && needsNone(part)) {
        part.here = false;
        to.take(part.buffer);
      }
    }
  }

  private boolean needsNone(Part part) {
    return left || part.expected == 0;
  }

  /// Takes a free buffer, for the first batch that has none or for an epoch after this one.
  void take(BatchBuffer buffer) {
    lock.lock();
    try {
      BatchRing following = next;
      Part first = null;
      for (Part part : ring) {
        if (!part.here
            && (following == null || !needsNone(part))
            && (first == null || part.batch < first.batch)) {
          first = part;
        }
      }
      if (first != null) {
        first.buffer = buffer;
        first.here = true;
        first.room.signalAll();
      } else if (following != null) {
        following.take(buffer);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Passes all buffers on, now or to the epoch that will follow. No thread fills them any more.
  /// Batches that the consumer still holds end with their epoch, unless it keeps them.
  public void leave() {
    lock.lock();
    try {
      left = true;
      BatchRing following = next;
      if (following != null) {
        passOn(following);
      }
    } finally {
      lock.unlock();
    }
  }

  private void reset(Part part, long batch) {
    part.done.set(0);
    expect(part, batch);
    part.complete = false;
    Arrays.fill(part.faults, null);
    part.batch = batch;
  }

  private void expect(Part part, long batch) {
    part.expected = slots(count, batch);
    part.own = slots(own, batch);
  }

  private int slots(long total, long batch) {
    return count < 0 ? batchSize : (int) Math.clamp(total - batch * batchSize, 0, (long) batchSize);
  }

  /// Waits until the batch of `position` has a buffer.
  ///
  /// @return false if the epoch is closed
  public boolean awaitRoom(long position) {
    long batch = position / batchSize;
    Part part = partOf(position);
    if (!hasRoom(part, batch)) {
      lock.lock();
      try {
        while (!hasRoom(part, batch) && !closed) {
          part.room.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
    return !closed;
  }

  /// {@return whether a batch has a free buffer; it then keeps it until it is filled}
  private static boolean hasRoom(Part part, long batch) {
    return part.batch == batch && part.here;
  }

  /// {@return the batch of `position`, which has room}
  public Part partOf(long position) {
    return ring[indexOf(position / batchSize)];
  }

  private int indexOf(long batch) {
    return (int) ((first + batch) % ring.length);
  }

  public int slotOf(long position) {
    return (int) (position % batchSize);
  }

  /// Notes that some slots are filled, or hold faults.
  public void slotsDone(Part part, int slots) {
    if (part.done.addAndGet(slots) == part.expected) {
      completeIfDone(part);
    }
  }

  private void completeIfDone(Part part) {
    lock.lock();
    try {
      if (!part.complete && part.expected > 0 && part.done.get() == part.expected) {
        part.complete = true;
        part.ready.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Says how many samples the epoch has, where this was not known before.
  ///
  /// @param total samples
  /// @param ownTotal those of them that are the rank's own
  public void end(long total, long ownTotal) {
    lock.lock();
    try {
      count = total;
      own = ownTotal;
      for (Part part : ring) {
        expect(part, part.batch);
        completeIfDone(part);
        part.ready.signalAll(); // there may be no such batch
      }
    } finally {
      lock.unlock();
    }
  }

  /// {@return samples in the epoch, or -1 if not known yet}
  public long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a batch.
  ///
  /// @return the batch, or null after the last one
  /// @throws IOException that a thread died of
  /// @throws IllegalStateException if the consumer holds all buffers itself, or a thread died of an
  ///     unexpected error
  public @Nullable Part await(long batch) throws IOException {
    Part part = ring[indexOf(batch)];
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
        part.ready.awaitUninterruptibly();
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
  public void release(Part part) {
    lock.lock();
    try {
      BatchBuffer buffer = vacate(part);
      if (buffer != null) {
        take(buffer);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Gives a batch's place back, and not its buffer: the loader continues with the other buffers.
  ///
  /// @return gives the buffer back, at any time, also to an epoch that follows
  public Runnable keep(Part part) {
    lock.lock();
    try {
      BatchBuffer buffer = vacate(part);
      return buffer == null ? () -> {} : () -> take(buffer);
    } finally {
      lock.unlock();
    }
  }

  /// Makes a place ready for its next batch, without a buffer.
  ///
  /// @return the buffer it had, or null if that went on with the end of the epoch
  private @Nullable BatchBuffer vacate(Part part) {
    held--;
    BatchBuffer buffer = part.here ? part.buffer : null;
    part.here = false;
    reset(part, part.batch + ring.length);
    return buffer;
  }

  /// Ends the epoch because a thread died of something other than a fault of the data.
  public void fail(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      closeNow();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the epoch: nobody waits any more.
  public void close() {
    lock.lock();
    try {
      closeNow();
    } finally {
      lock.unlock();
    }
  }

  /// Wakes everybody, under the lock.
  private void closeNow() {
    closed = true;
    for (Part part : ring) {
      part.room.signalAll();
      part.ready.signalAll();
    }
  }
}
