package io.headrace.cloud;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Bytes of an object that are read before they are asked for, once reads follow each other.
///
/// Two windows: one that is being handed out, one under way. They begin small and double while
/// reads go on without a gap, so that little is read in vain.
final class Ahead {
  private static final int MIN_WINDOW = 256 << 10;
  private static final int MAX_WINDOW = 4 << 20;

  /// Reads that follow each other before more is read than was asked for.
  private static final int ENOUGH = 2;

  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final CloudPath path;
  private final Found object;
  private long next = 0;
  private int following;
  private int window = MIN_WINDOW;
  private @Nullable Window now;
  private @Nullable Window then;

  private record Window(long start, int length, Future<ByteBuffer> bytes) {
    boolean holds(long at) {
      return at >= start && at < start + length;
    }
  }

  Ahead(CloudPath path, Found object) {
    this.path = path;
    this.object = object;
  }

  /// Fills a buffer if its bytes come in order.
  ///
  /// @return whether it was filled
  boolean read(long at, ByteBuffer into) throws IOException {
    int length = into.remaining();
    synchronized (this) {
      boolean follows = at == next;
      if (!follows && !isHeld(at)) {
        following = 0;
        if (length < MAX_WINDOW) {
          next = at + length;
        }
        return false;
      }
      next = at + length;
      if (length >= MAX_WINDOW || (++following < ENOUGH && now == null)) {
        return false;
      }
    }
    long from = at;
    while (into.hasRemaining()) {
      Window source = windowAt(from);
      ByteBuffer bytes = await(source).duplicate();
      bytes.position((int) (from - source.start));
      int n = Math.min(bytes.remaining(), into.remaining());
      into.put(bytes.limit(bytes.position() + n));
      from += n;
    }
    return true;
  }

  private boolean isHeld(long at) {
    return (now != null && now.holds(at)) || (then != null && then.holds(at));
  }

  private synchronized Window windowAt(long at) {
    Window first = now;
    if (first == null || !first.holds(at)) {
      Window second = then;
      first = second != null && second.holds(at) ? second : begin(at);
      now = first;
      then = null;
    }
    long end = first.start + first.length;
    if (then == null && end < object.size()) {
      then = begin(end);
    }
    return first;
  }

  private Window begin(long start) {
    int length = (int) Math.min(window, object.size() - start);
    window = Math.min(MAX_WINDOW, 2 * window);
    var bytes =
        CompletableFuture.supplyAsync(
            () -> {
              ByteBuffer buffer = ByteBuffer.allocate(length);
              try {
                path.getFileSystem().bucket().read(path.key(), object, start, buffer);
              } catch (IOException e) {
                throw new CompletionException(e);
              }
              return buffer.flip().asReadOnlyBuffer();
            },
            THREADS);
    return new Window(start, length, bytes);
  }

  private ByteBuffer await(Window window) throws IOException {
    try {
      return window.bytes.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      drop();
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(path + ": " + e.getCause(), e);
    }
  }

  private synchronized void drop() {
    now = null;
    then = null;
    following = 0;
    window = MIN_WINDOW;
  }

  /// Forgets what was read.
  void close() {
    drop();
  }
}
