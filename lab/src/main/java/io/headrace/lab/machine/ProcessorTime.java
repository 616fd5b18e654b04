package io.headrace.lab.machine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/// How long processors were busy so far: with all processes of the machine, and with this one.
///
/// @param busyTicks that all processors spent on work since the machine started
/// @param allTicks that passed on all processors
/// @param processors of the machine; 0 where that is not known
/// @param ownNanos processor time of this process
public record ProcessorTime(long busyTicks, long allTicks, int processors, long ownNanos) {
  private static final Path STAT = Path.of("/proc/stat");

  /// Columns of the line `cpu` of `/proc/stat`, see proc(5); guests' time is in user and nice.
  private static final int IDLE = 3;

  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /// {@return the reading now; of no processors where the system does not say}
  public static ProcessorTime now() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return of(Traffic.text(STAT), system.getProcessCpuTime());
  }

  /// {@return what a text such as `/proc/stat` says}
  static ProcessorTime of(String stat, long ownNanos) {
    long busy = 0;
    long all = 0;
    int processors = 0;
    for (String line : stat.lines().toList()) {
      String[] words = line.strip().split(" +", -1);
      if (words[0].equals("cpu") && words.length > STEAL + 1) {
        for (int i = 0; i <= STEAL; i++) {
          long ticks = Long.parseLong(words[i + 1]);
          all += ticks;
          busy += i == IDLE || i == IO_WAIT ? 0 : ticks;
        }
      } else if (words[0].startsWith("cpu")) {
        processors++;
      }
    }
    return new ProcessorTime(busy, all, processors, ownNanos);
  }

  /// {@return the share of the processors this process may use that other processes took since an
  /// earlier reading, 0 to 1; NaN where that is not known}
  ///
  /// @param before the earlier reading
  /// @param seconds between the two
  /// @param allowed processors this process may use; others may use what is left of the machine's
  public double takenByOthers(ProcessorTime before, double seconds, int allowed) {
    long passed = allTicks - before.allTicks;
    if (processors == 0 || passed <= 0 || !(seconds > 0)) {
      return Double.NaN;
    }
    double busy = (double) (busyTicks - before.busyTicks) / passed * processors;
    double others = busy - (ownNanos - before.ownNanos) / 1e9 / seconds;
    double spare = Math.max(0, processors - allowed);
    return Math.clamp((others - spare) / allowed, 0, 1);
  }
}
