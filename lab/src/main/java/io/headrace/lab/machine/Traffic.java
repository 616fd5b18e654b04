package io.headrace.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What came in from outside so far, by Linux's counters; all 0 elsewhere.
///
/// @param readCalls system calls of this process that read
/// @param diskBytes that block devices delivered to this process
/// @param networkBytes received on all interfaces but the loopback, for any process
public record Traffic(long readCalls, long diskBytes, long networkBytes) {
  /// {@return the counters now}
  public static Traffic now() {
    return of(text(Path.of("/proc/self/io")), text(Path.of("/proc/net/dev")));
  }

  /// {@return what such texts as `/proc/self/io` and `/proc/net/dev` say; see proc(5)}
  static Traffic of(String io, String net) {
    long network = 0;
    for (String line : net.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon >= 0 && !line.substring(0, colon).strip().equals("lo")) {
        String received = line.substring(colon + 1).strip().split("\\s+", -1)[0];
        network += Long.parseLong(received);
      }
    }
    return new Traffic(value(io, "syscr:"), value(io, "read_bytes:"), network);
  }

  private static long value(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
        .findFirst()
        .orElse(0);
  }

  /// {@return what a file of the system says; nothing where there is none, or it may not be read}
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return ""; // not Linux, or not allowed
    }
  }

  /// {@return what came in since an earlier reading}
  public Traffic since(Traffic before) {
    return new Traffic(
        readCalls - before.readCalls,
        diskBytes - before.diskBytes,
        networkBytes - before.networkBytes);
  }
}
