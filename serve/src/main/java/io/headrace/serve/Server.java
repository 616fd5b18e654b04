package io.headrace.serve;

import io.headrace.load.Loader;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Hands batches to consumers.
///
/// A consumer is one rank: it has a loader of its own, whose batches lie in memory that both
/// processes have mapped, so that nothing is copied between a decoder and the consumer. While no
/// consumer takes batches, nothing runs. Memory does not grow after the start.
public final class Server {
  private Server() {}

  /// Serves the one consumer at the other end of `channel`, until it leaves.
  ///
  /// @param channel connected and blocking; both directions are shut down then, it is not closed
  /// @param left run by another thread once the consumer has left, before anything is closed
  /// @return samples skipped in all epochs that ended, and epochs of other data than the dataset
  ///     says
  /// @throws io.headrace.error.ConfigException if there is not enough memory, or the loader cannot
  ///     do what is asked; the consumer was not told
  /// @throws IOException that the consumer's last epoch failed of, as it was told; or if what it
  ///     said makes no sense
  /// @throws RuntimeException that the consumer's last epoch failed of, as it was told
  public static long serve(SocketChannel channel, ServedDataset offer, Runnable left)
      throws IOException {
    try (var memory = new SharedMemory(offer.folder(), offer.options().batchSize());
        var loader = new Loader(offer.dataset(), offer.pipeline(), offer.options(), memory)) {
      return new Session(new Connection(channel), offer, loader, memory, left).run();
    }
  }

  /// Tells the consumer at the other end of `channel` why it gets nothing.
  public static void refuse(SocketChannel channel, Exception why) {
    var connection = new Connection(channel);
    try {
      connection.send(Messages.error(-1, why));
    } catch (ConsumerGoneException e) {
      return; // the consumer is gone
    } finally {
      connection.end();
    }
  }

  /// Serves consumers one after another at a socket, until the process is ended. While one is
  /// served, others are refused. The socket is deleted at the end, also by a signal that lets the
  /// process do so.
  ///
  /// @param socket path of the socket to make; one left over by a process that was killed is
  ///     replaced
  /// @param ready run once a consumer can connect
  /// @param failures told why each consumer's session failed
  /// @throws io.headrace.error.ConfigException if there is not enough memory, the loader cannot do
  ///     what is asked, or somebody listens at that path
  public static void listen(
      Path socket, ServedDataset offer, Runnable ready, Consumer<Exception> failures)
      throws IOException {
    try (var entrance = new SocketServer(socket)) {
      while (true) {
        try (var memory = new SharedMemory(offer.folder(), offer.options().batchSize());
            var loader = new Loader(offer.dataset(), offer.pipeline(), offer.options(), memory)) {
          entrance.open(ready);
          try (SocketChannel channel = entrance.await()) {
            long _ = new Session(new Connection(channel), offer, loader, memory, () -> {}).run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
          } catch (IOException | RuntimeException e) {
            failures.accept(e);
          }
        }
      }
    }
  }
}
