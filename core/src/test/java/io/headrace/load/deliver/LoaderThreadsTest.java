package io.headrace.load.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Threads outlive epochs, and nothing else does.
final class LoaderThreadsTest {
  private static Thread runOn(LoaderThreads threads, String name) {
    var seen = Collections.synchronizedList(new ArrayList<Thread>());
    threads.run(name, () -> seen.add(Thread.currentThread())).join();
    return seen.getFirst();
  }

  @Test
  void aTaskRunsOnTheThreadThatRanOneOfItsName() {
    try (var threads = new LoaderThreads()) {
      Thread first = runOn(threads, "read-0");
      Thread second = runOn(threads, "decode-0");
      assertThat(second).isNotSameAs(first);
      assertThat(first.getName()).isEqualTo("idle");
      for (int i = 0; i < 20; i++) {
        assertThat(runOn(threads, "decode-0")).isSameAs(second);
        assertThat(runOn(threads, "read-0")).isSameAs(first);
        assertThat(runOn(threads, "read-" + i)).isSameAs(first);
      }
      assertThat(runOn(threads, "sequence")).isNotSameAs(first).isNotSameAs(second);
    }
  }

  @Test
  void tasksAtOneTimeHaveThreadsOfTheirOwn() throws InterruptedException {
    try (var threads = new LoaderThreads()) {
      for (int round = 0; round < 3; round++) {
        var met = new CountDownLatch(3);
        var used = Collections.synchronizedSet(new HashSet<Thread>());
        List<LoaderThreads.Task> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          tasks.add(
              threads.run(
                  "read-" + i,
                  () -> {
                    used.add(Thread.currentThread());
                    met.countDown();
                    try {
                      met.await(); // hangs unless all three run
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
        }
        met.await();
        tasks.forEach(LoaderThreads.Task::join);
        assertThat(used).hasSize(3);
      }
    }
  }

  /// Law: who waits for a task that throws is let go, and its thread is not used again.
  @Test
  void aTaskThatThrowsTakesItsThreadAlong() throws InterruptedException {
    try (var threads = new LoaderThreads()) {
      var seen = Collections.synchronizedList(new ArrayList<Thread>());
      threads
          .run(
              "read-0",
              () -> {
                Thread.currentThread().setUncaughtExceptionHandler((_, _) -> {});
                seen.add(Thread.currentThread());
                throw new AssertionError("on purpose");
              })
          .join();
      assertThat(runOn(threads, "read-0")).isNotSameAs(seen.getFirst());
      seen.getFirst().join();
    }
  }

  @Test
  void anInterruptEndsWithItsTask() {
    try (var threads = new LoaderThreads()) {
      Thread first = runOn(threads, "read-0");
      threads.run("read-0", () -> Thread.currentThread().interrupt()).join();
      first.interrupt(); // while it is idle
      var states = Collections.synchronizedList(new ArrayList<Boolean>());
      threads.run("read-0", () -> states.add(first == Thread.currentThread())).join();
      threads.run("read-0", () -> states.add(Thread.currentThread().isInterrupted())).join();
      assertThat(states).containsExactly(true, false);
    }
  }

  @Test
  void closingEndsAllThreads() {
    var threads = new LoaderThreads();
    Thread first = runOn(threads, "read-0");
    Thread second = runOn(threads, "decode-0");
    threads.close();
    assertThat(first.isAlive()).isFalse();
    assertThat(second.isAlive()).isFalse();
    assertThatThrownBy(() -> threads.run("read-0", () -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  /// Law: a task wakes the thread that runs it, and no other idle one. Parked threads may wake
  /// up for no reason, so a few are allowed; each thread for each task would be 400.
  @Test
  void aTaskWakesNoOtherThread() {
    try (var threads = new LoaderThreads()) {
      var others = new Sleepers();
      var met = new CountDownLatch(8);
      List<LoaderThreads.Task> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tasks.add(
            threads.run(
                "decode-" + i,
                () -> {
                  synchronized (others) {
                    others.add(Thread.currentThread());
                  }
                  met.countDown();
                  try {
                    met.await(); // so that each has a thread of its own
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
      }
      tasks.forEach(LoaderThreads.Task::join);
      others.awaitAsleep();
      long before = others.waits();
      for (int i = 0; i < 50; i++) {
        Thread _ = runOn(threads, "read-0");
      }
      threads.run("decode-0", () -> {}).join();
      others.awaitAsleep();
      assertThat(others.waits() - before).isBetween(1L, 8L); // decode-0 waits once more
    }
  }
}
