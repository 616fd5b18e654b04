package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/// Threads that wait, and how often each was woken: a wait that is taken up again counts.
final class Sleepers {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final List<Thread> threads = new ArrayList<>();

  void add(Thread thread) {
    threads.add(thread);
  }

  /// Starts a thread that ends, and waits until it sleeps.
  void start(Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().start(work);
    threads.add(thread);
    awaitAsleep();
  }

  /// Waits until all sleep that have not ended.
  void awaitAsleep() {
    awaitEnded(0);
  }

  /// Waits until so many have ended and all others sleep.
  void awaitEnded(int wanted) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      long ended = threads.stream().filter(t -> t.getState() == Thread.State.TERMINATED).count();
      long asleep = threads.stream().filter(t -> t.getState() == Thread.State.WAITING).count();
      if (ended >= wanted && ended + asleep == threads.size()) {
        return;
      }
      assertThat(System.nanoTime()).as("%d ended, %d asleep", ended, asleep).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /// {@return how often those that have not ended began to wait, in all}
  long waits() {
    return threads.stream()
        .map(thread -> THREADS.getThreadInfo(thread.threadId()))
        .filter(info -> info != null)
        .mapToLong(info -> info.getWaitedCount())
        .sum();
  }

  /// {@return how many have not ended}
  long alive() {
    return threads.stream().filter(Thread::isAlive).count();
  }
}
