package io.headrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The repository's sample photos, and small folders made of them.
public final class Photos {
  private Photos() {}

  /// {@return the folder of sample photos, ROOT/CLASS/NAME.jpg}
  public static Path folder() {
    Path photos = Path.of(System.getProperty("headrace.root", ".."), "samples", "photos");
    if (!Files.isDirectory(photos)) {
      throw new IllegalStateException("no sample photos at " + photos.toAbsolutePath());
    }
    return photos;
  }

  /// {@return the first `perClass` photos of each of the first `classes` classes, copied to `to`}
  public static Path few(Path to, int classes, int perClass) {
    try {
      for (Path group : sorted(folder()).subList(0, classes)) {
        Path copy = Files.createDirectories(to.resolve(group.getFileName().toString()));
        for (Path photo : sorted(group).subList(0, perClass)) {
          Files.copy(photo, copy.resolve(photo.getFileName().toString()));
        }
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return what is in `folder`, in order of names}
  public static List<Path> sorted(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
