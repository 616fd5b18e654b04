package io.headrace.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/// What the main methods of this package share. If arguments, or the files they name, are wrong,
/// they print one line and end with exit code 2. Anything else is a bug and gives a stack trace.
final class Mains {
  private static final int USAGE = 2;

  private Mains() {}

  /// A benchmark.
  @FunctionalInterface
  interface Work {
    void run(String[] args) throws Exception;
  }

  /// Runs a benchmark; ends the process if it cannot.
  ///
  /// @param least how many arguments it needs
  static void run(Class<?> bench, int least, String[] args, Work work) throws Exception {
    try {
      if (args.length < least) {
        throw new IllegalArgumentException(
            "found %d arguments: expected %d at least; ./benchmark help %s tells them"
                .formatted(args.length, least, bench.getSimpleName()));
      }
      work.run(args);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      System.err.println(bench.getSimpleName() + ": " + words(e));
      System.exit(USAGE);
    }
  }

  private static String words(Throwable e) {
    return switch (e) {
      case UncheckedIOException io -> words(Objects.requireNonNull(io.getCause()));
      case NoSuchFileException missing -> "no such file or folder: " + missing.getFile();
      case AccessDeniedException denied -> "permission denied: " + denied.getFile();
      case FileSystemException system when system.getReason() != null ->
          system.getFile() + ": " + system.getReason();
      case NumberFormatException number ->
          "not a number: " + String.valueOf(number.getMessage()).replace("For input string: ", "");
      default -> String.valueOf(e.getMessage());
    };
  }
}
