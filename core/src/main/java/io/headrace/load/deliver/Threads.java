package io.headrace.load.deliver;

/// Waiting for threads.
final class Threads {
  private Threads() {}

  /// Waits for a thread to end. An interrupt is kept for the caller and does not cut the wait
  /// short: the memory the thread works on is freed next.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
