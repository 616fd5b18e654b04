package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.BatchMemory;
import io.headrace.order.Deal;
import io.headrace.serve.ServedDataset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The loaders of a server: one for each stream of batches that somebody takes, and those that wait
/// for the next epoch. All use one cache and one budget of memory.
final class Loaders implements AutoCloseable {
  /// Which samples come when, with which random steps.
  record Kind(long seed, int rank, int world) {}

  /// How long a request waits for a loader: that of a stream that has ended comes back at once.
  private static final long MAX_WAIT_MILLIS = 2_000;

  private final ServedDataset offer;
  private final Loader first;
  private final Map<Kind, Deque<Loader>> idle = new HashMap<>();
  private int lent;
  private boolean closed;

  /// @throws ConfigException if the offer cannot be served
  Loaders(ServedDataset offer) {
    this.offer = offer;
    if (!offer.dataset().indexed()) {
      throw new ConfigException(
          "%s can only be read from its start: other hosts are served samples that can be read one by"
                  .formatted(offer.dataset().root())
              + " one; convert it without compression of whole shards");
    }
    LoadOptions options = offer.options();
    if (options.world() > 1) {
      throw new ConfigException(
          "rank %d/%d: each consumer says which rank it is, so leave --rank out"
              .formatted(options.rank(), options.world()));
    }
    first = new Loader(offer.dataset(), offer.pipeline(), options);
    idle.computeIfAbsent(kind(options), _ -> new ArrayDeque<>()).add(first);
  }

  private static Kind kind(LoadOptions options) {
    return new Kind(options.seed(), options.rank(), options.world());
  }

  /// {@return what all of them deliver from}
  ServedDataset offer() {
    return offer;
  }

  /// {@return one of them, which tells of what they have in common}
  Loader any() {
    return first;
  }

  /// {@return the loaders that a request is for}
  Kind kindOf(Request request) {
    Long seed = request.seed();
    return new Kind(seed == null ? offer.options().seed() : seed, request.rank(), request.world());
  }

  /// {@return how a rank's part of an epoch is dealt out}
  Deal deal(Kind kind) {
    return offer.options().as(kind.seed(), kind.rank(), kind.world()).deal();
  }

  /// Takes a loader, to be given back.
  ///
  /// @throws ConfigException if there is no memory for one more
  synchronized Loader take(Kind kind) {
    if (closed) {
      throw new IllegalStateException("the server is closed");
    }
    Loader found = waiting(kind);
    long deadline = System.nanoTime() + MAX_WAIT_MILLIS * 1_000_000;
    while (found == null) {
      try {
        found = make(kind);
      } catch (ConfigException e) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (lent == 0 || left <= 0) {
          throw e;
        }
        try {
          wait(left);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw e;
        }
        found = waiting(kind);
      }
    }
    lent++;
    return found;
  }

  private @Nullable Loader waiting(Kind kind) {
    Deque<Loader> loaders = idle.get(kind);
    return loaders == null ? null : loaders.pollLast();
  }

  private Loader make(Kind kind) {
    LoadOptions options = offer.options().as(kind.seed(), kind.rank(), kind.world());
    while (true) {
      try {
        return new Loader(offer.dataset(), offer.pipeline(), options, BatchMemory.PRIVATE, first);
      } catch (ConfigException e) {
        if (!dropOne()) {
          throw e;
        }
      }
    }
  }

  /// Closes a loader that waits, to have its memory.
  private boolean dropOne() {
    for (Deque<Loader> waiting : idle.values()) {
      for (Loader loader : waiting) {
        if (loader != first) {
          waiting.remove(loader);
          loader.close();
          return true;
        }
      }
    }
    return false;
  }

  /// Gives a loader back, none of whose batches are in use.
  synchronized void giveBack(Kind kind, Loader loader) {
    lent--;
    idle.computeIfAbsent(kind, _ -> new ArrayDeque<>()).add(loader);
    notifyAll();
  }

  /// Waits until all are given back, and closes them.
  @Override
  public synchronized void close() {
    closed = true;
    boolean interrupted = false;
    while (lent > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    while (dropOne()) {
      // one after another, so that the one whose cache all use comes last
    }
    first.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
