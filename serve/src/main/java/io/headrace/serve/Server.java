package io.headrace.serve;

import io.headrace.load.Loader;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Hands batches to consumers.
///
/// Batches lie in memory that both processes have mapped, so that nothing is copied between a
/// decoder and the consumer. While no consumer takes batches, nothing runs. Memory does not grow
/// after the start. A consumer is alone with its loader, as one rank, or shares it ([#share]).
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
    try (var memory = new SharedMemory(offer.folder(), offer.options().batchSize(), false);
        var loader = new Loader(offer.dataset(), offer.pipeline(), offer.options(), memory)) {
      return serve(channel, offer, loader, memory, left);
    }
  }

  private static long serve(
      SocketChannel channel, ServedDataset offer, Loader loader, SharedMemory memory, Runnable left)
      throws IOException {
    var connection = new Connection(channel);
    var session = new Session(connection);
    var share = new Share(loader, memory, 1, false, _ -> {});
    try {
      JsonNode _ = session.hello();
      session.welcome(Messages.hello(offer, loader, memory, false), memory);
      Seat seat = share.enter(connection, false);
      Thread _ =
          Thread.ofPlatform()
              .daemon()
              .name("consumer")
              .start(
                  () -> {
                    try {
                      session.listen(share, seat, memory.slots());
                    } catch (ProtocolException e) {
                      return; // the result says so
                    } finally {
                      left.run();
                    }
                  });
      share.run();
    } catch (ConsumerGoneException e) {
      // it left while a message was sent to it: a normal end
    } finally {
      connection.end();
    }
    return share.result();
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
        try (var memory = new SharedMemory(offer.folder(), offer.options().batchSize(), false);
            var loader = new Loader(offer.dataset(), offer.pipeline(), offer.options(), memory)) {
          entrance.open(ready);
          try (SocketChannel channel = entrance.await()) {
            long _ = serve(channel, offer, loader, memory, () -> {});
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

  /// Serves several consumers at a time at a socket, until the process is ended: each batch is made
  /// once and handed to all of them. A consumer that asks for a seed or a rank of its own gets a
  /// loader of its own, which uses the same cache.
  ///
  /// @param socket as for [#listen]
  /// @param jobs consumers without which a first epoch does not begin; others may come later
  /// @param ready run once a consumer can connect
  /// @param failures told why an epoch or a consumer failed
  /// @throws io.headrace.error.ConfigException as [#listen]
  public static void share(
      Path socket, ServedDataset offer, int jobs, Runnable ready, Consumer<Exception> failures)
      throws IOException {
    try (var entrance = new SocketServer(socket);
        var shares = new Shares(offer, jobs, failures)) {
      entrance.open(ready);
      while (true) {
        SocketChannel consumer = entrance.await();
        Thread _ =
            Thread.ofPlatform().daemon().name("consumer").start(() -> shares.serve(consumer));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
