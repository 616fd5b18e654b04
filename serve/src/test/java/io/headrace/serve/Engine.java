package io.headrace.serve;

import io.headrace.format.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// A server in a thread, for as long as this is open.
final class Engine implements AutoCloseable {
  private final Thread thread;
  private final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();

  Engine(Path socket, ServedDataset offer) throws InterruptedException {
    this(socket, offer, 0);
  }

  /// @param jobs that share it, or 0 for one consumer at a time
  Engine(Path socket, ServedDataset offer, int jobs) throws InterruptedException {
    var ready = new CountDownLatch(1);
    thread =
        Thread.ofPlatform()
            .name("engine")
            .start(
                () -> {
                  try {
                    if (jobs == 0) {
                      Server.listen(socket, offer, ready::countDown, failures::add);
                    } else {
                      Server.share(socket, offer, jobs, ready::countDown, failures::add);
                    }
                  } catch (IOException | RuntimeException e) {
                    failures.add(e);
                    ready.countDown();
                  }
                });
    ready.await();
  }

  static ServedDataset offer(Dataset dataset, Path folder) {
    return new ServedDataset(dataset, Pictures.PIPELINE, Pictures.options().build(), folder);
  }

  /// {@return what a session failed of, waiting for it}
  Exception failure() throws InterruptedException {
    return failures.take();
  }

  boolean sound() {
    return failures.isEmpty();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
