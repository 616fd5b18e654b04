package io.headrace.convert;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Keeps what is written apart from what is read.
public final class Apart {
  private Apart() {}

  /// Checks that the target is not inside the source, or the reverse, also where symbolic links
  /// lead from one into the other.
  ///
  /// @throws ConfigException if it would
  public static void require(Dataset source, Path target) throws IOException {
    Path to = real(target);
    List<Path> places = new ArrayList<>(source.linkedFolders());
    places.add(source.root());
    places.addAll(source.shards());
    for (Path place : places) {
      if (Files.exists(place)) {
        Path from = place.toRealPath();
        if (to.startsWith(from) || from.startsWith(to)) {
          throw new ConfigException(
              to.equals(from)
                  ? "the target %s is the source: expected a folder outside of it".formatted(target)
                  : to.startsWith(from)
                      ? "the target %s is inside the source %s: expected a folder outside of it"
                          .formatted(target, place)
                      : "the source %s is inside the target %s: expected a folder without it"
                          .formatted(place, target));
        }
      }
    }
  }

  /// {@return the path without symbolic links; its last parts need not exist}
  private static Path real(Path path) throws IOException {
    Path whole = path.toAbsolutePath().normalize();
    Path there = whole;
    while (!Files.exists(there)) {
      Path parent = there.getParent();
      if (parent == null) {
        return whole;
      }
      there = parent;
    }
    return there.toRealPath().resolve(there.relativize(whole)).normalize();
  }
}
