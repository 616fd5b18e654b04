package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/// Turns what a command threw into one worded line and an exit code; no stack trace, unless
/// `HEADRACE_TRACE` is set.
final class Failures implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + describe(e));
    if (System.getenv("HEADRACE_TRACE") != null) {
      e.printStackTrace(err);
    }
    err.flush();
    return switch (e) {
      case ConfigException _ -> Exit.USAGE;
      case CorruptDataException _ -> Exit.BAD_DATA;
      default -> Exit.FAILED;
    };
  }

  static String describe(Throwable e) {
    return Printable.of(words(e)); // a name may hold a line break
  }

  private static String words(Throwable e) {
    return switch (e) {
      case NoSuchFileException missing ->
          "no such file or folder: " + missing.getFile() + why(missing);
      case AccessDeniedException denied ->
          "permission denied: "
              + denied.getFile()
              + (denied.getReason() == null ? "" : ": " + denied.getReason());
      case FileSystemException system when system.getReason() != null ->
          system.getFile() + ": " + system.getReason();
      case ConfigException config -> String.valueOf(config.getMessage());
      case IOException io -> String.valueOf(io.getMessage());
      case UncheckedIOException io -> words(Objects.requireNonNull(io.getCause()));
      default ->
          e
              + (e.getCause() == null ? "" : ": " + e.getCause())
              + " (set HEADRACE_TRACE=1 for where)";
    };
  }

  /// {@return why a file that is missing should be there, if that is known}
  private static String why(NoSuchFileException missing) {
    String reason = missing.getReason();
    return reason == null || reason.startsWith("no such file") ? "" : ": " + reason;
  }
}
