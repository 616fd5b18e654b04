package io.headrace.bench;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Decodes JPEGs to planes with our own decoder of baseline JPEGs, and with libjpeg-turbo, which
/// decodes down to the end of the part: whole pictures, and windows of random resized crops. Image
/// by
/// image in turn, CPU time of one thread.
///
/// Run: `java --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp bench.jar
/// io.headrace.bench.PlanesLoop FOLDER [ROUNDS [IMAGES]]`, for 11 rounds over 100 images. Samples
/// are compared first, where they should be equal; JPEGs that ours does not decode are left out.
/// Prints medians over the rounds, and that of the rounds' ratios.
public final class PlanesLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int[] SCALES = {8, 4, 2, 1};
  private static final int WARM_UP = 12;

  private final List<MemorySegment> images;
  private final JpegDecoder turbo = new JpegDecoder();
  private final BaselineDecoder own = new BaselineDecoder(MemoryBudget.unbounded());
  private final Planes expected = new Planes();
  private final Planes planes = new Planes();

  /// @param found images, of which those that our decoder leaves to libjpeg-turbo take no part
  private PlanesLoop(List<MemorySegment> found) throws DecodeException {
    images = new ArrayList<>();
    for (MemorySegment image : found) {
      ImageInfo info = turbo.probe(image);
      var all = new Region(0, 0, info.height(), info.width());
      if (own.decode(image, turbo.header(), null, all, JpegScale.FULL, planes)) {
        images.add(image);
      }
    }
  }

  /// Runs it.
  ///
  /// @param args folder, rounds, images
  public static void main(String[] args) throws Exception {
    Mains.run(PlanesLoop.class, 1, args, PlanesLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException, InterruptedException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 11;
    int most = args.length > 2 ? Integer.parseInt(args[2]) : 100;
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> images = JpegFolder.some(Path.of(args[0]), "jpe?g", most, arena);
      var loop = new PlanesLoop(images);
      System.out.printf(
          Locale.ROOT, "%s: %d images of %d%n", args[0], loop.images.size(), images.size());
      while (!BaselineDecoder.pays()) {
        Thread.sleep(10); // until vectors are compiled
      }
      for (int eighths : SCALES) {
        var scale = new JpegScale(eighths);
        if (!BaselineDecoder.differs(scale)) {
          loop.compare(scale);
        }
        loop.time(scale, false, rounds);
        loop.time(scale, true, rounds);
      }
      loop.own.close();
      loop.turbo.close();
    }
  }

  private void compare(JpegScale scale) throws DecodeException {
    for (MemorySegment image : images) {
      ImageInfo info = turbo.probe(image);
      Region all = new Region(0, 0, scale.scaled(info.height()), scale.scaled(info.width()));
      boolean both =
          turbo.decodePlanes(image, info, scale, all.height(), expected)
              && own.decode(image, turbo.header(), null, all, scale, planes);
      if (!both || !same(all)) {
        throw new IllegalStateException("another picture at " + scale.eighths() + "/8");
      }
    }
  }

  private boolean same(Region all) {
    for (int p = 0; p < expected.count(); p++) {
      int rows = Math.ceilDiv(all.height(), p == 0 ? 1 : expected.down());
      int columns = Math.ceilDiv(all.width(), p == 0 ? 1 : expected.across());
      for (int y = 0; y < rows; y++) {
        long a = expected.offset(p, y, 0);
        long b = planes.offset(p, y, 0);
        if (MemorySegment.mismatch(
                expected.memory(), a, a + columns, planes.memory(), b, b + columns)
            >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  private void time(JpegScale scale, boolean crops, int rounds) throws DecodeException {
    double[] turboMicros = new double[rounds];
    double[] ownMicros = new double[rounds];
    double[] ratios = new double[rounds];
    for (int round = -WARM_UP; round < rounds; round++) {
      var random = new Random(round);
      long turboNanos = 0;
      long ownNanos = 0;
      for (MemorySegment image : images) {
        ImageInfo info = turbo.probe(image);
        int height = scale.scaled(info.height());
        int width = scale.scaled(info.width());
        Region part = crops ? crop(height, width, random) : new Region(0, 0, height, width);
        long start = THREADS.getCurrentThreadCpuTime();
        turbo.decodePlanes(image, info, scale, part.top() + part.height(), expected);
        long middle = THREADS.getCurrentThreadCpuTime();
        own.decode(image, turbo.header(), null, part, scale, planes);
        ownNanos += THREADS.getCurrentThreadCpuTime() - middle;
        turboNanos += middle - start;
      }
      if (round >= 0) {
        turboMicros[round] = turboNanos / 1e3 / images.size();
        ownMicros[round] = ownNanos / 1e3 / images.size();
        ratios[round] = (double) turboNanos / ownNanos;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d/8, %-6s libjpeg-turbo %6.0f us, own %6.0f us, %.2fx%n",
        scale.eighths(),
        crops ? "crops" : "whole",
        Medians.of(turboMicros),
        Medians.of(ownMicros),
        Medians.of(ratios));
  }

  /// {@return a window as random resized crops have}
  static Region crop(int height, int width, Random random) {
    while (true) {
      double area = (double) height * width * random.nextDouble(0.08, 1);
      double aspect = 0.75 * Math.pow(16 / 9.0, random.nextDouble());
      int w = (int) Math.round(Math.sqrt(area * aspect));
      int h = (int) Math.round(Math.sqrt(area / aspect));
      if (w > 0 && h > 0 && w <= width && h <= height) {
        return new Region(random.nextInt(height - h + 1), random.nextInt(width - w + 1), h, w);
      }
    }
  }
}
