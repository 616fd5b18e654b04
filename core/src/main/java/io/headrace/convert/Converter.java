package io.headrace.convert;

import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.format.Manifest;
import io.headrace.format.SetDigest;
import io.headrace.format.ShardName;
import io.headrace.format.Subset;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Rewrites a dataset in another representation.
///
/// The bytes written depend only on the source and the options, never on threads or interruptions.
/// Nothing appears under a final name before all of it is on disk.
@SuppressWarnings("EnumOrdinal") // an index into tallies that are summed at once
public final class Converter {
  /// Name and version of this tool, as manifests and the command say it.
  public static final String TOOL_VERSION = "headrace 0.1.0";

  private final Dataset source;
  private ConvertOptions options;
  private final Progress progress = new Progress();

  /// @param source stays the caller's
  public Converter(Dataset source, ConvertOptions options) {
    this.source = source;
    this.options = options;
    if (options.shuffle() && !source.indexed()) {
      throw new ConfigException(
          source.root()
              + " can only be read in stored order: convert it without compression first, then"
              + " shuffle");
    }
  }

  /// {@return how far the conversion is}
  public Progress progress() {
    return progress;
  }

  /// {@return what the conversion will take, estimated from a few samples}
  public Estimate estimate() throws IOException {
    Apart.require(source, options.target());
    long count = Counting.samples(source);
    progress.total(count);
    return Estimate.of(source, DataTables.make(source, options, count), count);
  }

  /// {@return how many shards of about `shardBytes` the result fills, estimated from a few samples}
  ///
  /// @param options whose own number of shards does not matter
  public static int shardsOf(Dataset source, ConvertOptions options, long shardBytes)
      throws IOException {
    if (shardBytes < 1) {
      throw new ConfigException("shards of " + shardBytes + " bytes: expected at least 1");
    }
    long count = Counting.samples(source);
    ConvertOptions ready = DataTables.make(source, options, count);
    double bytes = Estimate.of(source, ready, count).fileBytesPerSample() * count;
    return (int) Math.clamp(Math.ceil(bytes / shardBytes), 1, Math.clamp(count, 1, 99_999));
  }

