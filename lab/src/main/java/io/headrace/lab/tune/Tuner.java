package io.headrace.lab.tune;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Subset;
import io.headrace.lab.model.Costs;
import io.headrace.load.Bottleneck;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.store.DiskProbe;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Measures candidate representations on a sample of a dataset and picks one.
///
/// Every candidate is converted first; then all are loaded in turn, several times over, so that a
/// machine that drifts drifts for all alike. Medians count.
public final class Tuner {
  private static final int QUALITY_SAMPLES = 32;
  private static final int SOLO_SAMPLES = 64;
  private static final int PROBE_MEBIBYTES = 64;

  private final Dataset dataset;
  private final TuneOptions options;

  /// @param dataset stays the caller's
  public Tuner(Dataset dataset, TuneOptions options) {
    this.dataset = dataset;
    this.options = options;
  }

  /// One candidate at work.
  private static final class Trial {
    final Candidate candidate;
    final Dataset data;
    final double convertSeconds;
    final List<Double> rates = new ArrayList<>();
    final List<Bottleneck> bottlenecks = new ArrayList<>();
    final List<Solo> solos = new ArrayList<>();
    double quality = 1;
    long nextEpoch;

    Trial(Candidate candidate, Dataset data, double convertSeconds) {
      this.candidate = candidate;
      this.data = data;
      this.convertSeconds = convertSeconds;
    }
  }

  /// Runs it all. The work folder is emptied again, whatever happens.
  ///
  /// @param progress told what is being done, one line each
  public Tuning run(Consumer<String> progress) throws IOException, InterruptedException {
    Files.createDirectories(options.work());
    progress.accept("measuring the disk");
    DiskProbe disk = DiskProbe.of(options.work(), PROBE_MEBIBYTES);
    var sample = new Subset(dataset, options.samples());
    List<Trial> trials = new ArrayList<>();
    try (var fidelity = new Likeness(sample, QUALITY_SAMPLES)) {
      for (Candidate candidate : options.candidates()) {
        progress.accept("converting to " + candidate.name());
        trials.add(prepare(candidate, sample, trials.size(), fidelity));
      }
      for (Trial trial : trials) {
        progress.accept("warming up " + trial.candidate.name());
        measure(trial, 0);
      }
      for (int repeat = 1; repeat <= options.repeats(); repeat++) {
        for (Trial trial : trials) {
          progress.accept(
              "loading %s, %d of %d".formatted(trial.candidate.name(), repeat, options.repeats()));
          measure(trial, repeat);
        }
      }
      return conclude(trials, sample, disk);
    } finally {
      for (Trial trial : trials) {
        trial.data.close();
      }
      removeTree(options.work());
    }
  }

  private Trial prepare(Candidate candidate, Subset sample, int number, Likeness fidelity)
      throws IOException, InterruptedException {
    Representation representation = candidate.representation();
    if (representation == null) {
      return new Trial(candidate, sample, 0);
    }
    Path folder = options.work().resolve("candidate-%02d".formatted(number));
    LoadOptions load = options.load();
    long start = System.nanoTime();
    new Converter(
            sample,
            new ConvertOptions(
                folder,
                "sample",
                representation,
                Math.max(2, load.readers()),
                false,
                0,
                load.threads(),
                true,
                load.memory()))
        .run();
    double seconds = (System.nanoTime() - start) / 1e9;
    var trial = new Trial(candidate, Datasets.open(folder), seconds);
    if (representation.encoding().lossy()) {
      trial.quality = fidelity.of(trial.data);
    }
    return trial;
  }

  /// Loads epochs for as long as asked for, and goes through some samples with one thread;
  /// repeat 0 does not count.
  private void measure(Trial trial, int repeat) throws IOException {
    Solo solo =
        Solo.of(new Subset(trial.data, SOLO_SAMPLES), options.pipeline(), options.load(), repeat);
    long delivered = 0;
    double begin = 0;
    double seconds;
    Bottleneck bottleneck = Bottleneck.DECODE;
    try (var loader = new Loader(trial.data, options.pipeline(), options.load())) {
      do {
        EpochReport report = epoch(loader, trial.nextEpoch++);
        begin = delivered == 0 ? report.began() : begin;
        delivered += report.delivered();
        seconds = report.began() + report.seconds() - begin; // with what is between epochs
        bottleneck = report.bottleneck();
        if (report.delivered() == 0) {
          throw new IOException(trial.data.root() + ": not one sample could be loaded");
        }
      } while (seconds < options.seconds());
    }
    if (repeat > 0) {
      trial.rates.add(delivered / seconds);
      trial.bottlenecks.add(bottleneck);
      trial.solos.add(solo);
    }
  }

  private static EpochReport epoch(Loader loader, long number) throws IOException {
    try (Epoch epoch = loader.epoch(number)) {
      loader.announce(number + 1);
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }

  private Tuning conclude(List<Trial> trials, Subset sample, DiskProbe disk) throws IOException {
    long sampled = Math.max(1, sample.size());
    long samples = dataset.size();
    List<Result> results = new ArrayList<>();
    for (Trial trial : trials) {
      double stored = (double) trial.data.storedBytes() / sampled;
      double total = samples < 0 ? dataset.storedBytes() : stored * samples;
      double read = median(trial.solos.stream().map(Solo::readSeconds).toList());
      double decode = median(trial.solos.stream().map(Solo::decodeSeconds).toList());
      double transform = median(trial.solos.stream().map(Solo::transformSeconds).toList());
      var costs = new Costs(read, decode + transform, stored);
      results.add(
          new Result(
              trial.candidate,
              costs,
              total,
              trial.quality,
              costs.predict(Runtime.getRuntime().availableProcessors(), options.load().threads()),
              median(trial.rates),
              costs.storeRate(
                  total, (double) options.limits().memoryBytes(), disk.bytesPerSecond()),
              trial.bottlenecks.getLast(),
              decode,
              transform,
              trial.convertSeconds));
    }
    return new Tuning(
        results,
        Pick.of(results, options.limits()),
        options.limits(),
        sampled,
        samples,
        disk.bytesPerSecond());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static void removeTree(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> inside = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(inside::add);
    }
    for (Path file : inside) {
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        removeTree(file);
      } else {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
