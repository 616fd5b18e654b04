package io.headrace.interop;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Files made by other tools, and ways through a dataset.
public final class Fixtures {
  private Fixtures() {}

  /// {@return a fixture by its path among the resources}
  public static Path path(String name) {
    var url = Fixtures.class.getResource("/" + name);
    if (url == null) {
      throw new AssertionError("no fixture " + name);
    }
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /// Copies a folder with all that is in it.
  public static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(
            each,
            to.resolve(from.relativize(each).toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /// {@return an empty holder}
  public static Sample sample() {
    return new Sample(new Block(MemoryBudget.unbounded()));
  }

  /// What is done with each sample.
  @FunctionalInterface
  public interface Visit {
    /// Does it.
    void on(Sample sample) throws IOException;
  }

  /// Reads every shard through its cursor.
  ///
  /// @return the faults met
  public static List<CorruptDataException> stream(Dataset dataset, Visit visit) throws IOException {
    List<CorruptDataException> faults = new ArrayList<>();
    try (Sample sample = sample()) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more) {
                visit.on(sample);
              }
            } catch (CorruptDataException e) {
              faults.add(e);
              more = cursor.resumable();
            }
          }
        }
      }
    }
    return faults;
  }
}
