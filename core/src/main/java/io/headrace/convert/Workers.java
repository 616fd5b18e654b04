package io.headrace.convert;

import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// The threads that read, transform and pack the samples of a conversion, and the queue that they
/// take them from.
final class Workers implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();
  private final BlockingQueue<Job> queue;
  private final Job poison;
  private final MemoryBudget budget;
  private final int ahead;

  /// @param count samples in all
  /// @param unwritable why samples cannot be written, by their numbers
  /// @param done steps that were done to the samples
  /// @param writers of shards that work at one time
  Workers(
      Dataset source,
      ConvertOptions options,
      Container container,
      long count,
      Map<Long, String> unwritable,
      String done,
      int writers) {
    ahead = 2 + 2 * options.threads() / writers;
    budget = new MemoryBudget(options.memory());
    queue = new ArrayBlockingQueue<>(writers * ahead + options.threads());
    poison = new Job(budget);
    for (int i = 0; i < options.threads(); i++) {
      var worker =
          new Worker(source, options, container, count, budget, queue, poison, unwritable, done);
      threads.add(Thread.ofPlatform().name("convert-" + i).daemon().start(worker));
    }
  }

  /// {@return where samples are handed to the workers}
  BlockingQueue<Job> queue() {
    return queue;
  }

  /// {@return the memory for samples in work}
  MemoryBudget budget() {
    return budget;
  }

  /// {@return the most samples that one writer has in work at one time}
  int ahead() {
    return ahead;
  }

  /// Ends the threads when they have done what is in the queue, also if this one is interrupted
  /// meanwhile.
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    int told = 0;
    int ended = 0;
    while (ended < threads.size()) {
      try {
        for (; told < threads.size(); told++) {
          queue.put(poison);
        }
        threads.get(ended).join();
        ended++;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    poison.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
