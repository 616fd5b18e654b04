package io.headrace.lab.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// Converts data for trials, once for all that share them.
///
/// @param work folder for converted data
/// @param keep whether they stay when this is closed
/// @param stored what was made or found so far
record Workshop(
    Path work, boolean keep, Instruments instruments, Map<String, Workshop.Stored> stored)
    implements AutoCloseable {
  /// Images whose likeness to the original is measured, at most.
  private static final int LIKENESS = 32;

  /// Stored bytes of the images that are, as measuring large ones takes long; two are in any case.
  private static final double LIKENESS_BYTES = 4e6;

  /// Data of a trial on disk.
  ///
  /// @param path of them
  /// @param converted whether this made them
  /// @param conversion what was done for them
  record Stored(Path path, boolean converted, Conversion conversion) {
    /// {@return them, opened through a store}
    Dataset open(Trial trial, Store store) throws IOException {
      return Datasets.open(path, converted ? OpenOptions.DEFAULT : trial.opening(), store);
    }

    /// Removes them, if this made them.
    void remove() throws IOException {
      if (converted) {
        Files.deleteIfExists(note(path));
        Workshop.remove(path);
      }
    }

    /// {@return their files}
    List<Path> files() throws IOException {
      List<Path> places = new ArrayList<>();
      try (Dataset data = Datasets.open(path)) {
        places.addAll(data.shards());
        places.addAll(data.linkedFolders());
      }
      List<Path> files = new ArrayList<>();
      for (Path place : places) {
        Files.walkFileTree(
            place,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                  files.add(file);
                }
                return FileVisitResult.CONTINUE;
              }
            });
      }
      return files;
    }
  }

  /// {@return the data of a trial, converted if they are not yet}
  Stored stored(Trial trial) throws IOException, InterruptedException {
    String key = trial.stored();
    Stored there = stored.get(key);
    if (there == null) {
      Representation to = trial.representation();
      there = to == null ? found(trial) : convert(trial, to);
      stored.put(key, there);
    }
    return there;
  }

  private static Stored found(Trial trial) throws IOException {
    try (Dataset data = Datasets.open(trial.dataset(), trial.opening())) {
      Dataset shown = Runner.shown(data, trial);
      return new Stored(
          trial.dataset(),
          false,
          shown.size() < 0 ? streamed(shown) : asFound(shown.size(), shown.storedBytes()));
    }
  }

  private static Conversion asFound(long samples, long bytes) {
    return new Conversion(0, 0, samples, bytes, Double.POSITIVE_INFINITY, 1, 1);
  }

  /// {@return what a stream holds, which only reading tells}
  private static Conversion streamed(Dataset data) throws IOException {
    long samples = 0;
    long bytes = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < data.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              samples += more ? 1 : 0;
            } catch (CorruptDataException e) {
              more = cursor.resumable(); // loading says what is wrong
            }
          }
          bytes += cursor.bytesRead();
        }
      }
    }
    return asFound(samples, bytes);
  }

  private Path folder(String key) {
    return work.resolve(UUID.nameUUIDFromBytes(key.getBytes(UTF_8)).toString());
  }

  private static Path note(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".json");
  }

  private Stored convert(Trial trial, Representation to) throws IOException, InterruptedException {
    Path folder = folder(trial.stored());
    if (Files.exists(note(folder))) {
      return new Stored(
          folder,
          true,
          JsonMapper.shared().readValue(Files.readString(note(folder)), Conversion.class));
    }
    remove(folder); // what an earlier run left unfinished, whose time nobody knows
    Files.createDirectories(work);
    try (Dataset data = Datasets.open(trial.dataset(), trial.opening())) {
      Dataset shown = Runner.partOf(data, trial);
      var options =
          new ConvertOptions(
                  folder,
                  "data",
                  to,
                  trial.number(Key.SHARDS),
                  false,
                  0,
                  trial.number(Key.THREADS),
                  true,
                  trial.loading().memory())
              .withMeasured(to.encoding().lossy() ? measured(shown) : 0);
      ProcessorTime before = instruments.processors().get();
      long start = instruments.ticker().nanos();
      ConvertReport report =
          new Converter(shown, shown.size() < 0 ? options : options.forSamples(shown.size())).run();
      double seconds = (instruments.ticker().nanos() - start) / 1e9;
      double cpu = (instruments.processors().get().ownNanos() - before.ownNanos()) / 1e9;
      Conversion conversion = conversion(report, seconds, cpu);
      Files.writeString(note(folder), JsonMapper.shared().writeValueAsString(conversion));
      return new Stored(folder, true, conversion);
    }
  }

  private static int measured(Dataset data) throws IOException {
    double each = data.size() < 1 ? 0 : (double) data.storedBytes() / data.size();
    return (int) Math.clamp(LIKENESS_BYTES / Math.max(1, each), 2, LIKENESS);
  }

  /// Images that were kept as they are count as equal. Time to measure likeness is no part of
  /// converting.
  private static Conversion conversion(ConvertReport report, double seconds, double cpu) {
    ConvertReport.Likeness likeness = report.likeness();
    double changed =
        likeness == null ? 0 : (double) report.reencoded() / Math.max(1, report.written());
    double measuring = likeness == null ? 0 : likeness.cpuSeconds();
    double own = cpu > measuring ? 1 - measuring / cpu : 1;
    return new Conversion(
        own * seconds,
        own * cpu,
        report.written(),
        report.fileBytes(),
        likeness == null ? Double.POSITIVE_INFINITY : likeness.psnr(),
        likeness == null ? 1 : 1 - changed * (1 - likeness.ssim()),
        likeness == null ? 1 : 1 - changed * (1 - likeness.msSsim()));
  }

  /// Drops the data of a trial.
  void forget(Trial trial) throws IOException {
    Stored there = stored.remove(trial.stored());
    if (there != null) {
      there.remove();
    }
  }

  /// Removes a folder and all in it, if it is there.
  static void remove(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> tree = Files.walk(folder)) {
        for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!keep) {
      for (Stored there : stored.values()) {
        there.remove();
      }
      stored.clear();
    }
  }
}
