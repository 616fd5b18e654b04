package io.headrace.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import io.headrace.format.tfrecord.TfRecordContainer;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Store;
import io.headrace.store.Stores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the loader itself costs: raw samples of 12 KB in the page cache, fully shuffled, batches of
/// 256, a pipeline that changes nothing.
///
/// Run: `java --enable-native-access=ALL-UNNAMED -cp bench.jar io.headrace.bench.LoaderOverhead
/// FOLDER [SAMPLES [ROUNDS [THREADS [READERS [EDGE [STORE]]]]]]`. The datasets are made in the
/// folder if they are not there; the store is as [Stores#parse] takes it. Rounds alternate between
/// the containers, whose files stay open; medians are printed. CPU is that of the threads named,
/// heap what all threads together allocated, divided by batches, both without the first eighth of
/// the epoch.
public final class LoaderOverhead {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final List<String> KINDS = List.of("read", "decode", "main");

  private LoaderOverhead() {}

  private record Run(
      double perSecond,
      double cpuMicros,
      double heapPerBatch,
      List<Double> micros,
      EpochReport report) {}

  /// Runs the benchmark.
  public static void main(String[] args) throws Exception {
    Mains.run(LoaderOverhead.class, 1, args, LoaderOverhead::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    Path folder = Path.of(args[0]);
    int samples = args.length > 1 ? Integer.parseInt(args[1]) : 40_000;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 7;
    var builder = LoadOptions.builder().batchSize(256).seed(1).digest(false);
    if (args.length > 3) {
      builder.threads(Integer.parseInt(args[3]));
    }
    if (args.length > 4) {
      builder.readers(Integer.parseInt(args[4]));
    }
    int edge = args.length > 5 ? Integer.parseInt(args[5]) : 64;
    Store store = Stores.parse(args.length > 6 ? args[6] : "page");
    LoadOptions options = builder.build();
    Map<String, Path> datasets = new LinkedHashMap<>();
    for (Container container :
        List.of(
            new RaceContainer(RaceOptions.PLAIN), new TfRecordContainer(new Compression.None()))) {
      datasets.put(
          container.name(),
          RawDataset.make(folder.resolve(container.name()), container, samples, edge));
    }
    Map<String, Dataset> open = new LinkedHashMap<>();
    for (Map.Entry<String, Path> entry : datasets.entrySet()) {
      open.put(entry.getKey(), Datasets.open(entry.getValue(), store));
    }
    Map<String, List<Run>> runs = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) { // the first one warms up
      for (Map.Entry<String, Dataset> entry : open.entrySet()) {
        Run run = run(entry.getValue(), options, edge, round + 1);
        if (round >= 0) {
          runs.computeIfAbsent(entry.getKey(), k -> new ArrayList<>()).add(run);
        }
      }
    }
    runs.forEach(LoaderOverhead::print);
    for (Dataset dataset : open.values()) {
      dataset.close();
    }
  }

  private static Run run(Dataset dataset, LoadOptions options, int edge, int number)
      throws IOException {
    Pipeline pipeline = Pipeline.parse("resize=%dx%d,uint8,hwc".formatted(edge, edge));
    try (var loader = new Loader(dataset, pipeline, options);
        Epoch epoch = loader.epoch(number)) {
      long batches = dataset.size() / options.batchSize();
      long from = batches / 8;
      long to = batches - 8;
      long heap = 0;
      long cpu = 0;
      long start = 0;
      double[] micros = new double[KINDS.size()];
      long n = 0;
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
        n++;
        if (n == from) {
          times(micros, -1);
          heap = THREADS.getTotalThreadAllocatedBytes();
          cpu = SYSTEM.getProcessCpuTime();
          start = System.nanoTime();
        } else if (n == to) {
          double seconds = (System.nanoTime() - start) / 1e9;
          heap = THREADS.getTotalThreadAllocatedBytes() - heap;
          cpu = SYSTEM.getProcessCpuTime() - cpu;
          times(micros, 1);
          long samples = (to - from) * options.batchSize();
          for (int i = 0; i < micros.length; i++) {
            micros[i] /= samples;
          }
          return new Run(
              samples / seconds,
              cpu / 1e3 / samples,
              (double) heap / (to - from),
              Arrays.stream(micros).boxed().toList(),
              epoch.report());
        }
      }
      throw new IllegalArgumentException("too few samples");
    }
  }

  /// Adds up microseconds of CPU by the kind of thread.
  private static void times(double[] micros, int sign) {
    long[] ids = THREADS.getAllThreadIds();
    var infos = THREADS.getThreadInfo(ids);
    for (int i = 0; i < ids.length; i++) {
      for (int kind = 0; kind < KINDS.size(); kind++) {
        if (infos[i] != null && infos[i].getThreadName().startsWith(KINDS.get(kind))) {
          micros[kind] += sign * THREADS.getThreadCpuTime(ids[i]) / 1e3;
        }
      }
    }
  }

  private static void print(String name, List<Run> runs) {
    System.out.printf(
        Locale.ROOT,
        "%-9s %,9.0f samples/s  (best %,.0f)  CPU µs a sample %.2f",
        name,
        Medians.of(runs.stream().mapToDouble(Run::perSecond).toArray()),
        runs.stream().mapToDouble(Run::perSecond).max().orElse(0),
        Medians.of(runs.stream().mapToDouble(Run::cpuMicros).toArray()));
    for (int kind = 0; kind < KINDS.size(); kind++) {
      int k = kind;
      System.out.printf(
          Locale.ROOT,
          ", %s %.2f",
          KINDS.get(kind),
          Medians.of(runs.stream().mapToDouble(r -> r.micros().get(k)).toArray()));
    }
    System.out.printf(
        Locale.ROOT,
        "  heap %,.0f bytes a batch%n",
        Medians.of(runs.stream().mapToDouble(Run::heapPerBatch).toArray()));
    System.out.println("  " + runs.getLast().report().stages());
  }
}
