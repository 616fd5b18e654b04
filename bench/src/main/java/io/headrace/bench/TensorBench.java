package io.headrace.bench;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.CodecCosts;
import io.headrace.tensor.ElementType;
import io.headrace.tensor.TensorCodec;
import io.headrace.tensor.TensorCodec.Cheapest;
import io.headrace.tensor.TensorDecoder;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Tensor codecs on typical data: bytes, encode and decode speed of one thread, error.
///
/// Data are float32: log-mel spectrograms of a folder of WAV files, a smooth 2-D field, activations
/// with 30, 60 and 90 % zeros, and random bits. MB are of 10^6 plain bytes; speed is by the
/// thread's CPU time, the median of rounds that go through all codecs in turn. Arguments: folder
/// of WAV files or `-`, rounds (default 7), and optionally codecs in their spelling. Run:
///
///     mvn -B -pl bench -am package -DskipTests
///     java --enable-native-access=ALL-UNNAMED -cp bench/target/headrace-bench-0.1.0-SNAPSHOT.jar \
///         io.headrace.bench.TensorBench shared/data/spoken-digits
public final class TensorBench {
  private static final List<String> CODECS =
      List.of(
          "store",
          "zvc",
          "rle",
          "csr",
          "lz4",
          "lz4:level=9",
          "shuffle:level=1",
          "shuffle",
          "shuffle:level=9",
          "fpc",
          "adaptive:level=1",
          "adaptive",
          "zfp",
          "zfp:accuracy=0.01",
          "zfp:accuracy=0.1",
          "zfp:rate=8",
          "cheapest:mbps=100",
          "cheapest:mbps=100,among=all",
          "cheapest:mbps=100,reads=100,among=all");

  private static final int WARM_UP = 6;

  private TensorBench() {}

  /// Measures and prints.
  ///
  /// @param args folder of WAV files or `-`, rounds, codecs
  public static void main(String[] args) throws Exception {
    Mains.run(TensorBench.class, 0, args, TensorBench::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    List<String> codecs = args.length > 2 ? List.of(args).subList(2, args.length) : CODECS;
    try (Arena arena = Arena.ofConfined()) {
      List<TensorSample> samples = new ArrayList<>();
      if (args.length > 0 && !args[0].equals("-")) {
        samples.add(LogMel.ofFolder(Path.of(args[0]), arena));
      }
      samples.add(TensorSample.smooth(arena));
      samples.add(TensorSample.sparse(arena, 0.3));
      samples.add(TensorSample.sparse(arena, 0.6));
      samples.add(TensorSample.sparse(arena, 0.9));
      samples.add(TensorSample.random(arena));
      for (TensorSample sample : samples) {
        measure(sample, codecs, rounds, arena);
      }
    }
    if (args.length <= 2) {
      System.out.println("\nnanoseconds a byte (encode plain, stored; decode plain, stored)");
      CodecCosts.measure().byLabel().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(
              e ->
                  System.out.printf(
                      Locale.ROOT,
                      "%-10s %6.2f %6.2f %6.2f %6.2f%n",
                      e.getKey(),
                      e.getValue().encodePlain(),
                      e.getValue().encodeStored(),
                      e.getValue().decodePlain(),
                      e.getValue().decodeStored()));
    }
  }

  private static void measure(TensorSample sample, List<String> codecs, int rounds, Arena arena)
      throws DecodeException {
    System.out.printf(
        Locale.ROOT,
        "%n%s: float32 %s, %.2f MB%n%-50s %12s %7s %9s %9s %10s%n",
        sample.name(),
        sample.shape(),
        sample.values().byteSize() / 1e6,
        "codec",
        "bytes",
        "ratio",
        "enc MB/s",
        "dec MB/s",
        "max error");
    MemorySegment out = arena.allocate(sample.values().byteSize(), 64);
    int count = codecs.size();
    double[][] encode = new double[count][rounds];
    double[][] decode = new double[count][rounds];
    String[] rows = new String[count];
    try (var encoder = new TensorEncoder();
        var decoder = new TensorDecoder();
        var block = new Block(MemoryBudget.unbounded())) {
      for (int round = -WARM_UP; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
          TensorCodec codec = TensorCodec.parse(codecs.get(i));
          if (codec instanceof TensorCodec.ZfpRate && !sample.finite()) {
            rows[i] = codecs.get(i) + " holds no NaN%n";
            continue;
          }
          long start = cpuNanos();
          long bytes =
              encoder.encode(sample.values(), ElementType.FLOAT32, sample.shape(), codec, block);
          long middle = cpuNanos();
          MemorySegment blob = block.memory().asSlice(0, bytes);
          TensorInfo info = decoder.probe(blob);
          decoder.decode(blob, info, out);
          long end = cpuNanos();
          if (round >= 0) {
            encode[i][round] = middle - start;
            decode[i][round] = end - middle;
          } else {
            rows[i] = row(codecs.get(i), codec, info, sample);
          }
        }
      }
    }
    for (int i = 0; i < count; i++) {
      System.out.printf(Locale.ROOT, rows[i], speed(sample, encode[i]), speed(sample, decode[i]));
    }
  }

  private static String row(String spec, TensorCodec codec, TensorInfo info, TensorSample sample) {
    String name = codec instanceof Cheapest ? spec + " = " + info.codec() : spec;
    String start =
        "%-50s %12d %7.4f"
            .formatted(
                name,
                info.encodedBytes(),
                (double) info.encodedBytes() / sample.values().byteSize());
    return start + " %9.0f %9.0f" + " %10.2g%n".formatted(info.maxAbsoluteError());
  }

  private static double speed(TensorSample sample, double[] nanos) {
    Arrays.sort(nanos);
    return 1e3 * sample.values().byteSize() / nanos[nanos.length / 2];
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
