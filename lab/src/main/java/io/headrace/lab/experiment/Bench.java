package io.headrace.lab.experiment;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Subset;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Where experiments are measured: a folder that keeps what was measured, so that an interrupted
/// one goes on where it stopped. For one thread.
public final class Bench implements AutoCloseable {
  /// What the folder of a conversion holds until it is complete.
  private static final String UNFINISHED = ".headrace-convert";

  private final Path out;
  private final Setup setup;
  private final Runner runner;
  private final Sweeper sweeper;
  private final Consumer<String> progress;
  private final Classroom classroom;

  /// A bench without training.
  public Bench(Path out, Path photos, @Nullable Path sounds, Size size, Consumer<String> progress)
      throws IOException, InterruptedException {
    this(out, photos, sounds, size, null, progress);
  }

  /// Makes what all experiments need: the photos as PNG.
  ///
  /// @param out folder for run files and, below `work`, converted data
  /// @param photos a dataset of JPEGs
  /// @param sounds a folder of recordings; null if there is none
  /// @param training trains networks; null if claims that need it are to stay open
  /// @param progress told what is done, one line each
  /// @throws ConfigException if the photos are no dataset whose number of samples is known
  public Bench(
      Path out,
      Path photos,
      @Nullable Path sounds,
      Size size,
      @Nullable Training training,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    this.out = out;
    Files.createDirectories(out.resolve("runs"));
    Path png = out.resolve("work/png");
    double bytes;
    try (Dataset data = Datasets.open(photos)) {
      if (data.size() < 1) {
        throw new ConfigException(photos + ": experiments need a dataset whose size is known");
      }
      Dataset part = size.samples() == 0 ? data : new Subset(data, size.samples());
      bytes = (double) part.storedBytes() / part.size();
      if (missing(png)) {
        progress.accept("photos as PNG");
        var as = Representation.of("folder", "none", "png", "keep");
        var _ = new Converter(part, ConvertOptions.of(png, as, 1)).run();
      }
    }
    setup = new Setup(photos, png, sounds, size, Runtime.getRuntime().availableProcessors(), bytes);
    runner = new Runner(out.resolve("work/converted"), true);
    sweeper = new Sweeper(runner, progress);
    this.progress = progress;
    classroom = new Classroom(out, setup, runner, training, progress);
  }

  /// {@return whether a conversion is not there, or not complete}
  static boolean missing(Path folder) {
    return !Files.isDirectory(folder) || Files.exists(folder.resolve(UNFINISHED));
  }

  /// {@return what experiments run on}
  public Setup setup() {
    return setup;
  }

  /// {@return who is told what is done, one line each}
  Consumer<String> progress() {
    return progress;
  }

  /// {@return a place for data of an experiment's own}
  Path work(String data) {
    return out.resolve("work").resolve(data);
  }

  /// What takes time.
  @FunctionalInterface
  interface Work {
    /// Does it.
    void run() throws IOException, InterruptedException;
  }

  /// {@return the seconds that work takes}
  static double seconds(Work work) throws IOException, InterruptedException {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  /// {@return what converts data and opens them}
  Runner runner() {
    return runner;
  }

  /// Runs what is missing of a sweep.
  ///
  /// @return what there is of it then, in a file of the sweep's name
  Runs run(Sweep sweep) throws IOException, InterruptedException {
    return sweeper.run(sweep, file(sweep.name()));
  }

  /// Runs what is missing of some trials, in a file of that name.
  Runs run(String name, List<Trial> trials) throws IOException, InterruptedException {
    return run(setup.sweep(name, trials));
  }

  /// {@return bytes of memory that hold a share of a trial's data, a fact of that name}
  double memory(Facts facts, double share, Trial trial) throws IOException, InterruptedException {
    return facts.of("memory", () -> Math.floor(share * runner.prepare(trial).bytes()));
  }

  /// {@return the first of some qualities at which a trial's data take no more than some bytes; the
  ///     last if there is none}
  int fitting(List<Integer> qualities, double bytes, IntFunction<Trial> trial)
      throws IOException, InterruptedException {
    for (int quality : qualities) {
      if (runner.prepare(trial.apply(quality)).bytes() <= bytes) {
        return quality;
      }
    }
    return qualities.getLast();
  }

  /// {@return where networks are trained}
  Classroom classroom() {
    return classroom;
  }

  /// {@return the folder of what was measured}
  public Path out() {
    return out;
  }

  /// {@return the file of runs of a sweep}
  public Path file(String sweep) {
    return out.resolve("runs").resolve(sweep + ".jsonl");
  }

  /// {@return the facts of an experiment}
  Facts facts(String experiment) throws IOException {
    return new Facts(out.resolve("runs").resolve(experiment + ".facts.json"));
  }

  /// Removes converted data; what was measured stays.
  public void clear() throws IOException {
    Runner.remove(out.resolve("work"));
  }

  /// Writes a file that is whole whenever it is there.
  static void write(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    runner.close();
  }
}
