package io.headrace.serve;

import io.headrace.memory.Batch;
import java.net.ProtocolException;
import java.util.BitSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a consumer asks for and which slots it holds. One thread receives its messages, another one
/// serves it.
final class SlotLedger {
  /// An epoch to deliver.
  ///
  /// @param run the consumer's number for this request
  /// @param number of the epoch, if there is no state
  /// @param state to resume from, or null
  /// @param next number of the epoch that will be asked for next, or -1
  /// @param kept slots of earlier epochs that the consumer still holds, a bit each
  record Ask(long run, long number, @Nullable String state, long next, BitSet kept) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final @Nullable Batch[] lent;

  /// In which run each slot was lent.
  private final long[] lentIn;

  private int held;
  private long latest = -1;
  private long run = -1;
  private @Nullable Ask asked;
  private boolean left;
  private @Nullable ProtocolException broken;

  /// @param slots batches in memory at one time
  SlotLedger(int slots) {
    lent = new @Nullable Batch[slots];
    lentIn = new long[slots];
  }

  /// The consumer wants an epoch, and no other one any more.
  void ask(Ask ask) throws ProtocolException {
    lock.lock();
    try {
      if (ask.run() <= latest) {
        throw new ProtocolException(
            "run %d after run %d: expected a higher number".formatted(ask.run(), latest));
      }
      latest = ask.run();
      asked = ask;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The consumer gives a slot back. What it says about runs that are over does not matter, except
  /// of
  /// slots that it has kept.
  void release(long fromRun, long slot) throws ProtocolException {
    lock.lock();
    try {
      Batch batch = slot < lent.length ? lent[(int) slot] : null;
      if (batch == null || lentIn[(int) slot] != fromRun) {
        if (fromRun != run) {
          return;
        }
        throw new ProtocolException(
            "slot %d released: expected one that is held, below %d".formatted(slot, lent.length));
      }
      giveBack((int) slot, batch);
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(int slot, Batch batch) {
    lent[slot] = null;
    held--;
    batch.close();
  }

  /// The consumer is gone.
  ///
  /// @param why if it broke the protocol
  void leave(@Nullable ProtocolException why) {
    lock.lock();
    try {
      left = true;
      broken = why;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a request.
  ///
  /// @return it, or null once the consumer is gone
  @Nullable Ask next() {
    lock.lock();
    try {
      awaitNews(false);
      Ask ask = asked;
      asked = null;
      if (left || ask == null) {
        return null;
      }
      run = ask.run();
      return ask;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a slot that the consumer does not hold.
  ///
  /// @return false if no more batches of this epoch are wanted
  boolean awaitRoom() {
    lock.lock();
    try {
      awaitNews(true);
      return !left && asked == null;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the consumer asks for something else, or leaves.
  void awaitNext() {
    lock.lock();
    try {
      awaitNews(false);
    } finally {
      lock.unlock();
    }
  }

  private void awaitNews(boolean orRoom) {
    while (!left && asked == null && !(orRoom && held < lent.length)) {
      news.awaitUninterruptibly();
    }
  }

  /// Notes that the consumer holds a batch from now on. It may give batches back in any order.
  void lend(int slot, Batch batch) {
    lock.lock();
    try {
      batch.keep();
      lent[slot] = batch;
      lentIn[slot] = run;
      held++;
    } finally {
      lock.unlock();
    }
  }

  /// Takes all slots back, except those that the consumer keeps: the epoch is over for it. Nothing
  /// is taken from a consumer that has left: it may still read its memory, which is not filled
  /// then.
  void takeBack() {
    lock.lock();
    try {
      run = -1;
      if (left) {
        return;
      }
      for (int slot = 0; slot < lent.length; slot++) {
        Batch batch = lent[slot];
        if (batch != null && (asked == null || !asked.kept().get(slot))) {
          giveBack(slot, batch);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// {@return how the consumer broke the protocol, or null}
  @Nullable ProtocolException broken() {
    lock.lock();
    try {
      return broken;
    } finally {
      lock.unlock();
    }
  }
}
