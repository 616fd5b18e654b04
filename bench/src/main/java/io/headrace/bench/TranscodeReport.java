package io.headrace.bench;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegDecoder;
import io.headrace.codec.quality.Ssim;
import io.headrace.codec.transcode.JpegTarget;
import io.headrace.codec.transcode.JpegTranscoder;
import io.headrace.codec.transcode.MetadataPolicy;
import io.headrace.codec.transcode.ScanCuts;
import io.headrace.codec.transcode.ScanGroups;
import io.headrace.codec.transcode.Transcoded;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What lossless rewriting does to a folder of JPEGs: bytes and speed of each form, bytes and
/// likeness of each scan group, and proof that all pixels stay.
///
/// Run: `java --enable-native-access=ALL-UNNAMED -cp bench.jar io.headrace.bench.TranscodeReport
/// FOLDER [ROUNDS [EVERY]]`. Speed is megabytes of source a second of thread CPU time, the median
/// over ROUNDS (default 3) after one that warms up; the forms take turns, picture by picture.
/// Likeness is measured on each EVERY-th picture (default 10).
public final class TranscodeReport implements AutoCloseable {
  private static final MetadataPolicy DROP = MetadataPolicy.DROP_ALL_BUT_NEEDED;
  private static final ScanGroups GROUPS = ScanGroups.DEFAULT;

  private final Arena arena = Arena.ofConfined();
  private final JpegDecoder decoder = new JpegDecoder();
  private final JpegTranscoder transcoder = new JpegTranscoder();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final Block prefix = new Block(MemoryBudget.unbounded());
  private final Map<String, JpegTarget> targets = new LinkedHashMap<>();
  private final JpegFolder folder;
  private final MemorySegment pixels;
  private final MemorySegment other;
  private final long source;

  private TranscodeReport(Path dir) throws IOException {
    targets.put("optimised, metadata kept", baseline(true, 0, MetadataPolicy.KEEP_ALL));
    targets.put("standard tables", baseline(false, 0, DROP));
    targets.put("optimised", baseline(true, 0, DROP));
    targets.put("optimised, R = 4", baseline(true, 4, DROP));
    targets.put("progressive", new JpegTarget.Progressive(DROP));
    targets.put("progressive, metadata kept", new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL));
    folder = JpegFolder.load(dir, decoder, arena);
    pixels = arena.allocate(folder.largest());
    other = arena.allocate(folder.largest());
    source = folder.jpegs().stream().mapToLong(MemorySegment::byteSize).sum();
  }

  private static JpegTarget baseline(boolean optimised, int restart, MetadataPolicy metadata) {
    return new JpegTarget.Baseline(optimised, restart, metadata);
  }

  /// Prints the report.
  ///
  /// @param args folder, rounds, pictures to a measurement of likeness
  public static void main(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    int every = args.length > 2 ? Integer.parseInt(args[2]) : 10;
    try (var report = new TranscodeReport(Path.of(args[0]))) {
      report.forms(rounds);
      report.groups(every);
    }
  }

  private void forms(int rounds) throws DecodeException {
    List<JpegTarget> all = List.copyOf(targets.values());
    long[] bytes = new long[all.size()];
    long[][] nanos = new long[all.size()][rounds];
    long[] readNanos = new long[rounds];
    int[] larger = new int[all.size()];
    int[] different = new int[all.size()];
    for (int round = -1; round < rounds; round++) {
      for (int i = 0; i < folder.jpegs().size(); i++) {
        MemorySegment jpeg = folder.jpegs().get(i);
        if (round >= 0) {
          long start = cpuNanos();
          transcoder.picture().read(jpeg);
          readNanos[round] += cpuNanos() - start;
        }
        for (int turn = 0; turn < all.size(); turn++) {
          int t = (turn + i) % all.size();
          long start = cpuNanos();
          Transcoded result = transcoder.transcode(jpeg, all.get(t), out);
          if (round >= 0) {
            nanos[t][round] += cpuNanos() - start;
            continue;
          }
          bytes[t] += result.bytes();
          larger[t] += result.bytes() > jpeg.byteSize() ? 1 : 0;
          MemorySegment made = out.memory().asSlice(0, result.bytes());
          different[t] += samePixels(jpeg, made, folder.infos().get(i)) ? 0 : 1;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d pictures, %d bytes; reading alone %.1f MB/s a core%n%n",
        folder.jpegs().size(),
        source,
        speed(readNanos));
    System.out.println("| form | bytes | of the originals | larger files | other pixels | MB/s |");
    System.out.println("|---|---|---|---|---|---|");
    int t = 0;
    for (String name : targets.keySet()) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %.2f %% | %d | %d | %.1f |%n",
          name,
          bytes[t],
          100.0 * bytes[t] / source,
          larger[t],
          different[t],
          speed(nanos[t]));
      t++;
    }
  }

  private double speed(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return source * 1e3 / sorted[sorted.length / 2];
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private boolean samePixels(MemorySegment a, MemorySegment b, ImageInfo info)
      throws DecodeException {
    decoder.decode(a, info, pixels);
    decoder.decode(b, info, other);
    return MemorySegment.mismatch(pixels, 0, info.rgbBytes(), other, 0, info.rgbBytes()) < 0;
  }

  private void groups(int every) throws DecodeException {
    var cuts = new ScanCuts();
    var ssim = new Ssim();
    int count = GROUPS.count();
    long[] bytes = new long[count];
    double[] likeness = new double[count];
    double[] least = new double[count];
    Arrays.fill(least, 1);
    int measured = 0;
    JpegTarget target = new JpegTarget.Progressive(DROP);
    for (int i = 0; i < folder.jpegs().size(); i++) {
      ImageInfo info = folder.infos().get(i);
      Transcoded result = transcoder.transcode(folder.jpegs().get(i), target, out);
      MemorySegment jpeg = out.memory().asSlice(0, result.bytes());
      cuts.find(jpeg);
      measured += i % every == 0 ? 1 : 0;
      decoder.decode(jpeg, info, pixels);
      for (int g = 1; g <= count; g++) {
        bytes[g - 1] += cuts.groupEnd(GROUPS, g);
        long size = cuts.prefix(jpeg, GROUPS, g, prefix);
        decoder.decode(prefix.memory().asSlice(0, size), info, other);
        if (i % every == 0) {
          double value = ssim.measure(pixels, other, info.width(), info.height());
          likeness[g - 1] += value;
          least[g - 1] = Math.min(least[g - 1], value);
        }
      }
    }
    System.out.printf("%n%d warnings; SSIM of %d pictures%n%n", decoder.warnings(), measured);
    System.out.println("| group | scans | bytes | of the originals | mean SSIM | least SSIM |");
    System.out.println("|---|---|---|---|---|---|");
    for (int g = 1; g <= count; g++) {
      System.out.printf(
          Locale.ROOT,
          "| %d | to %d | %d | %.1f %% | %.4f | %.4f |%n",
          g,
          GROUPS.lastScan(g, 10),
          bytes[g - 1],
          100.0 * bytes[g - 1] / source,
          likeness[g - 1] / measured,
          least[g - 1]);
    }
  }

  @Override
  public void close() {
    prefix.close();
    out.close();
    transcoder.close();
    decoder.close();
    arena.close();
  }
}
