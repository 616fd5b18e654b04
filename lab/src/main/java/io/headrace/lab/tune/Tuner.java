package io.headrace.lab.tune;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.load.Bottleneck;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/// Measures candidate representations on a sample of a dataset and picks one.
///
/// Every candidate is converted first; then all are loaded in turn, several times over, so that a
/// drift of the machine affects all alike. Medians count.
public final class Tuner {
  private static final int QUALITY_SAMPLES = 32;

  private final Dataset dataset;
  private final TuneOptions options;
  private final Instruments instruments;
  private final List<Double> others = new ArrayList<>();

  /// @param dataset stays the caller's
  public Tuner(Dataset dataset, TuneOptions options) {
    this(dataset, options, Instruments.of(options));
  }

  Tuner(Dataset dataset, TuneOptions options, Instruments instruments) {
    this.dataset = dataset;
    this.options = options;
    this.instruments = instruments;
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
    long samples = 1;

    Trial(Candidate candidate, Dataset data, double convertSeconds) {
      this.candidate = candidate;
      this.data = data;
      this.convertSeconds = convertSeconds;
    }
  }

  /// Runs everything. The work folder is always emptied at the end.
  ///
  /// @param progress told what is done, one line each
  public Tuning run(Consumer<String> progress) throws IOException, InterruptedException {
    Files.createDirectories(options.work());
    progress.accept("measuring the disk");
    double disk = instruments.disk().bytesPerSecond(options.work());
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
    long start = instruments.clock().getAsLong();
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
    double seconds = (instruments.clock().getAsLong() - start) / 1e9;
    var trial = new Trial(candidate, Datasets.open(folder), seconds);
    if (representation.encoding().lossy()) {
      trial.quality = fidelity.of(trial.data);
    }
    return trial;
  }

  /// Loads epochs for as long as asked for, and goes through some samples with one thread;
  /// repeat 0 does not count.
  private void measure(Trial trial, int repeat) throws IOException {
    Solo solo = instruments.solo().measure(trial.data, repeat);
    ProcessorTime before = instruments.processors().get();
    long start = instruments.clock().getAsLong();
    Stretch stretch = instruments.loader().load(trial.data, trial.nextEpoch);
    double seconds = (instruments.clock().getAsLong() - start) / 1e9;
    trial.nextEpoch += stretch.epochs().size();
    trial.samples = stretch.last().delivered() + stretch.last().skipped();
    if (repeat > 0) {
      trial.rates.add(stretch.rate());
      trial.bottlenecks.add(stretch.last().bottleneck());
      trial.solos.add(solo);
      others.add(
          instruments.processors().get().takenByOthers(before, seconds, instruments.allowed()));
    }
  }

  private Tuning conclude(List<Trial> trials, Subset sample, double disk) throws IOException {
    long samples = dataset.size();
    long sampled = trials.getFirst().samples;
    double originalBytes = samples > 0 ? (double) dataset.storedBytes() / samples : read(sample);
    double count = samples > 0 ? samples : dataset.storedBytes() / originalBytes;
    List<Result> results = new ArrayList<>();
    for (Trial trial : trials) {
      double stored =
          trial.data == sample ? originalBytes : (double) trial.data.storedBytes() / trial.samples;
      double total = stored * count;
      double read = Result.median(trial.solos.stream().map(Solo::readSeconds).toList());
      double decode = Result.median(trial.solos.stream().map(Solo::decodeSeconds).toList());
      double transform = Result.median(trial.solos.stream().map(Solo::transformSeconds).toList());
      var costs = new Costs(read, decode + transform, stored);
      results.add(
          new Result(
              trial.candidate,
              costs,
              total,
              trial.quality,
              costs.predict(instruments.allowed(), options.load().threads()),
              trial.rates,
              costs.storeRate(total, (double) options.limits().memoryBytes(), disk),
              commonest(trial.bottlenecks),
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
        disk,
        others);
  }

  /// {@return bytes of one of the samples, read from the start}
  private static double read(Dataset data) throws IOException {
    long samples = 0;
    long bytes = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset.SampleCursor cursor = data.openCursor(0)) {
      while (cursor.next(sample)) {
        samples++;
        bytes = cursor.bytesRead();
      }
    } catch (CorruptDataException e) {
      if (samples == 0) {
        throw e;
      }
    }
    return (double) bytes / Math.max(1, samples);
  }

  /// {@return what most repeats were bound by; the later one where two are as common}
  private static Bottleneck commonest(List<Bottleneck> found) {
    Bottleneck best = found.getLast();
    for (Bottleneck one : found.reversed()) {
      best = Collections.frequency(found, one) > Collections.frequency(found, best) ? one : best;
    }
    return best;
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
