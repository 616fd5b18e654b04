package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What to measure, and how thoroughly.
///
/// @param path a folder of images, sound or other files, one such file, or a dataset of images
/// @param kind of encodings, or null to tell it from the content of the files
/// @param encodings families such as `png` or spellings such as `jpeg:80`; all usual ones if empty
/// @param limit files to take at most, spread over the folder
/// @param rounds timed rounds, whose medians count; 1 is a quick look without warming up
/// @param decoded whether streams are of decoded pixels or samples, not of the files' bytes
public record BenchOptions(
    Path path,
    @Nullable BenchKind kind,
    List<String> encodings,
    int limit,
    int rounds,
    boolean decoded) {
  /// Checks the ranges.
  ///
  /// @throws ConfigException if the limit or the rounds are not positive
  public BenchOptions {
    encodings = List.copyOf(encodings);
    if (limit < 1 || rounds < 1) {
      throw new ConfigException("limit and rounds: expected at least 1 of each");
    }
    if (decoded && kind != null && kind != BenchKind.STREAMS) {
      throw new ConfigException("only streams choose between files and what they decode to");
    }
  }
}
