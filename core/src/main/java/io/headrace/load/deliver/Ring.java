package io.headrace.load.deliver;

import io.headrace.memory.BatchBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The buffers of a loader, which its epochs pass on to one another. A buffer that a consumer kept
/// comes back to the epoch that runs then.
public final class Ring {
  private final List<BatchBuffer> buffers;
  private @Nullable BatchRing last;

  public Ring(List<BatchBuffer> buffers) {
    this.buffers = buffers;
  }

  public int size() {
    return buffers.size();
  }

  /// {@return the ring for an epoch}
  ///
  /// @param count samples in it, or -1 until its end tells
  /// @param own of these, the rank's own
  /// @param before the ring of the epoch that still runs; null if none does
  public synchronized BatchRing begin(long count, long own, @Nullable BatchRing before) {
    BatchRing newest = last;
    if (before != null && before != newest) {
      throw new IllegalStateException("an epoch that began early came to nothing");
    }
    BatchRing begun;
    if (newest == null) {
      begun = new BatchRing(buffers, count, own);
    } else {
      if (before == null) {
        newest.leave();
      }
      begun = newest.follow(count, own);
    }
    last = begun;
    return begun;
  }
}
