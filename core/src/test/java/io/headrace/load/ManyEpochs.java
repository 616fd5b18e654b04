package io.headrace.load;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/// Loads many epochs in a process of its own and prints what it takes, a line an epoch: number,
/// samples, resident KiB, open descriptors, Java threads, peak bytes of the memory budget. Linux.
public final class ManyEpochs {
  private static final int EXTRA = 2; // descriptors of the count itself

  private ManyEpochs() {}

  /// Runs.
  ///
  /// @param args dataset, number of epochs, pipeline or `tiny`
  public static void main(String[] args) throws IOException {
    Pipeline pipeline = args[2].equals("tiny") ? Tiny.PIPELINE : Pipeline.parse(args[2]);
    LoadOptions options =
        LoadOptions.builder().batchSize(32).threads(2).memory(64L << 20).digest(false).build();
    try (Dataset dataset = Datasets.open(Path.of(args[0]));
        var loader = new Loader(dataset, pipeline, options)) {
      for (long number = 0; number < Long.parseLong(args[1]); number++) {
        int samples;
        try (Epoch epoch = loader.epoch(number)) {
          samples = Tiny.take(epoch, Long.MAX_VALUE).size();
        }
        System.out.printf(
            Locale.ROOT,
            "epoch %d %d %d %d %d %d%n",
            number,
            samples,
            status("VmRSS:"),
            descriptors(),
            Thread.getAllStackTraces().size(),
            loader.peakMemory());
      }
    }
  }

  private static long status(String name) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String line = lines.filter(l -> l.startsWith(name)).findAny().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", ""));
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count() - EXTRA;
    }
  }
}
