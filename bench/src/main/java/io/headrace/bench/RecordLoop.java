package io.headrace.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.tfrecord.RecordReader;
import io.headrace.format.tfrecord.RecordWriter;
import io.headrace.format.tfrecord.TfRecords;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// TFRecord shards read or written over and over by core's own readers and writers, with nothing
/// decoded: threads take whole shards in turn, every checksum is compared or computed, records are
/// handed over one at a time with their length.
///
/// Run: `./benchmark RecordLoop read DIR [THREADS [SECONDS [WARM_UP]]]` reads the shards of a
/// folder. `./benchmark RecordLoop write DIR COMPRESSION TARGET [THREADS [SECONDS [WARM_UP]]]` has
/// the records of such shards in memory and writes as many shards of them below TARGET, pass after
/// pass to the same names; COMPRESSION is spelt as for `headrace convert`. One thread, 10 seconds,
/// after 3 of warm-up, unless told otherwise; whole passes.
///
/// Prints a line of JSON: records and their bytes by the clock; CPU time of the process and heap
/// bytes by record; bytes of the files.
public final class RecordLoop {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /// One pass over a shard.
  private interface Work {
    /// @param shard its number
    /// @param block of the thread
    Count run(int shard, Block block) throws IOException;
  }

  private record Count(long records, long bytes) {
    Count plus(Count more) {
      return new Count(records + more.records, bytes + more.bytes);
    }
  }

  /// Which shard is next, and until when.
  private static final class Turns {
    private final int shards;
    private final long end;
    private int taken;
    private boolean over;

    Turns(int shards, double seconds) {
      this.shards = shards;
      end = System.nanoTime() + (long) (seconds * 1e9);
    }

    /// {@return the number of a shard, or -1 after the pass in which the time was over}
    synchronized int next() {
      over |= taken > 0 && taken % shards == 0 && System.nanoTime() >= end;
      return over ? -1 : taken++ % shards;
    }

    synchronized int passes() {
      return taken / shards;
    }
  }

  private RecordLoop() {}

  /// Runs it.
  ///
  /// @param args as above
  public static void main(String[] args) throws Exception {
    Mains.run(RecordLoop.class, 0, args, RecordLoop::run);
  }

  private static void run(String[] args) throws Exception {
    if (args.length == 0) {
      return; // peers.py has it built
    }
    boolean write = args[0].equals("write");
    int least = write ? 4 : 2;
    if (args.length < least) {
      throw new IllegalArgumentException(
          "found %d arguments: expected %d at least".formatted(args.length, least));
    }
    List<String> rest = List.of(args).subList(least, args.length);
    int threads = rest.isEmpty() ? 1 : Integer.parseInt(rest.getFirst());
    double seconds = rest.size() > 1 ? Double.parseDouble(rest.get(1)) : 10;
    double warmUp = rest.size() > 2 ? Double.parseDouble(rest.get(2)) : 3;
    try (TfRecords set = TfRecords.open(Path.of(args[1]), ShardOptions.DEFAULT);
        Arena arena = Arena.ofShared();
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      int shards = set.shards().size();
      Work work;
      List<Path> files;
      if (write) {
        List<List<MemorySegment>> records = load(set, arena);
        Path target = Files.createDirectories(Path.of(args[3]));
        files = set.shards().stream().map(f -> target.resolve(f.getFileName())).toList();
        Compression compression = Compression.parse(args[2]);
        work = (shard, _) -> write(records.get(shard), files.get(shard), compression);
      } else {
        files = set.shards();
        work = (shard, block) -> read(set, shard, block);
      }
      Count _ = passes(work, new Turns(shards, warmUp), threads, pool);
      long heap = THREADS.getTotalThreadAllocatedBytes();
      long cpu = SYSTEM.getProcessCpuTime();
      long start = System.nanoTime();
      var turns = new Turns(shards, seconds);
      Count done = passes(work, turns, threads, pool);
      double spent = (System.nanoTime() - start) / 1e9;
      cpu = SYSTEM.getProcessCpuTime() - cpu;
      heap = THREADS.getTotalThreadAllocatedBytes() - heap;
      long stored = 0;
      for (Path file : files) {
        stored += Files.size(file);
      }
      System.out.printf(
          Locale.ROOT,
          "{\"samples\": %d, \"pass\": %d, \"seconds\": %.3f, \"samples_per_second\": %.1f,"
              + " \"megabytes_per_second\": %.2f, \"cpu_ms_per_sample\": %.5f,"
              + " \"heap_bytes_per_sample\": %.1f, \"stored_bytes\": %d}%n",
          done.records,
          done.records / turns.passes(),
          spent,
          done.records / spent,
          done.bytes / spent / 1e6,
          cpu / 1e6 / done.records,
          (double) heap / done.records,
          stored);
    }
  }

  private static Count passes(Work work, Turns turns, int threads, ExecutorService pool)
      throws InterruptedException, ExecutionException {
    Callable<Count> worker =
        () -> {
          var count = new Count(0, 0);
          try (var block = new Block(MemoryBudget.unbounded())) {
            for (int shard = turns.next(); shard >= 0; shard = turns.next()) {
              count = count.plus(work.run(shard, block));
            }
          }
          return count;
        };
    List<Future<Count>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(pool.submit(worker));
    }
    var count = new Count(0, 0);
    for (Future<Count> each : running) {
      count = count.plus(each.get());
    }
    return count;
  }

  private static Count read(TfRecords set, int shard, Block block) throws IOException {
    long records = 0;
    long bytes = 0;
    try (RecordReader reader = set.openRecords(shard)) {
      for (long length = reader.next(block); length >= 0; length = reader.next(block)) {
        records++;
        bytes += length;
      }
    }
    return new Count(records, bytes);
  }

  private static Count write(List<MemorySegment> records, Path file, Compression compression)
      throws IOException {
    long bytes = 0;
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    try (var writer = new RecordWriter(channel, compression)) {
      for (MemorySegment each : records) {
        writer.write(each);
        bytes += each.byteSize();
      }
    }
    return new Count(records.size(), bytes);
  }

  /// {@return the records of each shard, in memory}
  private static List<List<MemorySegment>> load(TfRecords set, Arena arena)
      throws IOException, DecodeException {
    List<List<MemorySegment>> records = new ArrayList<>();
    try (var block = new Block(MemoryBudget.unbounded())) {
      for (int shard = 0; shard < set.shards().size(); shard++) {
        List<MemorySegment> found = new ArrayList<>();
        try (RecordReader reader = set.openRecords(shard)) {
          for (long length = reader.next(block); length >= 0; length = reader.next(block)) {
            found.add(arena.allocate(length).copyFrom(block.ensure(length).asSlice(0, length)));
          }
        }
        records.add(found);
      }
    }
    return records;
  }
}
