package io.headrace.load;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A bounded queue that can be closed: then nobody waits on it any more.
final class Handoff<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition drained = lock.newCondition();
  private final ArrayDeque<T> items;
  private final int capacity;
  private boolean closed;
  private boolean ended;

  Handoff(int capacity) {
    this.capacity = capacity;
    items = new ArrayDeque<>(capacity);
  }

  /// Waits for a place and puts `item` there.
  ///
  /// @return false if the queue is closed and the item was not taken
  boolean put(T item) {
    lock.lock();
    try {
      while (items.size() == capacity && !closed) {
        drained.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      items.add(item);
      filled.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// {@return the oldest item, or null once the queue is closed, or ended and empty}
  @Nullable T take() {
    lock.lock();
    try {
      while (items.isEmpty() && !closed && !ended) {
        filled.awaitUninterruptibly();
      }
      if (closed) {
        return null;
      }
      T item = items.poll();
      if (item != null) {
        drained.signal();
      }
      return item;
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return items.size();
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
