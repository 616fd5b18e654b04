package io.headrace.store;

import java.util.concurrent.TimeUnit;

/// A clock that can be waited on; a test's moves only when told.
public interface Ticker {
  /// The system's, by [System#nanoTime].
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        }
      };

  /// {@return the time, in nanoseconds since some moment}
  long nanos();

  /// Returns at `nanos` or later.
  void sleepUntil(long nanos) throws InterruptedException;
}
