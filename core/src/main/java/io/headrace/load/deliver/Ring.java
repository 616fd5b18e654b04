package io.headrace.load.deliver;

import io.headrace.memory.BatchBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The buffers of a loader, which its epochs hand on to one another. Those that a consumer keeps
/// come back to the epoch that runs then.
public final class Ring {
  private final List<BatchBuffer> buffers;
  private @Nullable BatchRing last;

  public Ring(List<BatchBuffer> buffers) {
    this.buffers = buffers;
  }

  public int size() {
    return buffers.size();
  }

  /// {@return what an epoch is put together in}
  ///
  /// @param count samples in it, or -1 until its end tells
  /// @param own of these, the rank's own
  /// @param before what the epoch that still runs is put together in; null if none does
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
