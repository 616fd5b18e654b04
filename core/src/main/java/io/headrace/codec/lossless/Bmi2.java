package io.headrace.codec.lossless;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Whether this processor scatters bits in one quick instruction, which `Long.expand` becomes.
///
/// x86-64 has `pdep` since 2013. AMD's family 17h (Zen, Zen 2) runs it as microcode, some fifty
/// times slower; elsewhere `Long.expand` is a loop. Source: AMD, Software Optimization Guide for
/// Family 17h, 56305, appendix of instruction latencies.
final class Bmi2 {
  static final boolean FAST = isFast();

  private Bmi2() {}

  private static boolean isFast() {
    String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return (arch.equals("amd64") || arch.equals("x86_64"))
        && !isFamily17h(String.valueOf(System.getenv("PROCESSOR_IDENTIFIER")))
        && !isFamily17h(cpuInfo());
  }

  /// {@return the first processor's lines on Linux, elsewhere nothing}
  private static String cpuInfo() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return String.join("\n", lines.limit(4).toList());
    } catch (IOException e) {
      return "";
    }
  }

  /// {@return whether that describes such a processor, in the words of Linux or of Windows}
  static boolean isFamily17h(String processor) {
    boolean amd = processor.contains("AuthenticAMD") || processor.contains("HygonGenuine");
    return amd && processor.matches("(?s).*(cpu family\\s*: |Family )(23|24)\\b.*");
  }
}
