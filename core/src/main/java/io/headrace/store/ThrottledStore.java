package io.headrace.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;

/// Another store slowed down to the speed of a [Device], for experiments: a read does not return
/// before the device would have delivered the bytes. Opening costs nothing. It counts what is read.
///
/// If the system wakes a thread late, which a busy machine does by up to 10 ms, the delay is taken
/// off its next request. So even a single reader gets the whole rate.
public final class ThrottledStore extends FilterStore {
  private static final long MAX_CARRIED = 10_000_000;

  private final Device device;
  private final Ticker ticker;
  private final Throttle throttle;
  private final LongAdder bytes = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final ThreadLocal<long[]> late = ThreadLocal.withInitial(() -> new long[1]);

  /// A device in real time.
  public ThrottledStore(Store below, Device device) {
    this(below, device, Ticker.SYSTEM);
  }

  /// A device in the time of `ticker`.
  public ThrottledStore(Store below, Device device, Ticker ticker) {
    super(below);
    this.device = device;
    this.ticker = ticker;
    throttle = new Throttle(device, ticker.nanos());
  }

  /// {@return the device imitated}
  public Device device() {
    return device;
  }

  /// {@return bytes read so far}
  public long bytes() {
    return bytes.sum();
  }

  /// {@return requests made so far}
  public long requests() {
    return requests.sum();
  }

  @Override
  protected ByteFile filter(ByteFile file) {
    return new ThrottledFile(file);
  }

  private void waitUntil(long done, long[] lateness) throws InterruptedIOException {
    try {
      ticker.sleepUntil(done);
      lateness[0] = Math.clamp(ticker.nanos() - done, 0, MAX_CARRIED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private final class ThrottledFile extends FilterFile {
    ThrottledFile(ByteFile file) {
      super(file);
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      long[] lateness = late.get();
      long arrival = ticker.nanos() - lateness[0];
      lateness[0] = 0;
      long done = throttle.book(arrival, path(), position, into.byteSize());
      bytes.add(into.byteSize());
      requests.increment();
      super.read(position, into);
      waitUntil(done, lateness);
    }
  }
}
