package io.headrace.bench;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Images a second, from encoded bytes in memory to a finished sample: decode, crop, resize, flip,
/// normalise. No I/O, no batches.
///
/// Run, for one thread and for two: `java -jar bench.jar PipelineBenchmark -p dir=FOLDER -t 1`.
/// Add `-p pipeline=eval`, `-p dctScaling=true` or `-prof gc`. `decode` and
/// `transform` are the milliseconds that each took in a second.
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class PipelineBenchmark {
  /// For JMH.
  public PipelineBenchmark() {}

  /// The encoded images, shared by all threads.
  @State(Scope.Benchmark)
  public static class Images {
    private static final int MAX = 512;

    /// Folder with `.jpg`, `.jpeg` or `.png` files at any depth, of which 512 are taken, evenly.
    @Param("")
    public String dir = "";

    private final List<MemorySegment> encoded = new ArrayList<>();
    private final Arena arena = Arena.ofShared();

    /// For JMH.
    public Images() {}

    /// Reads the files.
    @Setup(Level.Trial)
    public void read() throws IOException {
      if (dir.isEmpty()) {
        throw new IllegalArgumentException("no images: add -p dir=FOLDER");
      }
      List<Path> files;
      try (Stream<Path> walk = Files.walk(Path.of(dir))) {
        files = walk.filter(Images::isImage).sorted().toList();
      }
      if (files.isEmpty()) {
        throw new IllegalArgumentException("no .jpg, .jpeg or .png below " + dir);
      }
      int count = Math.min(MAX, files.size());
      for (int i = 0; i < count; i++) {
        Path file = files.get((int) ((long) i * files.size() / count));
        encoded.add(arena.allocateFrom(ValueLayout.JAVA_BYTE, Files.readAllBytes(file)));
      }
    }

    private static boolean isImage(Path file) {
      String name = file.toString();
      return name.endsWith(".jpg") || name.endsWith(".jpeg") || name.endsWith(".png");
    }

    /// Frees them.
    @TearDown(Level.Trial)
    public void close() {
      arena.close();
    }
  }

  /// One thread's processor.
  @State(Scope.Thread)
  public static class Worker {
    /// Text form of the pipeline.
    @Param("train")
    public String pipeline = "train";

    /// Whether JPEGs are shrunk while being decoded.
    @Param("false")
    public boolean dctScaling;

    private final Arena arena = Arena.ofConfined();
    private SampleProcessor processor =
        new SampleProcessor(
            Pipeline.train(), MemoryBudget.unbounded(), SampleProcessor.Options.exact());
    private MemorySegment slot = MemorySegment.NULL;
    private long done;

    /// For JMH.
    public Worker() {}

    /// Makes the processor.
    @Setup(Level.Trial)
    public void open() {
      processor.close();
      var options = new SampleProcessor.Options(dctScaling);
      processor = new SampleProcessor(Pipeline.parse(pipeline), MemoryBudget.unbounded(), options);
      slot = arena.allocate(processor.pipeline().outputSpec().bytes(), 64);
    }

    /// Frees it.
    @TearDown(Level.Trial)
    public void close() {
      processor.close();
      arena.close();
    }
  }

  /// Where time goes, in milliseconds, added up over threads.
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Time {
    /// Milliseconds of decoding a second.
    public double decode;

    /// Milliseconds of the fused pass a second.
    public double transform;

    /// For JMH.
    public Time() {}
  }

  /// One image.
  @Benchmark
  public MemorySegment process(Images images, Worker worker, Time time) throws DecodeException {
    long decode = worker.processor.decodeNanos();
    long transform = worker.processor.transformNanos();
    long n = worker.done++;
    MemorySegment encoded = images.encoded.get((int) (n % images.encoded.size()));
    worker.processor.process(encoded, 1, n / images.encoded.size(), n, worker.slot);
    time.decode += (worker.processor.decodeNanos() - decode) / 1e6;
    time.transform += (worker.processor.transformNanos() - transform) / 1e6;
    return worker.slot;
  }
}
