package io.headrace.meter;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// CPU time of threads, as opposed to time that passes.
public final class Cpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean KNOWN =
      THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

  private Cpu() {}

  /// {@return nanoseconds that the calling platform thread has run so far, in user and kernel mode;
  /// always 0 where the system does not say}
  public static long ofThisThread() {
    return KNOWN ? THREADS.getCurrentThreadCpuTime() : 0;
  }
}
