package io.headrace.load.fetch;

import io.headrace.load.deliver.ClosableQueue;
import java.util.ArrayDeque;

/// The samples that may be in flight at one time: a fixed number, and more while they are small.
///
/// The largest recent samples decide how many more, within a bound on bytes. Where samples grow,
/// holders are withdrawn before they are filled.
final class ReadAhead {
  /// Bytes of samples in flight beyond the fixed number.
  private static final long BYTES = 16L << 20;

  private final SampleSource source;
  private final ClosableQueue<EncodedSlot> free;
  private final int least;
  private final int most;
  private final long bytes;
  private final ArrayDeque<EncodedSlot> spare = new ArrayDeque<>();
  private volatile int circulating;
  private volatile int places;
  private volatile long largest = Long.MAX_VALUE / 2;

  /// @param least holders, which are free now
  /// @param most holders that there may ever be
  /// @param places of the queue to begin with
  /// @param budget bytes that the loader may take
  ReadAhead(SampleSource source, int places, int least, int most, long budget) {
    this.source = source;
    this.places = places;
    free = source.free;
    this.least = least;
    this.most = most;
    bytes = Math.min(BYTES, budget / 16);
    circulating = least;
  }

  /// Takes free holders, waiting for one.
  ///
  /// @return how many; 0 once the queue is closed
  int take(EncodedSlot[] into, int wanted) {
    if (circulating != allowed()) {
      adjust(wanted);
    }
    int n = free.take(into, wanted);
    while (n > 1 && circulating > allowed() && retire(into[n - 1])) {
      n--;
    }
    return n;
  }

  private int allowed() {
    return Math.clamp(bytes / Math.max(1, largest), least, most);
  }

  private synchronized void adjust(int wanted) {
    int missing = Math.min(wanted - free.size(), allowed() - circulating);
    for (int i = 0; i < missing; i++) {
      EncodedSlot one = spare.isEmpty() ? source.holder() : spare.pop();
      circulating++;
      places = circulating;
      if (!free.put(one)) {
        return;
      }
    }
  }

  private synchronized boolean retire(EncodedSlot one) {
    if (circulating <= allowed()) {
      return false;
    }
    circulating--;
    places = circulating;
    spare.push(one);
    return true;
  }

  /// {@return places for samples between readers and workers}
  int places() {
    return places;
  }

  /// Notes the largest of some samples just read.
  void saw(long bytes) {
    long before = largest;
    long now = bytes > before ? bytes : Math.max(bytes, before - before / 16 - 1);
    if (now != before) { // all readers look at it, and mostly find what they would write
      largest = now;
    }
  }
}
