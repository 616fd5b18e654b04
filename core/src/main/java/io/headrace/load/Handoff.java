package io.headrace.load;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A bounded queue that can be closed: then nobody waits on it any more. Items are put and taken
/// one by one or by the handful, which costs one lock however many they are.
final class Handoff<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition drained = lock.newCondition();
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
  boolean put(T item) {
    lock.lock();
    try {
      return putOne(item);
    } finally {
      lock.unlock();
    }
  }

  /// Puts the first `n` of `items`, waiting for places where there are none.
  ///
  /// @return false if the queue is closed and not all were taken
  boolean putAll(T[] items, int n) {
    lock.lock();
    try {
      for (int i = 0; i < n; i++) {
        if (!putOne(items[i])) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean putOne(T item) {
    while (count == ring.length && !closed) {
      putters++;
      drained.awaitUninterruptibly();
      putters--;
    }
    if (closed) {
      return false;
    }
    ring[(first + count++) % ring.length] = item;
    if (takers > 0) {
      filled.signal();
    }
    return true;
  }

  /// {@return the oldest item, or null once the queue is closed, or ended and empty}
  @Nullable T take() {
    lock.lock();
    try {
      return awaitItem() ? takeOne() : null;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for an item and takes it, and those that are there behind it.
  ///
  /// @param into takes the items
  /// @param most items to take, at least 1
  /// @return how many were taken; 0 once the queue is closed, or ended and empty
  int take(T[] into, int most) {
    lock.lock();
    try {
      if (!awaitItem()) {
        return 0;
      }
      int n = Math.min(most, count);
      for (int i = 0; i < n; i++) {
        into[i] = takeOne();
      }
      return n;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitItem() {
    while (count == 0 && !closed && !ended) {
      takers++;
      filled.awaitUninterruptibly();
      takers--;
    }
    return !closed && count > 0;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what was put in, of which there is one at least
  private T takeOne() {
    T item = (T) ring[first];
    ring[first] = null;
    first = (first + 1) % ring.length;
    count--;
    if (putters > 0) {
      drained.signal();
    }
    return item;
  }

  int size() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Says that no more items will come: what is in the queue can still be taken.
  void end() {
    lock.lock();
    try {
      ended = true;
      filled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Drops everything and wakes everybody.
  void close() {
    lock.lock();
    try {
      closed = true;
      filled.signalAll();
      drained.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
