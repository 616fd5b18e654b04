package io.headrace.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Planes;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.resize.PlanePass;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Resizing and normalising planes of photos to 224 x 224, against the same work in C.
///
/// Both get the same planes (4:2:0, decoded before) and the same boxes, such as random resized
/// crops draw: a triangle filter over three planes, chrominance from its own resolution, colours,
/// mirroring, to uint8 [224, 224, 3] or normalised float32 [3, 224, 224]. Crop by crop in turn, CPU
/// time of one thread; results are compared first. Run it by `bench/kernels.sh`, which compiles the
/// C; arguments are FOLDER LIBRARY [ROUNDS [IMAGES]].
public final class KernelLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int EDGE = 224;
  private static final int VALUES = 3 * EDGE * EDGE;
  private static final int CROPS = 4;
  private static final int WARM_UP = 30;
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};

  /// Widest boxes of a class, in columns: magnified, reduced by up to 1.5, by up to 2, by more.
  private static final int[] WIDEST = {EDGE, 3 * EDGE / 2, 2 * EDGE, Integer.MAX_VALUE};

  private static final List<String> CLASSES =
      List.of("wider than 1", "1 to 2/3", "2/3 to 1/2", "below 1/2");

  private record Crop(Planes planes, Region box, boolean mirrored) {
    int size() {
      int size = 0;
      while (box.width() > WIDEST[size]) {
        size++;
      }
      return size;
    }
  }

  private final MethodHandle resize;
  private final List<Crop> crops;
  private final MemorySegment scales;
  private final MemorySegment shifts;
  private final MemorySegment fromJava;
  private final MemorySegment fromC;

  private KernelLoop(MethodHandle resize, List<Crop> crops, Arena arena) {
    this.resize = resize;
    this.crops = crops;
    scales = arena.allocate(3 * Float.BYTES, Float.BYTES);
    shifts = arena.allocate(3 * Float.BYTES, Float.BYTES);
    for (int c = 0; c < 3; c++) {
      scales.setAtIndex(JAVA_FLOAT_UNALIGNED, c, 1 / (255 * DEVIATION[c]));
      shifts.setAtIndex(JAVA_FLOAT_UNALIGNED, c, -MEAN[c] / DEVIATION[c]);
    }
    fromJava = arena.allocate((long) VALUES * Float.BYTES, 64);
    fromC = arena.allocate((long) VALUES * Float.BYTES, 64);
  }

  /// Runs it.
  ///
  /// @param args folder, library, rounds, images
  public static void main(String[] args) throws Exception {
    Mains.run(KernelLoop.class, 2, args, KernelLoop::run);
  }

  @SuppressWarnings("restricted") // our own library
  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 15;
    int most = args.length > 3 ? Integer.parseInt(args[3]) : 40;
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> images = JpegFolder.some(Path.of(args[0]), "jpe?g", most, arena);
      MethodHandle resize =
          Linker.nativeLinker()
              .downcallHandle(
                  SymbolLookup.libraryLookup(Path.of(args[1]), arena)
                      .findOrThrow("headrace_resize"),
                  FunctionDescriptor.ofVoid(
                      ADDRESS, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                      JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS,
                      ADDRESS));
      var loop = new KernelLoop(resize, crops(images, arena), arena);
      System.out.printf(
          Locale.ROOT,
          "%s: %d crops; rows filtered by %s%n",
          args[0],
          loop.crops.size(),
          PlanePass.vectors() ? "vectors" : "plain Java");
      loop.run("uint8,hwc", false, rounds);
      loop.run("normalize=imagenet,chw", true, rounds);
    }
  }

  private static List<Crop> crops(List<MemorySegment> images, Arena arena) throws DecodeException {
    List<Crop> crops = new ArrayList<>();
    var random = new Random(1);
    try (var decoder = new JpegDecoder()) {
      for (MemorySegment image : images) {
        ImageInfo info = decoder.probe(image);
        var planes = new Planes();
        if (decoder.decodePlanes(image, info, JpegScale.FULL, info.height(), planes)
            && planes.across() == 2
            && planes.down() == 2) {
          MemorySegment own = arena.allocate(planes.memory().byteSize());
          planes.in(own.copyFrom(planes.memory()));
          for (int i = 0; i < CROPS; i++) {
            Region box = PlanesLoop.crop(info.height(), info.width(), random);
            crops.add(new Crop(planes, box, i % 2 == 1));
          }
        }
      }
    }
    if (crops.isEmpty()) {
      throw new IllegalArgumentException("no JPEG with chrominance at half the resolution");
    }
    return crops;
  }

  private void c(Crop crop, boolean floats) {
    Planes planes = crop.planes();
    Region box = crop.box();
    try {
      resize.invokeExact(
          planes.memory().asSlice(planes.start(0)),
          planes.memory().asSlice(planes.start(1)),
          planes.memory().asSlice(planes.start(2)),
          planes.stride(0),
          planes.stride(1),
          planes.height(),
          planes.width(),
          box.top(),
          box.left(),
          box.height(),
          box.width(),
          EDGE,
          crop.mirrored() ? 1 : 0,
          floats ? 1 : 0,
          scales,
          shifts,
          fromC);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private void run(String spec, boolean floats, int rounds) {
    var pass = new PlanePass(Pipeline.parse(spec).values(), EDGE, EDGE);
    int classes = CLASSES.size();
    double[][] java = new double[classes + 1][rounds];
    double[][] c = new double[classes + 1][rounds];
    int[] number = new int[classes + 1];
    double most = 0;
    double sum = 0;
    for (Crop crop : crops) {
      pass.run(crop.planes(), crop.box(), crop.mirrored(), fromJava);
      c(crop, floats);
      for (int i = 0; i < VALUES; i++) {
        double difference = difference(i, floats);
        most = Math.max(most, difference);
        sum += difference;
      }
      number[crop.size()]++;
      number[classes]++;
    }
    for (int round = -WARM_UP; round < rounds; round++) {
      for (int i = 0; i < crops.size(); i++) {
        Crop crop = crops.get(i);
        long first = THREADS.getCurrentThreadCpuTime();
        if (i % 2 == 0) {
          pass.run(crop.planes(), crop.box(), crop.mirrored(), fromJava);
        } else {
          c(crop, floats);
        }
        long second = THREADS.getCurrentThreadCpuTime();
        if (i % 2 == 0) {
          c(crop, floats);
        } else {
          pass.run(crop.planes(), crop.box(), crop.mirrored(), fromJava);
        }
        long third = THREADS.getCurrentThreadCpuTime();
        if (round >= 0) {
          long ours = i % 2 == 0 ? second - first : third - second;
          long theirs = third - first - ours;
          for (int to : new int[] {crop.size(), classes}) {
            java[to][round] += ours / 1e3 / number[to];
            c[to][round] += theirs / 1e3 / number[to];
          }
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: differences of %.3f levels at most, %.4f on average%n",
        spec,
        most,
        sum / VALUES / crops.size());
    for (int i = 0; i <= classes; i++) {
      if (number[i] > 0) {
        print(i < classes ? CLASSES.get(i) : "all", number[i], java[i], c[i]);
      }
    }
  }

  /// {@return how far the two results are from each other, in levels of 255}
  private double difference(int i, boolean floats) {
    if (floats) {
      double a = fromJava.getAtIndex(JAVA_FLOAT_UNALIGNED, i);
      double b = fromC.getAtIndex(JAVA_FLOAT_UNALIGNED, i);
      return Math.abs(a - b) * 255 * DEVIATION[i / (EDGE * EDGE)];
    }
    return Math.abs((fromJava.get(JAVA_BYTE, i) & 0xff) - (fromC.get(JAVA_BYTE, i) & 0xff));
  }

  private static void print(String name, int crops, double[] java, double[] c) {
    double[] ratios = new double[java.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = c[i] / java[i];
    }
    System.out.printf(
        Locale.ROOT,
        "  %-13s %4d crops: Java %6.1f us, C %6.1f us, Java runs at %.2f of C's speed%n",
        name,
        crops,
        Medians.of(java),
        Medians.of(c),
        Medians.of(ratios));
  }
}
