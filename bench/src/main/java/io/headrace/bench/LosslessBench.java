package io.headrace.bench;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.png.PngEncoding;
import io.headrace.codec.webp.WebpLosslessEncoding;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Lossless encodings of the images of a folder: bytes, decode and encode speed of one thread.
///
/// Every image is decoded to RGB and encoded by each contender. The contenders then decode all
/// images in turn, image by image, another one first each time; times are the thread's CPU time,
/// figures medians of the rounds, ratios medians of the rounds' ratios. The base is PNG: the files
/// as they were found if all are PNG, else libspng's at level 6. MB are of 10^6 bytes of RGB.
/// That pixels come back is checked. Arguments: folder, rounds (default 7), most images (default
/// 120, evenly taken).
public final class LosslessBench {
  private static final int WARM_UP = 5;

  private final Arena arena;
  private final ImageDecoder decoder = new ImageDecoder();
  private final List<MemorySegment> pixels = new ArrayList<>();
  private final List<ImageInfo> infos = new ArrayList<>();
  private final List<Contender> contenders = new ArrayList<>();
  private MemorySegment rgb = MemorySegment.NULL;
  private long raw;

  private record Contender(
      String name, List<MemorySegment> streams, List<ImageInfo> infos, double encodeNanos) {
    long bytes() {
      return streams.stream().mapToLong(MemorySegment::byteSize).sum();
    }
  }

  private LosslessBench(Arena arena) {
    this.arena = arena;
  }

  /// Measures and prints.
  ///
  /// @param args folder, rounds, most images
  public static void main(String[] args) throws Exception {
    Mains.run(LosslessBench.class, 1, args, LosslessBench::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    int most = args.length > 2 ? Integer.parseInt(args[2]) : 120;
    try (Arena arena = Arena.ofConfined()) {
      var bench = new LosslessBench(arena);
      bench.load(Path.of(args[0]), most);
      bench.encode("png 6 (libspng)", PngEncoding.DEFAULT);
      bench.encode("webp lossless", new WebpLosslessEncoding());
      bench.encode("qoi", PlainCodec.QOI);
      for (LosslessLevel level : LosslessLevel.values()) {
        String name = "lossless " + level.name().toLowerCase(Locale.ROOT);
        bench.encode(name, new LosslessEncoding(level));
      }
      bench.print(args[0], bench.race(rounds));
      bench.decoder.close();
    }
  }

  private void load(Path folder, int most) throws IOException, DecodeException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    List<MemorySegment> found = new ArrayList<>();
    boolean png = true;
    int taken = Math.min(most, files.size());
    for (int i = 0; i < taken; i++) {
      byte[] file = Files.readAllBytes(files.get((int) ((long) i * files.size() / taken)));
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, file);
      if (ImageFormat.detect(bytes) == null) {
        continue;
      }
      ImageInfo info = decoder.probe(bytes);
      MemorySegment image = arena.allocate(info.rgbBytes());
      decoder.decodeRgb(bytes, info, image);
      found.add(bytes);
      infos.add(info);
      pixels.add(image);
      png &= info.format() == ImageFormat.PNG;
      raw += info.rgbBytes();
    }
    if (found.isEmpty()) {
      throw new IOException("no image in " + folder);
    }
    rgb = arena.allocate(pixels.stream().mapToLong(MemorySegment::byteSize).max().orElse(0));
    if (png) {
      contenders.add(new Contender("png as found", found, infos, 0));
    }
  }

  private void encode(String name, ImageEncoding encoding) throws DecodeException {
    List<MemorySegment> streams = new ArrayList<>();
    List<ImageInfo> encodedInfos = new ArrayList<>();
    long nanos = 0;
    try (var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      for (int round = 0; round < 2; round++) {
        nanos = 0;
        for (int i = 0; i < pixels.size(); i++) {
          int width = infos.get(i).width();
          int height = infos.get(i).height();
          long start = cpuNanos();
          long bytes = encoder.encode(pixels.get(i), width, height, 3, encoding, out);
          nanos += cpuNanos() - start;
          if (round == 0) {
            MemorySegment stream = arena.allocate(bytes);
            MemorySegment.copy(out.memory(), 0, stream, 0, bytes);
            streams.add(stream);
            encodedInfos.add(decoder.probe(stream));
          }
        }
      }
    }
    for (int i = 0; i < streams.size(); i++) {
      decoder.decodeRgb(streams.get(i), encodedInfos.get(i), rgb);
      long bytes = pixels.get(i).byteSize();
      if (MemorySegment.mismatch(rgb, 0, bytes, pixels.get(i), 0, bytes) >= 0) {
        throw new IllegalStateException(name + " gives other pixels");
      }
    }
    contenders.add(new Contender(name, streams, encodedInfos, nanos));
  }

  /// {@return nanoseconds by contender and round}
  private double[][] race(int rounds) throws DecodeException {
    double[][] nanos = new double[contenders.size()][rounds];
    for (int round = -WARM_UP; round < rounds; round++) {
      for (int i = 0; i < pixels.size(); i++) {
        for (int turn = 0; turn < contenders.size(); turn++) {
          int who = (i + turn + round + WARM_UP) % contenders.size();
          Contender contender = contenders.get(who);
          long start = cpuNanos();
          decoder.decodeRgb(contender.streams().get(i), contender.infos().get(i), rgb);
          if (round >= 0) {
            nanos[who][round] += cpuNanos() - start;
          }
        }
      }
    }
    return nanos;
  }

  private void print(String folder, double[][] nanos) {
    Contender base = contenders.getFirst();
    System.out.printf(
        Locale.ROOT,
        "%s: %d images, %.1f MB of RGB; base: %s%n%-18s %9s %8s %12s %10s %12s%n",
        folder,
        pixels.size(),
        raw / 1e6,
        base.name(),
        "",
        "bytes/RGB",
        "of base",
        "decode MB/s",
        "of base",
        "encode MB/s");
    for (int who = 0; who < contenders.size(); who++) {
      Contender contender = contenders.get(who);
      double[] ratios = new double[nanos[who].length];
      for (int round = 0; round < ratios.length; round++) {
        ratios[round] = nanos[0][round] / nanos[who][round];
      }
      System.out.printf(
          Locale.ROOT,
          "%-18s %9.3f %8.3f %12.0f %10.2f %12s%n",
          contender.name(),
          (double) contender.bytes() / raw,
          (double) contender.bytes() / base.bytes(),
          1e3 * raw / Medians.of(nanos[who]),
          Medians.of(ratios),
          contender.encodeNanos() == 0
              ? "-"
              : String.format(Locale.ROOT, "%.0f", 1e3 * raw / contender.encodeNanos()));
    }
    System.out.println();
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
