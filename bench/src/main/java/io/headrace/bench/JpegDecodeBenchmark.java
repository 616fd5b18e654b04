package io.headrace.bench;

import io.headrace.codec.JpegScale;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Images and bytes of pixels that each thread decodes a second, from a folder of JPEGs in memory.
///
/// Run: `java -jar target/headrace-bench-0.1.0-SNAPSHOT.jar JpegDecode -p dir=FOLDER -prof gc`
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@State(Scope.Thread)
public class JpegDecodeBenchmark {
  /// The folder: give it with `-p dir=FOLDER`.
  @Param("jpegs")
  String dir = "";

  /// Eighths of full size.
  @Param({"8", "4", "1"})
  int scale;

  private final Arena arena = Arena.ofConfined();
  private final JpegDecoder decoder = new JpegDecoder();
  private JpegFolder folder = new JpegFolder(List.of(), List.of());
  private MemorySegment rgb = MemorySegment.NULL;
  private JpegScale by = JpegScale.FULL;
  private int next;

  /// Decoded bytes, so that folders of different sizes compare.
  @AuxCounters
  @State(Scope.Thread)
  public static class Pixels {
    /// Bytes of RGB.
    public long bytes;

    /// Counts from 0.
    public Pixels() {}
  }

  /// Made by JMH, in the measuring thread.
  public JpegDecodeBenchmark() {}

  /// Reads the folder into memory.
  @Setup
  public void load() throws IOException {
    folder = JpegFolder.load(Path.of(dir), decoder, arena);
    rgb = arena.allocate(folder.largest());
    by = new JpegScale(scale);
  }

  /// Frees the folder's memory.
  @TearDown
  public void close() {
    decoder.close();
    arena.close();
  }

  /// Decodes the next image of the folder.
  @Benchmark
  public MemorySegment decode(Pixels pixels) throws DecodeException {
    int i = next;
    next = i + 1 == folder.jpegs().size() ? 0 : i + 1;
    decoder.decode(folder.jpegs().get(i), folder.infos().get(i), by, rgb);
    pixels.bytes += by.rgbBytes(folder.infos().get(i));
    return rgb;
  }
}
