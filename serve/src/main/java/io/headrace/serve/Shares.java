package io.headrace.serve;

import io.headrace.error.ConfigException;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The loaders of an engine that several consumers use at a time: one for each order that some of
/// them ask for, by seed and rank. All of them use one cache.
final class Shares implements AutoCloseable {
  /// Which samples come when, with which random steps.
  private record Stream(long seed, int rank, int world) {}

  /// A loader, and the thread that hands its batches out.
  private static final class Group implements AutoCloseable {
    final ServedDataset offer;
    final SharedMemory memory;
    final Loader loader;
    final Share share;
    private final Thread thread;
    int users;

    Group(ServedDataset offer, int awaited, @Nullable Group other, Consumer<Exception> failures) {
      this.offer = offer;
      LoadOptions options = offer.options();
      memory = new SharedMemory(offer.folder(), options.batchSize(), true);
      try {
        loader =
            new Loader(
                offer.dataset(),
                offer.pipeline(),
                options,
                memory,
                other == null ? null : other.loader);
      } catch (RuntimeException e) {
        memory.close();
        throw e;
      }
      share = new Share(loader, memory, awaited, true, failures);
      thread = Thread.ofPlatform().daemon().name("share").start(share::run);
    }

    @Override
    public void close() {
      share.close();
      boolean interrupted = false;
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      loader.close();
      memory.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final ServedDataset offer;
  private final Consumer<Exception> failures;
  private final Stream usual;
  private final Group main;
  private final Map<Stream, Group> groups = new HashMap<>();
  private final Set<Connection> connections = new HashSet<>();
  private boolean closed;

  /// @param awaited consumers of the usual order without which its first epoch does not begin
  /// @param failures told why an epoch or a consumer failed
  /// @throws ConfigException if there is not enough memory, or the loader cannot do what is asked
  Shares(ServedDataset offer, int awaited, Consumer<Exception> failures) {
    this.offer = offer;
    this.failures = failures;
    LoadOptions options = offer.options();
    usual = new Stream(options.seed(), options.rank(), options.world());
    main = new Group(offer, awaited, null, failures);
    main.users = 1; // this
    groups.put(usual, main);
  }

  /// Serves a consumer until it leaves.
  ///
  /// @param channel connected and blocking, closed then
  void serve(SocketChannel channel) {
    var connection = new Connection(channel);
    try (channel) {
      if (!add(connection)) {
        return;
      }
      var session = new Session(connection);
      serve(connection, session, session.hello());
    } catch (ConsumerGoneException e) {
      // it left while it was greeted: a normal end
    } catch (IOException | RuntimeException e) {
      failures.accept(e);
    } finally {
      remove(connection);
    }
  }

  private void serve(Connection connection, Session session, JsonNode hello) throws IOException {
    Group group;
    try {
      group = enter(stream(hello));
    } catch (IOException | RuntimeException e) {
      connection.send(Messages.error(-1, e));
      throw e;
    }
    try {
      Seat seat = seat(connection, group, hello);
      try {
        session.welcome(
            Messages.hello(group.offer, group.loader, group.memory, true), group.memory);
        session.listen(group.share, seat, group.memory.slots());
      } finally {
        group.share.leave(seat, null);
      }
    } finally {
      exit(group);
    }
  }

  private static Seat seat(Connection connection, Group group, JsonNode hello) throws IOException {
    try {
      return group.share.enter(connection, yields(hello));
    } catch (ConfigException | ProtocolException e) {
      connection.send(Messages.error(-1, e));
      throw e;
    }
  }

  private static boolean yields(JsonNode hello) throws ProtocolException {
    return switch (hello.path("behind").asString("wait")) {
      case "wait" -> false;
      case "miss" -> true;
      default ->
          throw new ProtocolException(
              "behind is %s: expected wait or miss".formatted(hello.path("behind")));
    };
  }

  private Stream stream(JsonNode hello) throws ProtocolException {
    JsonNode seed = hello.path("seed");
    if (!seed.isMissingNode() && !(seed.isIntegralNumber() && seed.canConvertToLong())) {
      throw new ProtocolException("seed %s: expected a whole number of 64 bits".formatted(seed));
    }
    boolean ranked = hello.has("rank") || hello.has("world");
    return new Stream(
        seed.isMissingNode() ? usual.seed() : seed.asLong(),
        ranked ? number(hello, "rank") : usual.rank(),
        ranked ? number(hello, "world") : usual.world());
  }

  private static int number(JsonNode hello, String name) throws ProtocolException {
    return (int) Math.min(Integer.MAX_VALUE, Connection.number(hello, name));
  }

  private synchronized Group enter(Stream stream) {
    Group group = groups.get(stream);
    if (group == null) {
      LoadOptions options = offer.options().as(stream.seed(), stream.rank(), stream.world());
      var other = new ServedDataset(offer.dataset(), offer.pipeline(), options, offer.folder());
      group = new Group(other, 1, main, failures);
      groups.put(stream, group);
    }
    group.users++;
    return group;
  }

  private synchronized void exit(Group group) {
    if (--group.users == 0) {
      groups.values().remove(group);
      group.close();
    }
  }

  private synchronized boolean add(Connection connection) {
    return !closed && connections.add(connection);
  }

  private void remove(Connection connection) {
    connection.end();
    synchronized (this) {
      connections.remove(connection);
      notifyAll();
    }
  }

  /// Ends all connections, then all loaders.
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      connections.forEach(Connection::end);
      boolean interrupted = false;
      while (!connections.isEmpty()) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    exit(main);
  }
}
