package io.headrace.load.deliver;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A bounded queue that can be closed: then nobody waits on it any more. Items are put and taken
/// one by one or several at a time, for one lock however many they are.
///
/// Each end has a lock of its own: threads that put do not block threads that take, and none is
/// woken for what the other end waits for. An item put into an empty queue wakes one taker; a taker
/// that leaves an item wakes the next. So at most one taker is awake for each item, and those who
/// would find nothing sleep on. The same holds for free places and putters. Source:
/// the two-lock queue of Michael and Scott (PODC 1996), with a count and wake-ups passed on as in
/// `java.util.concurrent.LinkedBlockingQueue`.
///
/// The locks are monitors: waiting on one allocates nothing, unlike on a condition of
/// `java.util.concurrent`. Only threads of the loader wait here, never virtual ones. An interrupt
/// does not end a wait; it is kept.
public final class ClosableQueue<T> {
  private final @Nullable Object[] ring;
  private final AtomicInteger count = new AtomicInteger();
  private final End puts = new End();
  private final End takes = new End();
  private volatile boolean closed;
  private volatile boolean ended;

  /// One end, with its lock.
  private static final class End {
    /// Where the next item is put or taken.
    private int next;

    private int waiting;

    synchronized void wakeOne() {
      if (waiting > 0) {
        notify();
      }
    }

    synchronized void wakeAll() {
      if (waiting > 0) {
        notifyAll();
      }
    }
  }

  public ClosableQueue(int capacity) {
    ring = new Object[capacity];
  }

  /// Waits for a place and puts `item` there.
  ///
  /// @return false if the queue is closed and the item was not taken
  public boolean put(T item) {
    int before;
    synchronized (puts) {
      if (awaitPlaces() == 0) {
        return false;
      }
      append(item);
      before = added(1);
    }
    wakeTaker(before);
    return true;
  }

  /// Puts the first `n` of `items`, waiting for places where there are none.
  ///
  /// @return false if the queue is closed and not all were taken
  public boolean putAll(T[] items, int n) {
    for (int done = 0; done < n; ) {
      int before;
      synchronized (puts) {
        int places = Math.min(awaitPlaces(), n - done);
        if (places == 0) {
          return false;
        }
        for (int i = 0; i < places; i++) {
          append(items[done + i]);
        }
        before = added(places);
        done += places;
      }
      wakeTaker(before);
    }
    return true;
  }

  /// Waits for places. Under the putters' lock.
  ///
  /// @return how many there are at least, until the lock is left; 0 once the queue is closed
  private int awaitPlaces() {
    boolean interrupted = false;
    synchronized (puts) {
      while (count.get() == ring.length && !closed) {
        puts.waiting++;
        try {
          puts.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
        puts.waiting--;
      }
    }
    keep(interrupted);
    return closed ? 0 : ring.length - count.get();
  }

  private void append(T item) {
    ring[puts.next] = item;
    puts.next = after(puts.next);
  }

  /// Lets takers see items, and wakes the next putter if a place is left.
  ///
  /// @return how many items there were before
  private int added(int items) {
    int before = count.getAndAdd(items);
    if (before + items < ring.length) {
      puts.wakeOne();
    }
    return before;
  }

  private void wakeTaker(int before) {
    if (before == 0) {
      takes.wakeOne();
    }
  }

  /// {@return the oldest item, or null once the queue is closed, or ended and empty}
  public @Nullable T take() {
    T item;
    int before;
    synchronized (takes) {
      if (awaitItems() == 0) {
        return null;
      }
      item = remove();
      before = removed(1);
    }
    wakePutter(before);
    return item;
  }

  /// Waits for an item and takes it, and those that are there after it.
  ///
  /// @param into takes the items
  /// @param most items to take, at least 1
  /// @return how many were taken; 0 once the queue is closed, or ended and empty
  public int take(T[] into, int most) {
    int n;
    int before;
    synchronized (takes) {
      n = Math.min(awaitItems(), most);
      if (n == 0) {
        return 0;
      }
      for (int i = 0; i < n; i++) {
        into[i] = remove();
      }
      before = removed(n);
    }
    wakePutter(before);
    return n;
  }

  /// Waits for items. Under the takers' lock.
  ///
  /// @return how many there are at least, until the lock is left; 0 once the queue is closed, or
  ///     ended and empty
  private int awaitItems() {
    boolean interrupted = false;
    synchronized (takes) {
      while (count.get() == 0 && !closed && !ended) {
        takes.waiting++;
        try {
          takes.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
        takes.waiting--;
      }
    }
    keep(interrupted);
    return closed ? 0 : count.get();
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // there is at least one item
  private T remove() {
    T item = (T) ring[takes.next];
    ring[takes.next] = null;
    takes.next = after(takes.next);
    return item;
  }

  /// Gives places back, and wakes the next taker if an item is left.
  ///
  /// @return how many items there were before
  private int removed(int items) {
    int before = count.getAndAdd(-items);
    if (before > items) {
      takes.wakeOne();
    }
    return before;
  }

  private void wakePutter(int before) {
    if (before == ring.length) {
      puts.wakeOne();
    }
  }

  private int after(int index) {
    return index + 1 == ring.length ? 0 : index + 1;
  }

  private static void keep(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// {@return items that are there now}
  public int size() {
    return count.get();
  }

  /// Says that no more items will come, unless the queue is resumed: what is in it can still be
  /// taken.
  public void end() {
    ended = true;
    takes.wakeAll();
  }

  /// Says that more items will come after all.
  public void resume() {
    ended = false;
  }

  /// Drops everything and wakes everybody.
  public void close() {
    closed = true;
    puts.wakeAll();
    takes.wakeAll();
  }
}
