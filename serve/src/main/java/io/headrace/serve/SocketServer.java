package io.headrace.serve;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/// A socket that lets consumers in, one at each [#await]. Only the process's own user can connect.
final class SocketServer implements AutoCloseable {
  /// The length of `sun_path` in unix(7), less its zero.
  private static final int LONGEST_PATH = 107;

  /// How long a consumer waits for the one before to leave.
  private static final int PATIENCE_SECONDS = 3;

  private final Path path;
  private final SynchronousQueue<SocketChannel> door = new SynchronousQueue<>();
  private final Thread cleaner = new Thread(this::delete, "delete-socket");
  private final ServerSocketChannel server;
  private boolean opened;

  SocketServer(Path path) throws IOException {
    this.path = path;
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new ConfigException(
          "socket %s: a path of %d bytes: expected %d at most"
              .formatted(path, length, LONGEST_PATH));
    }
    removeStale();
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  private void removeStale() throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther()) {
      throw new ConfigException("socket " + path + ": there is a file of that name");
    }
    boolean alive;
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      alive = true;
    } catch (IOException e) {
      alive = false;
    }
    if (alive) {
      throw new ConfigException("socket " + path + ": another server listens there");
    }
    Files.delete(path);
  }

  /// Lets consumers in, from the first call on.
  void open(Runnable ready) throws IOException {
    if (opened) {
      return;
    }
    opened = true;
    Runtime.getRuntime().addShutdownHook(cleaner);
    ServerSocketChannel _ = server.bind(UnixDomainSocketAddress.of(path));
    Path _ = Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    Thread.ofPlatform().daemon().name("entrance").start(this::letIn);
    ready.run();
  }

  private void letIn() {
    while (true) {
      try {
        SocketChannel consumer = server.accept();
        Thread.ofVirtual().start(() -> show(consumer));
      } catch (ClosedChannelException e) {
        return; // closed: no consumer is let in any more
      } catch (IOException e) {
        pause(); // out of descriptors, for one
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(SocketChannel consumer) {
    try {
      if (door.offer(consumer, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
      try (consumer) {
        Server.refuse(consumer, new BusyException());
      }
    } catch (IOException e) {
      return; // closing one that is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for a consumer.
  SocketChannel await() throws InterruptedException {
    return door.take();
  }

  private void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      return; // another process's by now
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (opened) {
      try {
        boolean _ = Runtime.getRuntime().removeShutdownHook(cleaner);
      } catch (IllegalStateException e) {
        return; // ending already: the hook deletes it
      }
      delete();
    }
  }
}
