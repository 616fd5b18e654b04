package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// From encoded image to finished sample, with every way of processing in turn, image by image.
/// Measures CPU time of one thread, and the distance of pixels from the exact ones.
///
/// Run: `java --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp bench.jar
/// io.headrace.bench.PipelineLoop FOLDER [ROUNDS [IMAGES]]`, for 9 rounds over 250 images.
/// Prints for each pipeline and way the median over the rounds of the microseconds for an image,
/// the part of it that is decoding, and how many times faster than the first way it is (median of
/// the rounds' ratios); then the PSNR of 1,000 crops.
public final class PipelineLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int WARM_UP = 4;
  private static final int CROPS = 1000;

  private record Way(String name, SampleProcessor.Options options) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("exact, whole", new SampleProcessor.Options(false, false)),
          new Way("exact", SampleProcessor.Options.exact()),
          new Way("exact, dct scaling", new SampleProcessor.Options(true, true)),
          new Way("planes", new SampleProcessor.Options(false, true, false, true)),
          new Way("fast", SampleProcessor.Options.fast()));

  private PipelineLoop() {}

  /// Runs it.
  ///
  /// @param args folder, rounds, images
  public static void main(String[] args) throws Exception {
    Mains.run(PipelineLoop.class, 1, args, PipelineLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    int most = args.length > 2 ? Integer.parseInt(args[2]) : 250;
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> images = JpegFolder.some(Path.of(args[0]), "(jpe?g|png)", most, arena);
      System.out.printf(Locale.ROOT, "%s: %d images%n", args[0], images.size());
      time("random_resized_crop=224,flip", images, rounds);
      time("random_resized_crop=224,flip,normalize=imagenet,chw", images, rounds);
      compare(images);
    }
  }

  private static List<SampleProcessor> processors(String spec) {
    List<SampleProcessor> processors = new ArrayList<>();
    for (Way way : WAYS) {
      var pipeline = Pipeline.parse(spec);
      processors.add(new SampleProcessor(pipeline, MemoryBudget.unbounded(), way.options()));
    }
    return processors;
  }

  private static void time(String spec, List<MemorySegment> images, int rounds)
      throws DecodeException {
    List<SampleProcessor> processors = processors(spec);
    int ways = WAYS.size();
    double[][] micros = new double[ways][rounds];
    double[][] decode = new double[ways][rounds];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(processors.getFirst().pipeline().outputSpec().bytes());
      for (int round = -WARM_UP; round < rounds; round++) {
        long[] cpu = new long[ways];
        long[] decoding = new long[ways];
        for (int i = 0; i < images.size(); i++) {
          for (int w = 0; w < ways; w++) {
            int way = (w + i) % ways;
            SampleProcessor processor = processors.get(way);
            long part = processor.decodeNanos();
            long whole = processor.transformNanos();
            long start = THREADS.getCurrentThreadCpuTime();
            processor.process(images.get(i), 1, round + WARM_UP, i, slot);
            long nanos = THREADS.getCurrentThreadCpuTime() - start;
            cpu[way] += nanos;
            part = processor.decodeNanos() - part;
            whole = processor.transformNanos() - whole + part;
            decoding[way] += nanos * part / Math.max(1, whole);
          }
        }
        for (int w = 0; w < ways && round >= 0; w++) {
          micros[w][round] = cpu[w] / 1e3 / images.size();
          decode[w][round] = decoding[w] / 1e3 / images.size();
        }
      }
    }
    processors.forEach(SampleProcessor::close);
    System.out.println(spec);
    for (int w = 0; w < ways; w++) {
      double[] ratios = new double[rounds];
      for (int r = 0; r < rounds; r++) {
        ratios[r] = micros[0][r] / micros[w][r];
      }
      System.out.printf(
          Locale.ROOT,
          "  %-20s %8.0f us, %8.0f of it decoding  %.2fx%n",
          WAYS.get(w).name(),
          Medians.of(micros[w]),
          Medians.of(decode[w]),
          Medians.of(ratios));
    }
  }

  private static void compare(List<MemorySegment> images) throws DecodeException {
    List<SampleProcessor> processors = processors("random_resized_crop=224,flip");
    System.out.println("PSNR of " + CROPS + " crops against " + WAYS.getFirst().name());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment exact = arena.allocate(3 * 224 * 224);
      MemorySegment slot = arena.allocate(3 * 224 * 224);
      for (int w = 1; w < WAYS.size(); w++) {
        double[] psnr = new double[CROPS];
        int greatest = 0;
        int equal = 0;
        for (int i = 0; i < CROPS; i++) {
          MemorySegment image = images.get(i % images.size());
          processors.getFirst().process(image, 2, 0, i, exact);
          processors.get(w).process(image, 2, 0, i, slot);
          long squares = 0;
          for (long b = 0; b < exact.byteSize(); b++) {
            int d = (exact.get(JAVA_BYTE, b) & 0xff) - (slot.get(JAVA_BYTE, b) & 0xff);
            squares += (long) d * d;
            greatest = Math.max(greatest, Math.abs(d));
          }
          equal += squares == 0 ? 1 : 0;
          psnr[i] = 10 * Math.log10(255.0 * 255 * exact.byteSize() / Math.max(squares, 1));
        }
        Arrays.sort(psnr);
        System.out.printf(
            Locale.ROOT,
            "  %-20s mean %.1f dB, median %.1f, worst %.1f; greatest difference %d; %d equal%n",
            WAYS.get(w).name(),
            Arrays.stream(psnr).average().orElse(0),
            psnr[CROPS / 2],
            psnr[0],
            greatest,
            equal);
      }
    }
    processors.forEach(SampleProcessor::close);
  }
}