  /// Converts, or resumes what an earlier run of the same conversion left.
  ///
  /// @throws ConfigException if the target holds something else
  /// @throws io.headrace.error.CorruptDataException at a bad sample, unless those are skipped
  /// @throws IOException if the disk cannot hold the result; what was finished is kept for the
  ///     next run, and nothing stands under a final name
  public ConvertReport run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Apart.require(source, options.target());
    long count = Counting.samples(source);
    progress.total(count);
    options = DataTables.make(source, options.forSamples(count), count);
    Map<Long, String> unwritable = NameClashes.find(source, options, count);
    Estimate estimate = Estimate.of(source, options, count);
    Path target = options.target();
    Container container = Dictionaries.container(source, options, count);
    try (Staging staging = Staging.open(target, Staging.json(plan(count)), container)) {
      var tallies = new @Nullable ShardTally[options.shards()];
      int resumed = 0;
      long missing = count;
      for (int shard = 0; shard < tallies.length; shard++) {
        ShardTally tally = staging.finished(shard, published(container, shard));
        tallies[shard] = tally;
        if (tally != null) {
          resumed++;
          long samples = tally.samples + tally.skipped.size();
          missing -= samples;
          progress.add(samples, tally.encodedBytesIn, tally.encodedBytesOut);
        }
      }
      requireSpace(estimate, missing);
      if (count == 0) {
        throw new ConfigException("there is no sample in " + source.root());
      }
      writeMissing(container, staging, tallies, count, estimate.fileBytesPerSample(), unwritable);
      List<ShardTally> complete = new ArrayList<>();
      if (Arrays.stream(tallies).allMatch(t -> t == null || t.samples == 0)) {
        throw new ConfigException(
            "no sample of %s could be converted, the first because of %s"
                .formatted(source.root(), firstReason(tallies)));
      }
      for (int shard = 0; shard < tallies.length; shard++) {
        staging.publish(shard, published(container, shard));
        ShardTally tally = tallies[shard];
        if (tally == null) {
          throw new IllegalStateException("shard " + shard + " was not written");
        }
        complete.add(tally);
      }
      if (options.quarantine() != null) {
        Quarantine.list(options.quarantine(), complete);
      }
      staging.complete(manifest(container, complete));
      return report(complete, count, resumed, (System.nanoTime() - start) / 1e9);
    }
  }

  private static String firstReason(@Nullable ShardTally[] tallies) {
    for (ShardTally tally : tallies) {
      if (tally != null && !tally.skipped.isEmpty()) {
        return tally.skipped.getFirst().where() + ": " + tally.skipped.getFirst().reason();
      }
    }
    return "nothing";
  }

  private void requireSpace(Estimate estimate, long missing) throws IOException {
    long needed = (long) (estimate.fileBytesPerSample() * missing);
    long free = ShardFile.freeBytes(options.target());
    if (needed > free) {
      throw new IOException(
          "cannot write %s: about %d bytes are needed, %d are free"
              .formatted(options.target(), needed, free));
    }
  }

  /// {@return the position where a shard begins: shards differ by one sample at most}
  private long boundary(long count, int shard) {
    long each = count / options.shards();
    long more = count % options.shards();
    return each * shard + Math.min(shard, more);
  }

  private void writeMissing(
      Container container,
      Staging staging,
      @Nullable ShardTally[] tallies,
      long count,
      double bytesPerSample,
      Map<Long, String> unwritable)
      throws IOException, InterruptedException {
    int writers = source.indexed() ? Math.min(options.threads(), options.shards()) : 1;
    int ahead = 2 + 2 * options.threads() / writers;
    var budget = new MemoryBudget(options.memory());
    BlockingQueue<Job> queue = new ArrayBlockingQueue<>(writers * ahead + options.threads());
    List<Thread> workers = new ArrayList<>();
    try (var poison = new Job(budget);
        SourceOrder order = order(count)) {
      for (int i = 0; i < options.threads(); i++) {
        var worker =
            new Worker(source, options, container, count, budget, queue, poison, unwritable);
        workers.add(Thread.ofPlatform().name("convert-" + i).daemon().start(worker));
      }
      try {
        runWriters(
            container,
            staging,
            tallies,
            count,
            bytesPerSample,
            writers,
            ahead,
            budget,
            queue,
            order);
      } catch (IOException | InterruptedException | RuntimeException e) {
        staging.dropParts();
        throw e;
      } finally {
        for (int i = 0; i < workers.size(); i++) {
          queue.put(poison);
        }
        for (Thread worker : workers) {
          worker.join();
        }
      }
    }
  }

  private SourceOrder order(long count) {
    return source.indexed()
        ? new SourceOrder.Indexed(new EpochOrder(count, options.shuffle(), options.seed(), 0, 0, 1))
        : new SourceOrder.Streamed(source);
  }

  private void runWriters(
      Container container,
      Staging staging,
      @Nullable ShardTally[] tallies,
      long count,
      double bytesPerSample,
      int writers,
      int ahead,
      MemoryBudget budget,
      BlockingQueue<Job> queue,
      SourceOrder order)
      throws IOException, InterruptedException {
    BlockingQueue<ShardTask> idle = new ArrayBlockingQueue<>(writers);
    List<ShardTask> all = new ArrayList<>();
    var failed = new AtomicBoolean();
    // more threads than writers: while a shard is written to disk, its writer can begin the next
    // one
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            2 * writers, Thread.ofPlatform().name("shard-", 0).daemon().factory())) {
      for (int i = 0; i < writers; i++) {
        all.add(new ShardTask(options, container, order, queue, progress, budget, ahead));
      }
      idle.addAll(all);
      List<Future<?>> running = new ArrayList<>();
      try {
        for (int shard = 0; shard < tallies.length && !failed.get(); shard++) {
          if (tallies[shard] == null) {
            int number = shard;
            ShardTask writer = idle.take(); // here, so that a stream is read in order
            running.add(
                pool.submit(
                    () -> {
                      boolean finished = false;
                      try {
                        tallies[number] =
                            shard(writer, idle, staging, number, count, bytesPerSample);
                        finished = true;
                      } finally {
                        if (!finished) {
                          failed.set(true);
                        }
                      }
                      return number;
                    }));
          }
        }
        for (Future<?> shard : running) {
          shard.get();
        }
      } catch (ExecutionException e) {
        pool.shutdownNow();
        rethrow(e.getCause());
      } catch (InterruptedException e) {
        pool.shutdownNow();
        throw e;
      }
    } finally {
      all.forEach(ShardTask::close);
    }
  }

  /// Writes a shard and has it on disk when this returns.
  ///
  /// @param idle gets the writer back as soon as all is written, before that is on disk
  private ShardTally shard(
      ShardTask writer,
      BlockingQueue<ShardTask> idle,
      Staging staging,
      int shard,
      long count,
      double bytesPerSample)
      throws IOException, InterruptedException {
    long from = boundary(count, shard);
    long to = boundary(count, shard + 1);
    Path part = staging.part(shard);
    ShardTally tally;
    boolean given = false;
    try (var file = new ShardFile(part, (long) ((to - from) * bytesPerSample))) {
      tally = writer.write(shard, part, file, from, to);
      idle.add(writer);
      given = true;
    } finally {
      if (!given) {
        idle.add(writer);
      }
    }
    staging.finish(shard, tally);
    return tally;
  }

  private static void rethrow(@Nullable Throwable cause) throws IOException {
    switch (cause) {
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new IllegalStateException("a shard writer died", cause);
    }
  }

  private Path published(Container container, int shard) {
    return options
        .target()
        .resolve(
            new ShardName(options.name(), shard, options.shards(), container.extension())
                .fileName());
  }

  /// {@return what is to be made, from what: equal plans mean equal results}
  Map<String, Object> plan(long count) throws IOException {
    Map<String, Object> from = new LinkedHashMap<>(Identity.of(source).toMap());
    from.put("samples", count);
    from.put("stored_bytes", source.storedBytes());
    from.put("modified", newestShard());
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("representation", options.representation().toMap());
    plan.put("name", options.name());
    plan.put("shards", options.shards());
    plan.put("order", options.shuffle() ? "shuffled:" + options.seed() : "stored");
    plan.put("bad_samples", options.skipBad() ? "skip" : "fail");
    if (source instanceof Subset subset && !subset.rule().isEmpty()) {
      plan.put("subset", subset.rule());
    }
    if (options.measured() > 0) {
      plan.put("measured", options.measured());
    }
    if (options.applyOrientation()) {
      plan.put("orientation", "applied");
    }
    plan.put(Staging.SOURCE, from);
    return plan;
  }

  /// {@return when a shard was last modified, in milliseconds, or 0 for a folder of images: labels
  /// in shards may change without any name or size}
  private long newestShard() throws IOException {
    long newest = 0;
    for (Path shard : source.shards()) {
      if (Files.isRegularFile(shard)) {
        newest = Math.max(newest, Files.getLastModifiedTime(shard).toMillis());
      }
    }
    return newest;
  }

  private Manifest manifest(Container container, List<ShardTally> tallies) throws IOException {
    return ManifestOf.conversion(source, options, container, tallies);
  }

  private ConvertReport report(List<ShardTally> tallies, long count, int resumed, double seconds) {
    long written = 0;
    List<String> skipped = new ArrayList<>();
    long[] outcomes = new long[Outcome.values().length];
    long orientations = 0;
    long alphas = 0;
    long depths = 0;
    long trailers = 0;
    long trailing = 0;
    List<String> passed = new ArrayList<>();
    long in = 0;
    long out = 0;
    long file = 0;
    var set = new SetDigest();
    for (ShardTally tally : tallies) {
      written += tally.samples;
      tally.skipped.forEach(s -> skipped.add(s.where() + ": " + s.reason()));
      for (int i = 0; i < outcomes.length; i++) {
        outcomes[i] += tally.outcomes[i];
      }
      orientations += tally.orientationsDropped;
      alphas += tally.alphasDropped;
      depths += tally.depthsReduced;
      trailers += tally.trailersDropped;
      trailing += tally.trailingBytesDropped;
      tally.passed.forEach(p -> passed.add(p.where() + ": " + p.reason()));
      in += tally.encodedBytesIn;
      out += tally.encodedBytesOut;
      file += tally.fileBytes;
      set.addAll(tally.set);
    }
    boolean folder = options.representation().packing() instanceof Packing.Folder;
    long below = outcomes[Outcome.KEPT_BELOW_TARGET.ordinal()];
    long resized = outcomes[Outcome.RESIZED.ordinal()];
    return new ConvertReport(
        count,
        written,
        skipped,
        passed,
        outcomes[Outcome.KEPT.ordinal()] + below + outcomes[Outcome.PASSED.ordinal()],
        below,
        outcomes[Outcome.TRANSCODED.ordinal()],
        outcomes[Outcome.REENCODED.ordinal()] + resized,
        resized,
        tallies.stream().mapToLong(t -> t.unlabelled).sum(),
        tallies.stream().mapToLong(t -> t.listLabels).sum(),
        tallies.stream().mapToLong(t -> t.fieldsOfOldSize).sum(),
        orientations,
        alphas,
        depths,
        trailers,
        trailing,
        tallies.stream().mapToLong(t -> t.packed).sum(),
        tallies.stream().mapToLong(t -> t.exact).sum(),
        likeness(tallies),
        DataTables.of(options.representation().encoding()),
        in,
        out,
        folder ? out : file,
        folder ? 0 : tallies.size(),
        resumed,
        seconds,
        set.hex(),
        skipped.isEmpty() ? set.contradiction(source) : "");
  }

  private static ConvertReport.@Nullable Likeness likeness(List<ShardTally> tallies) {
    long images = tallies.stream().mapToLong(t -> t.measured).sum();
    return images == 0
        ? null
        : new ConvertReport.Likeness(
            images,
            tallies.stream().mapToDouble(t -> t.psnrSum).sum() / images,
            tallies.stream().mapToDouble(t -> t.ssimSum).sum() / images,
            tallies.stream().mapToDouble(t -> t.msSsimSum).sum() / images,
            tallies.stream().mapToLong(t -> t.measuringNanos).sum() / 1e9);
  }
}
