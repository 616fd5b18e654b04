package io.headrace.load.deliver;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.memory.BatchBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The batches of a loader under construction: a ring of buffers that are filled by position, in
/// any order and by any thread, and handed out in order.
///
/// Positions are one stream for all epochs. Each epoch is a section of it that begins with a new
/// batch: batch b is of the positions from b × batch size on, and of the last batch of a section
/// some positions may stay unused.
///
///     positions  0 1 2 3 | 4 5 6 7 | 8 9 . . | 12 13 14 15 | …
///     sections   epoch of 10 samples         | the next one
///
/// Batch b has place b mod n, and only after the consumer has given batch b − n back. This bounds
/// memory, and is the backpressure on producers. A consumer may keep a buffer and give its place
/// back alone ([#keep]); a buffer that comes back goes to the first batch that has none.
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

    /// Whether there is a buffer, which the consumer has not kept.
    private volatile boolean here = true;

    private Part(BatchBuffer buffer, ReentrantLock lock, int place) {
      this.buffer = buffer;
      batch = place;
      room = lock.newCondition();
      ready = lock.newCondition();
      faults = new @Nullable CorruptDataException[buffer.capacity()];
    }

    /// {@return the number of the batch it holds, counted through all epochs}
    public long batch() {
      return batch;
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
  private final int batchSize;

  /// Those that have not been left, in order.
  private final List<Section> sections = new ArrayList<>();

  /// The batch that the next section begins with.
  private long nextFirst;

  private int held;
  private volatile boolean closed;
  private @Nullable Throwable failure;

  /// Batches from this one on are not filled any more.
  private volatile long failed = Long.MAX_VALUE;

  /// @param buffers the ring, free to use
  public BatchRing(List<BatchBuffer> buffers) {
    batchSize = buffers.getFirst().capacity();
    ring = new Part[buffers.size()];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Part(buffers.get(i), lock, i);
    }
  }

  public int size() {
    return ring.length;
  }

  /// Appends an epoch to the stream.
  ///
  /// @param count samples in it, or -1 until [#end] tells
  /// @param own those of them that are the rank's own; the ones after them are repeated
  /// @throws IllegalStateException if the length of the section before is not known
  public Section append(long count, long own) {
    lock.lock();
    try {
      if (nextFirst == Long.MAX_VALUE) {
        throw new IllegalStateException("the epoch before has no length yet");
      }
      var section = new Section(batchSize, nextFirst, count, own);
      sections.add(section);
      expectAll(section);
      return section;
    } finally {
      lock.unlock();
    }
  }

  private void expectAll(Section section) {
    nextFirst = section.end();
    for (Part part : ring) {
      if (part.batch >= section.first) {
        expect(part, part.batch);
      }
    }
  }

  /// Gives back the buffers of an epoch that the consumer needs no more. Batches that it still
  /// holds end with their epoch, unless it keeps them.
  ///
  /// @return whether that was possible: only if all its batches are filled, since a thread may be
  ///     filling the others
  public boolean leave(Section section) {
    lock.lock();
    try {
      for (Part part : ring) {
        boolean filled = part.complete || !section.has(part.batch);
        if (!filled || part.batch + ring.length < section.end()) {
          return false;
        }
      }
      for (Part part : ring) {
        if (section.has(part.batch)) {
          take(vacate(part));
        }
      }
      sections.remove(section);
      held = 0;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Drops all sections, so that another may be appended. No thread fills buffers any more.
  public void restart() {
    lock.lock();
    try {
      sections.clear();
      long last = 0;
      for (Part part : ring) {
        last = Math.max(last, part.batch);
      }
      nextFirst = last + 1;
      for (Part part : ring) {
        reset(part, nextFirst + Math.floorMod(part.batch - nextFirst, ring.length));
      }
      held = 0;
      closed = false;
      failure = null;
      failed = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
  }

  /// Takes a free buffer, for the first batch that has none.
  private void take(BatchBuffer buffer) {
    lock.lock();
    try {
      Part first = null;
      for (Part part : ring) {
        if (!part.here && (first == null || part.batch < first.batch)) {
          first = part;
        }
      }
      if (first != null) {
        first.buffer = buffer;
        first.here = true;
        first.room.signalAll();
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
    int slots = 0;
    int ownSlots = 0;
    for (int i = 0; i < sections.size(); i++) {
      Section section = sections.get(i);
      if (section.has(batch)) {
        slots = section.slots(section.count, batch);
        ownSlots = section.slots(section.own, batch);
      }
    }
    part.expected = slots;
    part.own = ownSlots;
  }

  /// Waits until the batch of `position` has a buffer.
  ///
  /// @return false if its epoch has come to nothing
  public boolean awaitRoom(long position) {
    long batch = position / batchSize;
    Part part = partOf(position);
    if (!hasRoom(part, batch)) {
      lock.lock();
      try {
        while (!hasRoom(part, batch) && goesOn(batch)) {
          part.room.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
    return goesOn(batch);
  }

  private boolean goesOn(long batch) {
    return !closed && batch < failed;
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
    return (int) (batch % ring.length);
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

  /// Says how many samples the last section has, where this was not known before.
  ///
  /// @param total samples
  /// @param ownTotal those of them that are the rank's own
  public void end(Section section, long total, long ownTotal) {
    lock.lock();
    try {
      section.count = total;
      section.own = ownTotal;
      expectAll(section);
      for (Part part : ring) {
        completeIfDone(part);
        part.ready.signalAll(); // there may be no such batch
      }
    } finally {
      lock.unlock();
    }
  }

  /// {@return samples in a section, or -1 if not known yet}
  public long count(Section section) {
    lock.lock();
    try {
      return section.count;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a batch.
  ///
  /// @param number of the batch in its section
  /// @return the batch, or null after the last one
  /// @throws IOException that a thread died of
  /// @throws IllegalStateException if the consumer holds all buffers itself, or a thread died of an
  ///     unexpected error
  public @Nullable Part await(Section section, long number) throws IOException {
    long batch = section.first + number;
    Part part = ring[indexOf(batch)];
    lock.lock();
    try {
      if (held == ring.length) {
        throw new IllegalStateException(
            "all %d batches are held: close one before asking for the next".formatted(held));
      }
      while (true) {
        if (batch >= section.end()) {
          return null;
        }
        Throwable cause = failure;
        if (cause != null && batch >= failed) {
          throw died(cause);
        }
        if (closed) {
          throw new IllegalStateException("epoch is closed");
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
  ///
  /// @param batch that it held, by [Part#batch()]; if that is over, nothing is done
  public void release(Part part, long batch) {
    lock.lock();
    try {
      if (part.batch == batch) {
        take(vacate(part));
      }
    } finally {
      lock.unlock();
    }
  }

  /// Gives a batch's place back, and not its buffer: the loader continues with the other buffers.
  ///
  /// @param batch that it held, by [Part#batch()]; if that is over, nothing is done
  /// @return gives the buffer back, at any time, also to an epoch that follows
  public Runnable keep(Part part, long batch) {
    lock.lock();
    try {
      if (part.batch != batch) {
        return () -> {};
      }
      BatchBuffer buffer = vacate(part);
      return () -> take(buffer);
    } finally {
      lock.unlock();
    }
  }

  /// Makes a place ready for its next batch, without a buffer.
  ///
  /// @return the buffer it had
  private BatchBuffer vacate(Part part) {
    held--;
    part.here = false;
    reset(part, part.batch + ring.length);
    return part.buffer;
  }

  /// Ends epochs because a thread died of something other than a fault of the data.
  ///
  /// @param from the position that nothing is filled from any more; what lies before still is
  public void fail(Throwable cause, long from) {
    lock.lock();
    try {
      long batch = from / batchSize;
      if (batch < failed) {
        failed = batch;
        failure = cause;
      }
      wakeAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends all epochs: nobody waits any more.
  public void close() {
    lock.lock();
    try {
      closed = true;
      wakeAll();
    } finally {
      lock.unlock();
    }
  }

  private void wakeAll() {
    for (Part part : ring) {
      part.room.signalAll();
      part.ready.signalAll();
    }
  }
}
