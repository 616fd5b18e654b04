package io.headrace.load;

import org.jspecify.annotations.Nullable;

/// A bounded queue that can be closed: then nobody waits on it any more. Items are put and taken
/// one by one or by the handful, which costs one lock however many they are.
///
/// The lock is the queue's own monitor: waiting on it allocates nothing, unlike on a condition of
/// `java.util.concurrent`. Only threads of the loader wait here, never virtual ones. An interrupt
/// does not end a wait; it is kept.
final class Handoff<T> {
  private final @Nullable Object[] ring;
  private int first;
  private int count;
  private int takers;
  private int putters;
  private boolean closed;
  private boolean ended;

  Handoff(int capacity) {
    ring = new Object[capacity];
  }

  /// Waits for a place and puts `item` there.
  ///
  /// @return false if the queue is closed and the item was not taken
  synchronized boolean put(T item) {
    return putOne(item);
  }

  /// Puts the first `n` of `items`, waiting for places where there are none.
  ///
  /// @return false if the queue is closed and not all were taken
  synchronized boolean putAll(T[] items, int n) {
    for (int i = 0; i < n; i++) {
      if (!putOne(items[i])) {
        return false;
      }
    }
    return true;
  }

  private synchronized boolean putOne(T item) {
    boolean interrupted = false;
    while (count == ring.length && !closed) {
      putters++;
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      putters--;
    }
    keep(interrupted);
    if (closed) {
      return false;
    }
    ring[(first + count++) % ring.length] = item;
    wake(takers, putters);
    return true;
  }

  /// {@return the oldest item, or null once the queue is closed, or ended and empty}
  synchronized @Nullable T take() {
    return awaitItem() ? takeOne() : null;
  }

  /// Waits for an item and takes it, and those that are there behind it.
  ///
  /// @param into takes the items
  /// @param most items to take, at least 1
  /// @return how many were taken; 0 once the queue is closed, or ended and empty
  synchronized int take(T[] into, int most) {
    if (!awaitItem()) {
      return 0;
    }
    int n = Math.min(most, count);
    for (int i = 0; i < n; i++) {
      into[i] = takeOne();
    }
    return n;
  }

  private synchronized boolean awaitItem() {
    boolean interrupted = false;
    while (count == 0 && !closed && !ended) {
      takers++;
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      takers--;
    }
    keep(interrupted);
    return !closed && count > 0;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what was put in, of which there is one at least
  private synchronized T takeOne() {
    T item = (T) ring[first];
    ring[first] = null;
    first = (first + 1) % ring.length;
    count--;
    wake(putters, takers);
    return item;
  }

  /// Wakes one of those who wait for what there is now. Where others wait too, all are woken: the
  /// monitor does not tell them apart.
  private synchronized void wake(int wanted, int others) {
    if (wanted > 0) {
      if (others == 0) {
        notify();
      } else {
        notifyAll();
      }
    }
  }

  private static void keep(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized int size() {
    return count;
  }

  /// Says that no more items will come: what is in the queue can still be taken.
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /// Drops everything and wakes everybody.
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
