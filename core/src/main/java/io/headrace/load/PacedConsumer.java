package io.headrace.load;

import io.headrace.store.Ticker;

/// A trainer that only takes the time of one: after each batch it is busy for as long as its rate
/// says, and then asks for the next. What it waits for data is the loader's stall
/// ([io.headrace.meter.Stage#STALL]). For one thread, and for as many epochs as one wants.
///
/// If the system wakes the thread late, the next batch's work is that much shorter, so that work
/// takes exactly as long as the rate says. A delay above 10 ms is not made up for.
public final class PacedConsumer {
  private static final long MAX_CARRIED = 10_000_000;

  private final ConsumerRate rate;
  private final Ticker ticker;
  private long late;
  private double owed;

  /// A consumer in real time.
  public PacedConsumer(ConsumerRate rate) {
    this(rate, Ticker.SYSTEM);
  }

  /// A consumer in the time of `ticker`.
  public PacedConsumer(ConsumerRate rate, Ticker ticker) {
    this.rate = rate;
    this.ticker = ticker;
  }

  /// Works on a batch that was just taken, and returns when it is done.
  ///
  /// @param samples in the batch
  /// @throws IllegalStateException if the thread is interrupted
  public void work(int samples) {
    if (rate.unbounded()) {
      return;
    }
    double nanos = samples * 1e9 / rate.samplesPerSecond() + owed;
    long whole = (long) nanos;
    owed = nanos - whole;
    long done = ticker.nanos() - late + whole;
    try {
      if (done > ticker.nanos()) {
        ticker.sleepUntil(done);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    late = Math.clamp(ticker.nanos() - done, 0, MAX_CARRIED);
  }
}
