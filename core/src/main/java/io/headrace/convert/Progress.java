package io.headrace.convert;

import java.util.concurrent.atomic.LongAdder;

/// How far a conversion is; read from any thread while it runs.
public final class Progress {
  private final LongAdder samples = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private volatile long total = -1;

  /// Nothing done yet.
  public Progress() {}

  void total(long value) {
    total = value;
  }

  void add(long samples, long bytesIn, long bytesOut) {
    this.samples.add(samples);
    this.bytesIn.add(bytesIn);
    this.bytesOut.add(bytesOut);
  }

  /// {@return samples to convert, or -1 while unknown}
  public long total() {
    return total;
  }

  /// {@return samples converted or skipped}
  public long samples() {
    return samples.sum();
  }

  /// {@return encoded bytes taken in}
  public long bytesIn() {
    return bytesIn.sum();
  }

  /// {@return encoded bytes written, before compression of the shard}
  public long bytesOut() {
    return bytesOut.sum();
  }
}
