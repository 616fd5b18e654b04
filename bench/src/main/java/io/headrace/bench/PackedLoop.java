package io.headrace.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.entropy.PlainScan;
import io.headrace.codec.jpeg.entropy.ScanBits;
import io.headrace.codec.jpeg.packed.PackedDecoder;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Decodes whole pictures to planes, and reads their coefficients alone: JPEGs with libjpeg-turbo
/// and with our decoder of baseline JPEGs, and packed ones. Picture by picture in turn, CPU time of
/// one thread. Run it by `bench/packed.sh`, which compiles the C; arguments are FOLDER LIBRARY
/// [ROUNDS [IMAGES]]. Samples are compared by [PackedPixels].
public final class PackedLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final MemoryBudget BUDGET = MemoryBudget.unbounded();
  private static final int WARM_UP = 25;

  /// What is measured, for coefficients and for whole pictures.
  private enum Way {
    TURBO("libjpeg-turbo"),
    OWN("our baseline decoder"),
    PACKED("packed");

    private final String label;

    Way(String label) {
      this.label = label;
    }
  }

  private static final List<Way> WAYS = List.of(Way.values());

  private final MethodHandle turboCoefficients;
  private final JpegDecoder turbo = new JpegDecoder();
  private final BaselineDecoder own = new BaselineDecoder(BUDGET);
  private final PackedDecoder decoder = new PackedDecoder(BUDGET, ImageLimits.MAX_PIXELS);
  private final ScanBits scan = new ScanBits();
  private final PlainScan tables = new PlainScan();
  private final int[] coefficients = new int[ScanBits.ROOM];
  private final int[] before = new int[3];
  private final Planes planes = new Planes();
  private final List<MemorySegment> jpegs = new ArrayList<>();
  private final List<MemorySegment> packed = new ArrayList<>();

  private PackedLoop(MethodHandle turboCoefficients) {
    this.turboCoefficients = turboCoefficients;
  }

  /// Runs it.
  ///
  /// @param args folder, library, rounds, images
  public static void main(String[] args) throws Exception {
    Mains.run(PackedLoop.class, 2, args, PackedLoop::run);
  }

  @SuppressWarnings("restricted") // our own library
  private static void run(String[] args) throws IOException, DecodeException, InterruptedException {
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 11;
    int most = args.length > 3 ? Integer.parseInt(args[3]) : 40;
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle library =
          Linker.nativeLinker()
              .downcallHandle(
                  SymbolLookup.libraryLookup(Path.of(args[1]), arena)
                      .findOrThrow("headrace_coefficients"),
                  FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
      var loop = new PackedLoop(library);
      loop.pack(JpegFolder.some(Path.of(args[0]), "jpe?g", most, arena), arena);
      for (int i = 0; i < 2000 && !(PackedDecoder.ready() && BaselineDecoder.pays()); i++) {
        Thread.sleep(10); // until vectors are compiled, if there are any
      }
      loop.time("coefficients", true, rounds);
      loop.time("to planes", false, rounds);
      loop.own.close();
      loop.decoder.close();
      loop.turbo.close();
    }
  }

  /// Packs those that our decoder of baseline JPEGs takes.
  private void pack(List<MemorySegment> images, Arena arena) throws DecodeException {
    long before = 0;
    long after = 0;
    try (var packer = new PackedTranscoder(BUDGET, ImageLimits.MAX_PIXELS);
        var out = new Block(BUDGET)) {
      for (MemorySegment image : images) {
        ImageInfo info = turbo.probe(image);
        if (own.decode(image, turbo.header(), null, all(info), JpegScale.FULL, planes)) {
          long bytes = packer.pack(image, 0, MetadataPolicy.KEEP_ALL, out);
          jpegs.add(image);
          packed.add(arena.allocate(bytes).copyFrom(out.memory().asSlice(0, bytes)));
          before += image.byteSize();
          after += bytes;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d images of %d, %d bytes each, packed %.3f of them%n",
        jpegs.size(),
        images.size(),
        before / jpegs.size(),
        (double) after / before);
  }

  private static Region all(ImageInfo info) {
    return new Region(0, 0, info.height(), info.width());
  }

  private void time(String what, boolean onlyCoefficients, int rounds) throws DecodeException {
    double[][] micros = new double[WAYS.size()][rounds];
    for (int round = -WARM_UP; round < rounds; round++) {
      long[] nanos = new long[WAYS.size()];
      for (int i = 0; i < jpegs.size(); i++) {
        ImageInfo info = turbo.probe(jpegs.get(i));
        for (int w = 0; w < nanos.length; w++) {
          Way way = WAYS.get(w);
          long start = THREADS.getCurrentThreadCpuTime();
          if (onlyCoefficients) {
            coefficients(way, i);
          } else {
            planes(way, i, info);
          }
          nanos[w] += THREADS.getCurrentThreadCpuTime() - start;
        }
      }
      for (int way = 0; way < nanos.length && round >= 0; way++) {
        micros[way][round] = nanos[way] / 1e3 / jpegs.size();
      }
    }
    for (int w = 0; w < micros.length; w++) {
      double[] of = micros[w];
      double[] ratios = new double[rounds];
      Arrays.setAll(ratios, r -> micros[0][r] / of[r]);
      System.out.printf(
          Locale.ROOT,
          "%-13s %-21s %6.0f us, %.2f times as fast as libjpeg-turbo%n",
          what,
          WAYS.get(w).label,
          Medians.of(of),
          Medians.of(ratios));
    }
  }

  private void coefficients(Way way, int image) throws DecodeException {
    switch (way) {
      case TURBO -> turboCoefficients(jpegs.get(image));
      case OWN -> ownCoefficients(jpegs.get(image), turbo.header());
      case PACKED -> decoder.readCoefficients(packed.get(image));
    }
  }

  private void turboCoefficients(MemorySegment jpeg) {
    try {
      int across = (int) turboCoefficients.invokeExact(jpeg, jpeg.byteSize());
      if (across == 0) {
        throw new IllegalStateException("libjpeg reads nothing");
      }
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  private void ownCoefficients(MemorySegment jpeg, JpegHeader header) {
    boolean possible = tables.read(jpeg, header);
    Arrays.fill(before, 0);
    scan.load(jpeg, tables.start(), jpeg.byteSize());
    int mcus =
        Math.ceilDiv(header.width(), 8 * tables.columns[0])
            * Math.ceilDiv(header.height(), 8 * tables.rows[0]);
    for (int mcu = 0; mcu < mcus; mcu++) {
      possible &= scan.ready();
      for (int i = 0; i < tables.components(); i++) {
        for (int block = tables.columns[i] * tables.rows[i]; block > 0; block--) {
          before[i] = scan.block(tables.dc[i], tables.ac[i], before[i], coefficients) >> 8;
          Arrays.fill(coefficients, 0, 64, 0);
        }
      }
    }
    if (!possible) {
      throw new IllegalStateException("a sound picture");
    }
  }

  private void planes(Way way, int image, ImageInfo info) throws DecodeException {
    boolean possible =
        switch (way) {
          case TURBO ->
              turbo.decodePlanes(jpegs.get(image), info, JpegScale.FULL, info.height(), planes);
          case OWN ->
              own.decode(jpegs.get(image), turbo.header(), null, all(info), JpegScale.FULL, planes);
          case PACKED -> decoder.decodePlanes(packed.get(image), all(info), JpegScale.FULL, planes);
        };
    if (!possible) {
      throw new IllegalStateException("a sound picture");
    }
  }
}
