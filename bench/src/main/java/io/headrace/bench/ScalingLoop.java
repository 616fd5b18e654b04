package io.headrace.bench;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// Runs the loader, or a memory triad, as often as asked, for `./benchmark scaling`.
///
/// Arguments: DATASET PIPELINE BATCH. Reads commands from standard input, a line each, and answers
/// each with one line of JSON: `sizes`, what samples are on average; `load THREADS SECONDS`, whole
/// epochs by so many decode workers for at least so long, nothing but batches counted; `triad
/// THREADS SECONDS`, bytes a second that `a[i] = b[i] + s * c[i]` moves, over arrays of 64 MiB a
/// thread.
public final class ScalingLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TRIAD = 8 << 20;

  /// Read, read, written; what is written is read first where it is not in a cache.
  private static final int TRIAD_BYTES = 4 * Double.BYTES;

  private static final int LOOKED_AT = 64;

  private final Dataset dataset;
  private final Pipeline pipeline;
  private final int batch;
  private int epochs;

  private ScalingLoop(Dataset dataset, Pipeline pipeline, int batch) {
    this.dataset = dataset;
    this.pipeline = pipeline;
    this.batch = batch;
  }

  /// Runs it.
  ///
  /// @param args dataset, pipeline, samples in a batch
  public static void main(String[] args) throws Exception {
    Mains.run(ScalingLoop.class, 3, args, ScalingLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException, InterruptedException {
    try (Dataset dataset = Datasets.open(Path.of(args[0]));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      var loop = new ScalingLoop(dataset, Pipeline.parse(args[1]), Integer.parseInt(args[2]));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        System.out.println(
            switch (words[0]) {
              case "sizes" -> loop.sizes();
              case "load" -> loop.load(Integer.parseInt(words[1]), Double.parseDouble(words[2]));
              case "triad" -> triad(Integer.parseInt(words[1]), Double.parseDouble(words[2]));
              default -> throw new IllegalArgumentException(line);
            });
      }
    }
  }

  private String sizes() throws IOException, DecodeException {
    long encoded = 0;
    long pixels = 0;
    int jpegs = 0;
    int n = (int) Math.min(LOOKED_AT, dataset.size());
    try (var reader = dataset.openReader();
        var block = new Block(MemoryBudget.unbounded());
        var decoder = new ImageDecoder()) {
      var sample = new Sample(block);
      for (int i = 0; i < n; i++) {
        reader.read(i * dataset.size() / n, sample);
        ImageInfo info = decoder.probe(sample.encoded());
        encoded += sample.encodedBytes();
        pixels += (long) info.height() * info.width();
        jpegs += info.format() == ImageFormat.JPEG ? 1 : 0;
      }
    }
    return String.format(
        Locale.ROOT,
        "{\"encoded\": %d, \"pixels\": %d, \"jpegs\": %.3f, \"slot\": %d}",
        encoded / n,
        pixels / n,
        (double) jpegs / n,
        pipeline.outputSpec().bytes());
  }

  private String load(int threads, double atLeast) throws IOException {
    LoadOptions options =
        LoadOptions.builder().threads(threads).batchSize(batch).digest(false).seed(1).build();
    long samples = 0;
    double seconds = 0;
    long blocked = 0;
    long waited = 0;
    try (var loader = new Loader(dataset, pipeline, options)) {
      while (seconds < atLeast) {
        try (Epoch epoch = loader.epoch(epochs++)) {
          for (Batch next = epoch.next(); next != null; next = epoch.next()) {
            samples += next.size();
            next.close();
          }
          seconds += epoch.report().seconds();
        }
      }
      for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
        if (info != null && info.getThreadName().matches("idle|(read|decode)-.*")) {
          blocked += info.getBlockedCount();
          waited += info.getWaitedCount();
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "{\"samples\": %d, \"seconds\": %.6f, \"blocked\": %d, \"waited\": %d}",
        samples,
        seconds,
        blocked,
        waited);
  }

  private static String triad(int threads, double seconds) throws InterruptedException {
    long[] rounds = new long[threads];
    double[] took = new double[threads];
    Thread[] all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int me = t;
      all[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    double[] a = new double[TRIAD];
                    double[] b = new double[TRIAD];
                    double[] c = new double[TRIAD];
                    Arrays.fill(b, 1);
                    Arrays.fill(c, 2);
                    add(a, b, c); // touched, and compiled
                    long start = System.nanoTime();
                    do {
                      add(a, b, c);
                      rounds[me]++;
                      took[me] = (System.nanoTime() - start) / 1e9;
                    } while (took[me] < seconds);
                  });
    }
    double rate = 0;
    for (int t = 0; t < threads; t++) {
      all[t].join();
      rate += rounds[t] * (double) TRIAD * TRIAD_BYTES / took[t];
    }
    return String.format(Locale.ROOT, "{\"bytes_per_second\": %.0f}", rate);
  }

  private static void add(double[] a, double[] b, double[] c) {
    for (int i = 0; i < a.length; i++) {
      a[i] = b[i] + 3 * c[i];
    }
  }
}
