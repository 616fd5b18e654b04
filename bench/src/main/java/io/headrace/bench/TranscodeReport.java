package io.headrace.bench;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.jpeg.coefficients.Transcoded;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.quality.MsSsim;
import io.headrace.codec.quality.Psnr;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/// Reports what lossless rewriting does to a folder of JPEGs: bytes and speed of each form, bytes
/// and
/// likeness of each scan group, and proof that all pixels stay. Ends with exit code 1, and says
/// why, if pixels of a form or of the last group differ from the original's, or if a
/// progressive form, with metadata or without, takes more bytes in all than the originals.
///
/// Run: `java --enable-native-access=ALL-UNNAMED -cp bench.jar io.headrace.bench.TranscodeReport
/// FOLDER [ROUNDS [EVERY]]`. Speed is megabytes of source a second of thread CPU time, the median
/// over ROUNDS (default 3) after one that warms up; the forms take turns, picture by picture; 0
/// leaves them out. Likeness is measured on each EVERY-th picture (default 10), pixels of all are
/// compared.
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
  private final List<String> broken = new ArrayList<>();

  private TranscodeReport(Path dir) throws IOException {
    targets.put("optimised, metadata kept", new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ALL));
    targets.put("standard tables", new JpegTarget.Baseline(false, DROP));
    targets.put("optimised", new JpegTarget.Baseline(true, DROP));
    targets.put("progressive", new JpegTarget.Progressive(DROP));
    targets.put("progressive, metadata kept", new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL));
    folder = JpegFolder.load(dir, decoder, arena);
    pixels = arena.allocate(folder.largest());
    other = arena.allocate(folder.largest());
    source = folder.jpegs().stream().mapToLong(MemorySegment::byteSize).sum();
  }

  /// Prints the report.
  ///
  /// @param args folder, rounds, pictures to a measurement of likeness
  public static void main(String[] args) throws Exception {
    Mains.run(TranscodeReport.class, 1, args, TranscodeReport::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    int every = args.length > 2 ? Integer.parseInt(args[2]) : 10;
    try (var report = new TranscodeReport(Path.of(args[0]))) {
      if (rounds > 0) {
        report.forms(rounds);
      }
      report.groups(every);
      if (!report.broken.isEmpty()) {
        report.broken.forEach(line -> System.err.println("TranscodeReport: " + line));
        System.exit(1);
      }
    }
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
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
      check(different[t] == 0, name + ": other pixels of " + different[t] + " pictures");
      check(
          bytes[t] <= source || !(all.get(t) instanceof JpegTarget.Progressive),
          name + ": " + bytes[t] + " bytes, more than the originals' " + source);
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
    List<Likeness> groups =
        IntStream.rangeClosed(1, GROUPS.count()).mapToObj(Likeness::new).toList();
    JpegTarget target = new JpegTarget.Progressive(DROP);
    for (int i = 0; i < folder.jpegs().size(); i++) {
      ImageInfo info = folder.infos().get(i);
      Transcoded result = transcoder.transcode(folder.jpegs().get(i), target, out);
      MemorySegment jpeg = out.memory().asSlice(0, result.bytes());
      cuts.find(jpeg);
      decoder.decode(folder.jpegs().get(i), info, pixels);
      for (Likeness group : groups) {
        long size = cuts.prefix(jpeg, GROUPS, group.number, prefix);
        decoder.decode(prefix.memory().asSlice(0, size), info, other);
        group.bytes += cuts.groupEnd(GROUPS, group.number);
        group.compare(pixels, other, info, i % every == 0);
      }
    }
    System.out.printf(
        "%n%d warnings; likeness of %d pictures to the originals, PSNR over all their pixels%n%n",
        decoder.warnings(), groups.getFirst().measured);
    System.out.println(
        "| group | scans | bytes | of the originals | other pixels | MS-SSIM | least | SSIM | PSNR"
            + " dB |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    for (Likeness group : groups) {
      System.out.println(group.row(source));
    }
    Likeness whole = groups.getLast();
    check(whole.different == 0, "the last group: other pixels of " + whole.different + " pictures");
    check(
        groups.getFirst().bytes < whole.bytes / 2,
        "the first group takes " + groups.getFirst().bytes + " of " + whole.bytes + " bytes");
  }

  /// How like the originals the pictures of one scan group are.
  private static final class Likeness {
    private final int number;
    private final MsSsim multiScale = new MsSsim();
    private long bytes;
    private int different;
    private int measured;
    private double ssimSum;
    private double multiScaleSum;
    private double least = 1;
    private double squares;
    private long samples;

    Likeness(int number) {
      this.number = number;
    }

    void compare(MemorySegment from, MemorySegment to, ImageInfo info, boolean closely) {
      MemorySegment a = from.asSlice(0, info.rgbBytes());
      MemorySegment b = to.asSlice(0, info.rgbBytes());
      different += a.mismatch(b) < 0 ? 0 : 1;
      if (closely) {
        measured++;
        double alike = multiScale.measure(a, b, info.width(), info.height());
        ssimSum += multiScale.ssim();
        multiScaleSum += alike;
        least = Math.min(least, alike);
        squares += Math.pow(10, -Psnr.measure(a, b) / 10) * info.rgbBytes();
        samples += info.rgbBytes();
      }
    }

    String row(long source) {
      return String.format(
          Locale.ROOT,
          "| %d | to %d | %d | %.1f %% | %d | %.4f | %.4f | %.4f | %s |",
          number,
          GROUPS.lastScan(number, 10),
          bytes,
          100.0 * bytes / source,
          different,
          multiScaleSum / measured,
          least,
          ssimSum / measured,
          squares == 0
              ? "equal"
              : String.format(Locale.ROOT, "%.1f", -10 * Math.log10(squares / samples)));
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
