package io.headrace.bench;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// How long the first batch of a large dataset takes, from the start of the process.
///
/// Run: `java --enable-native-access=ALL-UNNAMED -cp bench.jar io.headrace.bench.StartUp FOLDER
/// [SAMPLES]` twice. The first run makes a race shard of a million raw images of 4 x 4 pixels; each
/// later one opens it, takes one batch, and prints when that was and the most memory that the
/// process had.
public final class StartUp {
  private StartUp() {}

  /// Runs the benchmark.
  public static void main(String[] args) throws Exception {
    Mains.run(StartUp.class, 1, args, StartUp::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    Path folder = Path.of(args[0]);
    int samples = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    long started = ManagementFactory.getRuntimeMXBean().getStartTime();
    boolean there = Files.isDirectory(folder);
    long begin = System.nanoTime();
    Path file = RawDataset.make(folder, new RaceContainer(RaceOptions.PLAIN), samples, 4);
    if (!there) {
      System.out.println("made " + file + ": run again");
      return;
    }
    Pipeline pipeline = Pipeline.parse("resize=4x4,uint8,hwc");
    try (Dataset dataset = Datasets.open(file)) {
      double opened = (System.nanoTime() - begin) / 1e9;
      long memory = peakKilobytes();
      try (var loader =
              new Loader(dataset, pipeline, LoadOptions.builder().batchSize(256).build());
          Epoch epoch = loader.epoch(0);
          Batch batch = epoch.next()) {
        long now = System.currentTimeMillis();
        System.out.printf(
            Locale.ROOT,
            "%,d samples: opened in %.3f s (%,d MB at most until then), batch of %d after %.3f s in"
                + " the process (%,d MB at most)%n",
            dataset.size(),
            opened,
            memory / 1024,
            batch == null ? 0 : batch.size(),
            (now - started) / 1e3,
            peakKilobytes() / 1024);
      }
    }
  }

  private static long peakKilobytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }
}
