package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Datasets;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.LevelChooser;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// The same crops of the same images from what they were converted to: CPU time of one thread,
/// reading out of the page cache included, bytes read, and how far pixels are from the exact ones.
///
/// Run: `java --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp bench.jar
/// io.headrace.bench.PyramidLoop FOLDER TILED PYRAMID [ROUNDS]`, where `TILED` and `PYRAMID` are
/// what `headrace convert FOLDER … --format race --encoding tiled` and `pyramid` made.
public final class PyramidLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Pipeline PIPELINE = Pipeline.parse("random_resized_crop=224,flip");
  private static final int WARM_UP = 3;
  private static final int CROPS = 1000;
  private static final int SAMPLE_BYTES = 3 * 224 * 224;

  private PyramidLoop() {}

  /// One dataset, read and processed in one way.
  private static final class Way implements AutoCloseable {
    final String name;
    final Dataset dataset;
    final SampleReader reader;
    final boolean levels;
    final SampleProcessor processor;
    final Sample sample = new Sample(new Block(MemoryBudget.unbounded()));
    long bytes;

    Way(String name, String path, Decoding decoding, boolean levels) throws IOException {
      this.name = name;
      this.levels = levels;
      dataset = Datasets.open(Path.of(path));
      reader = dataset.openReader();
      processor = new SampleProcessor(PIPELINE, MemoryBudget.unbounded(), decoding.options(false));
    }

    void run(long index, LevelChoice choice, long epoch, MemorySegment slot)
        throws IOException, DecodeException {
      if (levels) {
        reader.read(index, Integer.MAX_VALUE, choice, sample);
      } else {
        reader.read(index, sample);
      }
      bytes += sample.storedBytes();
      processor.process(sample, 1, epoch, slot);
    }

    @Override
    public void close() throws IOException {
      processor.close();
      sample.close();
      reader.close();
      dataset.close();
    }
  }

  /// Runs it.
  ///
  /// @param args the images, tiled, with levels; rounds
  public static void main(String[] args) throws Exception {
    Mains.run(PyramidLoop.class, 3, args, PyramidLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 7;
    try (var exact = new Way("original, exact", args[0], Decoding.EXACT, false);
        var fast = new Way("original, fast", args[0], Decoding.FAST, false);
        var tiled = new Way("tiled, fast", args[1], Decoding.FAST, false);
        var pyramid = new Way("pyramid, fast", args[2], Decoding.FAST, true);
        Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(SAMPLE_BYTES);
      Way[] ways = {fast, exact, tiled, pyramid};
      System.out.printf(Locale.ROOT, "%s: %d images%n", args[0], exact.dataset.size());
      time(ways, rounds, slot);
      MemorySegment expected = arena.allocate(SAMPLE_BYTES);
      System.out.println("PSNR of " + CROPS + " crops against " + exact.name);
      compare(exact, new Way[] {tiled, pyramid}, expected, slot);
    }
  }

  private static void time(Way[] ways, int rounds, MemorySegment slot)
      throws IOException, DecodeException {
    double[][] micros = new double[ways.length][rounds];
    long size = ways[0].dataset.size();
    for (int round = -WARM_UP; round < rounds; round++) {
      var choice = new LevelChooser(PIPELINE, 1, round + WARM_UP);
      for (int w = 0; w < ways.length; w++) {
        Way way = ways[(w + round + WARM_UP) % ways.length];
        way.bytes = 0;
        long start = THREADS.getCurrentThreadCpuTime();
        for (long i = 0; i < size; i++) {
          way.run(i, choice, round + WARM_UP, slot);
        }
        double spent = (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / size;
        if (round >= 0) {
          micros[Arrays.asList(ways).indexOf(way)][round] = spent;
        }
      }
    }
    for (int w = 0; w < ways.length; w++) {
      double[] ratios = new double[rounds];
      for (int r = 0; r < rounds; r++) {
        ratios[r] = micros[0][r] / micros[w][r];
      }
      System.out.printf(
          Locale.ROOT,
          "  %-16s %8.0f us  %6.2fx  %,10d bytes read%n",
          ways[w].name,
          Medians.of(micros[w]),
          Medians.of(ratios),
          ways[w].bytes / size);
    }
  }

  private static void compare(Way exact, Way[] ways, MemorySegment expected, MemorySegment slot)
      throws IOException, DecodeException {
    double[][] psnr = new double[ways.length][CROPS];
    long size = exact.dataset.size();
    for (int i = 0; i < CROPS; i++) {
      long epoch = 1000 + i / size;
      var choice = new LevelChooser(PIPELINE, 1, epoch);
      exact.run(i % size, choice, epoch, expected);
      for (int w = 0; w < ways.length; w++) {
        ways[w].run(i % size, choice, epoch, slot);
        long squares = 0;
        for (long b = 0; b < SAMPLE_BYTES; b++) {
          int d = (expected.get(JAVA_BYTE, b) & 0xff) - (slot.get(JAVA_BYTE, b) & 0xff);
          squares += (long) d * d;
        }
        psnr[w][i] = 10 * Math.log10(255.0 * 255 * SAMPLE_BYTES / Math.max(squares, 1));
      }
    }
    for (int w = 0; w < ways.length; w++) {
      Arrays.sort(psnr[w]);
      System.out.printf(
          Locale.ROOT,
          "  %-16s mean %.1f dB, median %.1f, worst %.1f%n",
          ways[w].name,
          Arrays.stream(psnr[w]).average().orElse(0),
          psnr[w][CROPS / 2],
          psnr[w][0]);
    }
  }
}
