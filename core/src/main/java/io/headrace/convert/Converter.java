package io.headrace.convert;

import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.convert.checkpoint.Quarantine;
import io.headrace.convert.checkpoint.ShardFile;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.ShardTally.Counter;
import io.headrace.convert.checkpoint.Staging;
import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.format.Manifest;
import io.headrace.format.Subset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Rewrites a dataset in another representation.
///
/// The bytes written depend only on the source and the options, never on threads or interruptions.
/// Nothing appears under a final name before all of it is on disk.
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
    return run(null, null);
  }

  /// As [#run()], but other processes write the shards. The result is the same.
  ///
  /// @param from how they open the source
  /// @param cluster these processes; stays the caller's
  public ConvertReport run(SpreadPlan.@Nullable Source from, @Nullable Cluster cluster)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Apart.require(source, options.target());
    List<Long> perShard = List.of();
    List<Long> numbers =
        cluster != null && source instanceof Subset subset
            ? subset.numbers().boxed().toList()
            : null;
    if (cluster != null && !source.indexed()) {
      var counted = new SpreadPlan(from, numbers, options, -1, perShard, null, Map.of(), "");
      perShard = cluster.count(counted, source.shards().size());
    }
    long count =
        perShard.isEmpty()
            ? Counting.samples(source)
            : perShard.stream().mapToLong(Long::longValue).sum();
    progress.total(count);
    options = DataTables.make(source, options.forSamples(count), count);
    Map<Long, String> unwritable = NameClashes.find(source, options, count);
    Estimate estimate = Estimate.of(source, options, count);
    ZstdDictionary dictionary = Dictionaries.learn(source, options, count);
    Container container = options.representation().container(dictionary);
    try (Staging staging =
        Staging.open(
            options.target(),
            options.name(),
            options.shards(),
            Staging.json(plan(count)),
            container)) {
      var tallies = new @Nullable ShardTally[options.shards()];
      int resumed = 0;
      long missing = count;
      for (int shard = 0; shard < tallies.length; shard++) {
        ShardTally tally = staging.finished(shard);
        tallies[shard] = tally;
        if (tally != null) {
          resumed++;
          missing -= add(tally);
        }
      }
      requireSpace(estimate, missing);
      if (count == 0) {
        throw new ConfigException("there is no sample in " + source.root());
      }
      try {
        if (cluster == null) {
          writeMissing(
              container, staging, tallies, count, estimate.fileBytesPerSample(), unwritable);
        } else {
          var plan =
              new SpreadPlan(
                  from,
                  numbers,
                  options,
                  count,
                  perShard,
                  dictionary,
                  unwritable,
                  Manifest.stepsOf(source));
          spread(cluster, plan, staging, tallies);
        }
      } catch (Exception e) { // also one that a cluster throws undeclared
        staging.dropParts();
        throw e;
      }
      List<ShardTally> complete = all(tallies, source.root().toString());
      publish(staging, options, complete, ManifestOf.Origin.of(source));
      double seconds = (System.nanoTime() - start) / 1e9;
      return ConvertReport.of(complete, options, count, resumed, seconds, source);
    }
  }

  /// Puts shards that are written in their place, and says in a manifest what they are.
  static void publish(
      Staging staging, ConvertOptions options, List<ShardTally> tallies, ManifestOf.Origin origin)
      throws IOException {
    if (options.quarantine() != null) {
      Quarantine.list(options.quarantine(), tallies);
    }
    staging.complete(ManifestOf.conversion(origin, options, staging, tallies));
  }

  /// {@return samples of a shard that is written}
  private long add(ShardTally tally) {
    progress.add(
        tally.in(), tally.get(Counter.ENCODED_BYTES_IN), tally.get(Counter.ENCODED_BYTES_OUT));
    return tally.in();
  }

  /// {@return the tallies of all shards}
  ///
  /// @param source in words
  /// @throws ConfigException if they have no sample
  static List<ShardTally> all(@Nullable ShardTally[] tallies, String source) {
    List<ShardTally> complete = new ArrayList<>();
    for (ShardTally tally : tallies) {
      if (tally == null) {
        throw new IllegalStateException("shard %d was not written".formatted(complete.size()));
      }
      complete.add(tally);
    }
    if (complete.stream().allMatch(t -> t.get(Counter.SAMPLES) == 0)) {
      throw new ConfigException(
          "no sample of %s could be converted, the first because of %s"
              .formatted(source, firstReason(tallies)));
    }
    return complete;
  }

  private void spread(
      Cluster cluster, SpreadPlan plan, Staging staging, @Nullable ShardTally[] tallies)
      throws IOException, InterruptedException {
    List<Integer> shards =
        IntStream.range(0, tallies.length).filter(i -> tallies[i] == null).boxed().toList();
    if (!shards.isEmpty()) {
      cluster.write(
          plan,
          shards,
          (shard, attempt, text) -> {
            ShardTally tally = ShardTally.parse(text);
            staging.finish(shard, attempt, tally);
            tallies[shard] = tally;
            long _ = add(tally);
          });
    }
  }

  private static String firstReason(@Nullable ShardTally[] tallies) {
    for (ShardTally tally : tallies) {
      if (tally != null && !tally.skipped().isEmpty()) {
        return tally.skipped().getFirst();
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

  private void writeMissing(
      Container container,
      Staging staging,
      @Nullable ShardTally[] tallies,
      long count,
      double bytesPerSample,
      Map<Long, String> unwritable)
      throws IOException, InterruptedException {
    int writers = source.indexed() ? Math.min(options.threads(), options.shards()) : 1;
    String done = Manifest.stepsOf(source);
    BlockingQueue<ShardTask> idle = new ArrayBlockingQueue<>(writers);
    var failed = new AtomicBoolean();
    // more threads than writers: while a shard is written to disk, its writer can begin the next
    // one
    try (var workers = new Workers(source, options, container, count, unwritable, done, writers);
        SourceOrder order = SourceOrder.of(source, options, count, List.of());
        ExecutorService pool =
            Executors.newFixedThreadPool(
                2 * writers, Thread.ofPlatform().name("shard-", 0).daemon().factory())) {
      for (int i = 0; i < writers; i++) {
        idle.add(workers.newTask(order, progress));
      }
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
    long from = options.boundary(count, shard);
    long to = options.boundary(count, shard + 1);
    Path part = staging.part(shard);
    ShardTally tally;
    try (var file = new ShardFile(part, (long) ((to - from) * bytesPerSample))) {
      try {
        tally = writer.write(shard, part, file, from, to);
      } finally {
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
}
