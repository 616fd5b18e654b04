package io.headrace.cli;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The folder a demo writes to.
final class DemoFolder {
  private static final Set<String> OURS =
      Set.of("dataset", "samples", "runs.jsonl", "plan.json", "report.html");

  private DemoFolder() {}

  /// Makes the folder, or removes from it what an earlier demo left; nothing else is touched.
  ///
  /// @throws ConfigException if it holds anything else
  static void clear(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> inside;
    try (Stream<Path> files = Files.list(folder)) {
      inside = files.toList();
    }
    for (Path file : inside) {
      if (!OURS.contains(String.valueOf(file.getFileName()))) {
        throw new ConfigException(
            folder + " holds " + file.getFileName() + ", which no demo wrote: give another --out");
      }
    }
    for (Path file : inside) {
      try (Stream<Path> tree = Files.walk(file)) {
        tree.sorted(Comparator.reverseOrder()).forEach(DemoFolder::delete);
      }
    }
  }

  /// {@return the photos that come with the program}
  static Path embedded() {
    String home = System.getenv("HEADRACE_HOME");
    Path photos = Path.of(home == null ? "." : home, "samples", "photos");
    if (!Files.isDirectory(photos)) {
      throw new ConfigException("no embedded photos at " + photos + ": give --data");
    }
    return photos;
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
