package io.headrace.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// How much heap the current thread uses up.
public final class Garbage {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Garbage() {}

  /// {@return bytes that the current thread has allocated on the heap since it started}
  public static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
