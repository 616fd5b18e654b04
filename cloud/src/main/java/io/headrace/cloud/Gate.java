package io.headrace.cloud;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How many requests are under way at one time: one more after as many successes as there are
/// places, half as many after an answer that asks for fewer (additive increase, multiplicative
/// decrease, as TCP does).
final class Gate {
  static final int MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free = lock.newCondition();
  private double places = MAX;
  private int taken;
  private long slowed;

  /// Takes a place, and waits for it.
  void enter() throws InterruptedIOException {
    lock.lock();
    try {
      while (taken >= (int) places) {
        free.await();
      }
      taken++;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      lock.unlock();
    }
  }

  /// Gives a place back.
  ///
  /// @param well whether the request was answered
  void leave(boolean well) {
    lock.lock();
    try {
      taken--;
      if (well) {
        places = Math.min(MAX, places + 1 / places);
      }
      free.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Halves the places. Answers to requests that were under way together count once.
  void slower() {
    lock.lock();
    try {
      long now = System.nanoTime();
      if (slowed == 0 || now - slowed > 100_000_000) {
        slowed = now;
        places = Math.max(1, Math.min(places, taken) / 2);
      }
    } finally {
      lock.unlock();
    }
  }

  /// {@return how many places there are}
  int places() {
    lock.lock();
    try {
      return (int) places;
    } finally {
      lock.unlock();
    }
  }
}
