package io.headrace.load;

import io.headrace.load.plan.LoadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/// Prints the digest of an epoch of each dataset for several numbers of threads: one process of
/// several that must agree.
public final class OrderDigests {
  private OrderDigests() {}

  /// Runs.
  ///
  /// @param args datasets
  public static void main(String[] args) throws IOException {
    for (String path : Arrays.asList(args)) {
      for (int threads : new int[] {1, 2, 8}) {
        for (boolean shuffled : new boolean[] {true, false}) {
          LoadOptions options =
              LoadOptions.builder()
                  .batchSize(5)
                  .threads(threads)
                  .window(16)
                  .seed(7)
                  .shuffle(shuffled)
                  .build();
          System.out.println(
              "digest %s %s %s"
                  .formatted(path, shuffled, Tiny.load(Path.of(path), options, 3).digest()));
        }
      }
    }
  }
}
