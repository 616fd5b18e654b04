package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledJpegDecoder;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Decodes random windows of JPEGs from tiles: the counterpart of `jpeg_roi.c`, run against it by
/// `jpeg-tiled.sh`.
///
/// Files are read, rewritten with tiles of the default width, and kept in memory with their tables.
/// Ways: the whole of the original; tiles; tiles at the smallest of 1/8, 1/4, 1/2 that still covers
/// the target (pow2); tiles after finding them in the file first (scan). Ways take turns window by
/// window.
///
/// Prints for each way the median over the rounds of the mean CPU time for a window in
/// microseconds, and the hash of all windows' pixels that `jpeg_roi` prints; then bytes.
public final class JpegTiledLoop {
  private static final List<String> NAMES = List.of("whole", "tiled", "tiled+pow2", "tiled+scan");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private record Picture(
      MemorySegment original, ImageInfo info, MemorySegment tiled, TileTable tiles) {}

  private record Window(Picture picture, Region region, JpegScale scale) {}

  private final JpegDecoder whole = new JpegDecoder();
  private final TiledJpegDecoder decoder = new TiledJpegDecoder();
  private final JpegHeader header = new JpegHeader();
  private final TileTable found = new TileTable();
  private final Block pixels = new Block(MemoryBudget.unbounded());
  private final Map<String, Picture> pictures = new HashMap<>();

  private JpegTiledLoop() {}

  /// Runs the loop.
  ///
  /// @param args file of windows, target edge, warm-up rounds, timed rounds
  public static void main(String[] args) throws Exception {
    Mains.run(JpegTiledLoop.class, 4, args, JpegTiledLoop::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined()) {
      var loop = new JpegTiledLoop();
      int target = Integer.parseInt(args[1]);
      List<Window> windows = loop.windows(Path.of(args[0]), target, arena);
      loop.time(windows, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      loop.printBytes();
    }
  }

  private List<Window> windows(Path file, int target, Arena arena)
      throws IOException, DecodeException {
    List<Window> windows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] f = line.split(" ", 5);
      Picture picture = pictures.get(f[4]);
      if (picture == null) {
        picture = tile(JpegFolder.read(Path.of(f[4]), arena), arena);
        pictures.put(f[4], picture);
      }
      var region =
          new Region(
              Integer.parseInt(f[0]),
              Integer.parseInt(f[1]),
              Integer.parseInt(f[2]),
              Integer.parseInt(f[3]));
      windows.add(new Window(picture, region, region.scaleFor(target, target)));
    }
    return windows;
  }

  private Picture tile(MemorySegment jpeg, Arena arena) throws DecodeException {
    var tiles = new TileTable();
    try (var out = new Block(MemoryBudget.unbounded())) {
      long bytes = new TiledTranscoder().tile(jpeg, out, tiles);
      MemorySegment tiled = arena.allocate(bytes).copyFrom(out.memory().asSlice(0, bytes));
      return new Picture(jpeg, whole.probe(jpeg), tiled, tiles);
    }
  }

  private void time(List<Window> windows, int warmUp, int rounds) throws DecodeException {
    int ways = NAMES.size();
    long[] hashes = new long[ways];
    for (int way = 0; way < ways; way++) {
      for (Window window : windows) {
        hashes[way] = hashes[way] * 1_000_003 + hash(decode(window, way));
      }
    }
    double[][] times = new double[ways][rounds];
    for (int round = -warmUp; round < rounds; round++) {
      long[] sums = new long[ways];
      for (int i = 0; i < windows.size(); i++) {
        for (int turn = 0; turn < ways; turn++) {
          int way = (turn + i + round + warmUp) % ways;
          long start = THREADS.getCurrentThreadCpuTime();
          decode(windows.get(i), way);
          sums[way] += THREADS.getCurrentThreadCpuTime() - start;
        }
      }
      for (int way = 0; way < ways && round >= 0; way++) {
        times[way][round] = sums[way] / 1e3 / windows.size();
      }
    }
    for (int way = 0; way < ways; way++) {
      Arrays.sort(times[way]);
      System.out.printf(
          Locale.ROOT, "%s %.1f %016x%n", NAMES.get(way), times[way][rounds / 2], hashes[way]);
    }
  }

  private DecodedRegion decode(Window window, int way) throws DecodeException {
    Picture p = window.picture();
    JpegScale scale = way == 2 ? window.scale() : JpegScale.FULL;
    Region region = window.region().at(scale);
    if (way == 0) {
      MemorySegment rgb = pixels.ensure(p.info().rgbBytes());
      whole.decode(p.original(), p.info(), rgb);
      return new DecodedRegion(rgb, p.info().width(), region.top(), region.left(), region);
    }
    if (way == 3) {
      header.read(p.tiled());
      if (p.tiles().padding() == 0 && !found.scan(p.tiled(), header)) {
        throw new AssertionError("no tiles found");
      }
    }
    return decoder.decode(p.tiled(), p.tiles(), region, scale);
  }

  private static long hash(DecodedRegion decoded) {
    long hash = 0;
    Region region = decoded.region();
    byte[] row = new byte[3 * region.width()];
    for (int y = 0; y < region.height(); y++) {
      MemorySegment.copy(decoded.pixels(), JAVA_BYTE, decoded.offset(y), row, 0, row.length);
      for (byte b : row) {
        hash = hash * 31 + (b & 0xff);
      }
    }
    return hash;
  }

  private void printBytes() throws DecodeException {
    long original = 0;
    long tiled = 0;
    long tables = 0;
    int padded = 0;
    for (Picture picture : pictures.values()) {
      original += picture.original().byteSize();
      tiled += picture.tiled().byteSize();
      tables += picture.tiles().bytes();
      padded += picture.tiles().padding() > 0 ? 1 : 0;
    }
    System.out.printf(
        Locale.ROOT,
        "bytes %d pictures, %d padded: original %d, tiled %.4f, with tables %.4f; rewritten at"
            + " %.1f MB/s%n",
        pictures.size(),
        padded,
        original,
        (double) tiled / original,
        (double) (tiled + tables) / original,
        rewriteSpeed(original));
  }

  private double rewriteSpeed(long bytes) throws DecodeException {
    var transcoder = new TiledTranscoder();
    try (var out = new Block(MemoryBudget.unbounded())) {
      double best = 0;
      for (int round = 0; round < 3; round++) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (Picture picture : pictures.values()) {
          transcoder.tile(picture.original(), out, found);
        }
        best = Math.max(best, bytes * 1e3 / (THREADS.getCurrentThreadCpuTime() - start));
      }
      return best;
    }
  }
}
