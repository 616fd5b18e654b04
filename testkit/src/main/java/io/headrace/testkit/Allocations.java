package io.headrace.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Heap memory that code allocates.
public final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /// {@return bytes the calling thread has allocated on the heap so far, freed or not}
  public static long ofThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /// {@return bytes that all threads together have allocated on the heap so far, those included
  /// that have ended}
  public static long ofAllThreads() {
    return THREADS.getTotalThreadAllocatedBytes();
  }
}
