package io.headrace.cli.options;

import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.lab.machine.Machine;
import io.headrace.spec.Bytes;
import org.jspecify.annotations.Nullable;

/// How much off-heap memory commands may take: what the machine or the process's control group has,
/// less what the heap may grow to. A process that took more would be killed.
public final class MemoryAllowed {
  private MemoryAllowed() {}

  /// {@return bytes to take}
  ///
  /// @param option that asks
  /// @param asked as typed, or null
  /// @param usual if nothing is asked for; less where less is allowed
  /// @throws ConfigException if more is asked for than is allowed
  public static long of(String option, @Nullable String asked, long usual) {
    return of(option, asked, usual, Machine.memoryBytes(), Runtime.getRuntime().maxMemory());
  }

  static long of(String option, @Nullable String asked, long usual, long machine, long heap) {
    long allowed = Math.max(0, machine - heap);
    if (asked == null) {
      return Math.min(usual, allowed / 4 * 3);
    }
    long bytes = Bytes.parse(asked);
    if (bytes > allowed) {
      throw new ConfigException(
          ("%s %s: expected at most %s, which is what this machine or its control group allows (%s)"
                  + " without the Java heap (%s; JAVA_TOOL_OPTIONS=-Xmx… makes it smaller)")
              .formatted(
                  option, asked, Units.size(allowed), Units.size(machine), Units.size(heap)));
    }
    return bytes;
  }
}
