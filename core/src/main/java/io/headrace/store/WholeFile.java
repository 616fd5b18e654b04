package io.headrace.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes files of which there is never half of one.
public final class WholeFile {
  private WholeFile() {}

  /// Writes a file under a temporary name beside it, forces it to disk and renames it.
  public static void write(Path target, ByteBuffer bytes) throws IOException {
    // not createTempFile, which would make it unreadable to others
    Path temporary =
        target.resolveSibling(
            ".%s.%d.tmp".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      try (var out = FileChannel.open(temporary, CREATE, TRUNCATE_EXISTING, WRITE)) {
        while (bytes.hasRemaining()) {
          int _ = out.write(bytes);
        }
        out.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      boolean _ = Files.deleteIfExists(temporary);
    }
  }
}
