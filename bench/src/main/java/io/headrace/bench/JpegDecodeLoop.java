package io.headrace.bench;

import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// Decodes a folder of JPEGs over and over in one thread: the counterpart of `jpeg_decode.c`, run
/// against it by `jpeg-decode.sh`.
///
/// Files are in memory, sizes are known, decoder and pixel buffer are reused. Arguments: folder,
/// warm-up rounds, timed rounds. Prints the medians of the rounds: images a second by the clock and
/// by CPU time, MB of pixels a second by the clock.
public final class JpegDecodeLoop {
  private JpegDecodeLoop() {}

  /// Runs the loop.
  ///
  /// @param args folder, warm-up rounds, timed rounds
  public static void main(String[] args) throws Exception {
    Mains.run(JpegDecodeLoop.class, 3, args, JpegDecodeLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int warmUp = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    try (Arena arena = Arena.ofConfined();
        var decoder = new JpegDecoder()) {
      JpegFolder folder = JpegFolder.load(Path.of(args[0]), decoder, arena);
      MemorySegment rgb = arena.allocate(folder.largest());
      double[] wall = new double[rounds];
      double[] cpu = new double[rounds];
      for (int round = -warmUp; round < rounds; round++) {
        long wallStart = System.nanoTime();
        long cpuStart = cpuNanos();
        for (int i = 0; i < folder.jpegs().size(); i++) {
          decoder.decode(folder.jpegs().get(i), folder.infos().get(i), rgb);
        }
        if (round >= 0) {
          wall[round] = (System.nanoTime() - wallStart) / 1e9;
          cpu[round] = (cpuNanos() - cpuStart) / 1e9;
        }
      }
      Arrays.sort(wall);
      Arrays.sort(cpu);
      int images = folder.jpegs().size();
      System.out.printf(
          Locale.ROOT,
          "%.1f %.1f %.1f%n",
          images / wall[rounds / 2],
          images / cpu[rounds / 2],
          folder.rgbBytes() / 1e6 / wall[rounds / 2]);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
