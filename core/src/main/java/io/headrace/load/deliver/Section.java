package io.headrace.load.deliver;

/// An epoch's part of the stream of positions. What may change is guarded by the lock of
/// its [BatchRing].
public final class Section {
  private final int batchSize;
  final long first;
  long count;
  long own;

  Section(int batchSize, long first, long count, long own) {
    this.batchSize = batchSize;
    this.first = first;
    this.count = count;
    this.own = own;
  }

  /// {@return the position of its first sample}
  public long start() {
    return first * batchSize;
  }

  boolean has(long batch) {
    return batch >= first && batch < end();
  }

  /// {@return the batch after its last one}
  long end() {
    return count < 0 ? Long.MAX_VALUE : first + Math.ceilDiv(count, batchSize);
  }

  int slots(long total, long batch) {
    return count < 0
        ? batchSize
        : (int) Math.clamp(total - (batch - first) * batchSize, 0, (long) batchSize);
  }
}
