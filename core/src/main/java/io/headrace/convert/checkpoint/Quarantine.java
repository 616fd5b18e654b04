package io.headrace.convert.checkpoint;

import io.headrace.format.Sample;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A folder for samples that cannot be converted, to be looked at.
public final class Quarantine {
  /// A line for each sample, converted or not by an earlier run: its place, and what is wrong.
  private static final String LIST = "list.txt";

  /// The most characters of a key in a file's name, all of them ASCII: a name may have 255.
  private static final int MAX_NAME = 128;

  private Quarantine() {}

  /// Keeps those bytes of a sample that could be read.
  public static void keep(Path folder, Sample sample) throws IOException {
    if (sample.encodedBytes() == 0) {
      return;
    }
    Files.createDirectories(folder);
    String name = sample.key().replaceAll("[^\\w.-]+", "_");
    String end = name.substring(Math.max(0, name.length() - MAX_NAME));
    Path file = folder.resolve("%016x-%s".formatted(sample.id(), end.isEmpty() ? "x" : end));
    try (FileChannel out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var bytes = sample.encoded().asByteBuffer();
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    }
  }

  /// Lists all samples that were left out.
  public static void list(Path folder, List<ShardTally> tallies) throws IOException {
    List<String> lines = tallies.stream().flatMap(tally -> tally.skipped().stream()).toList();
    if (!lines.isEmpty()) {
      Files.createDirectories(folder);
      Files.write(folder.resolve(LIST), lines, StandardCharsets.UTF_8);
    }
  }
}
