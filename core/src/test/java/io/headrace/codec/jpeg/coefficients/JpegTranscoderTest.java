package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.ImageLimits;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of rewriting: the coefficients stay, and so do the pixels.
final class JpegTranscoderTest {
  static final List<JpegTarget> TARGETS =
      List.of(
          new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ALL),
          new JpegTarget.Baseline(false, MetadataPolicy.DROP_ALL_BUT_NEEDED),
          new JpegTarget.Baseline(true, MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR),
          new JpegTarget.Baseline(false, MetadataPolicy.KEEP_ALL),
          new JpegTarget.Progressive(MetadataPolicy.DROP_ALL_BUT_NEEDED));

  private final Arena arena = Arena.ofConfined();
  private final Block out = new Block(MemoryBudget.unbounded());
  private final JpegTranscoder transcoder = new JpegTranscoder();
  private final JpegCoefficients before = new JpegCoefficients();
  private final JpegCoefficients after = new JpegCoefficients();
  private final JpegDecoder decoder = new JpegDecoder();

  @AfterEach
  void close() {
    decoder.close();
    after.close();
    before.close();
    transcoder.close();
    out.close();
    arena.close();
  }

  private MemorySegment offHeap(byte[] bytes) {
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  private MemorySegment transcode(MemorySegment jpeg, JpegTarget target) throws DecodeException {
    Transcoded result = transcoder.transcode(jpeg, target, out);
    return offHeap(out.memory().asSlice(0, result.bytes()).toArray(JAVA_BYTE));
  }

  /// Law: whatever a JPEG is rewritten as, and then as that, its coefficients and pixels stay.
  private void nothingIsLost(MemorySegment jpeg) throws DecodeException {
    before.read(jpeg);
    byte[] pixels = Jpegs.pixels(decoder, jpeg);
    MemorySegment last = jpeg;
    for (JpegTarget target : TARGETS) {
      last = transcode(last, target);
      after.read(last);
      assertThat(after.sameAs(before)).as("coefficients after %s", target).isTrue();
      if (before.complete()) {
        assertThat(Jpegs.pixels(decoder, last)).as("pixels after %s", target).isEqualTo(pixels);
      }
      assertThat(after.complete()).isTrue();
    }
    restartsChangeNothing(transcode(jpeg, TARGETS.getFirst()));
    JpegTarget bare = TARGETS.get(1);
    assertThat(transcode(last, bare).mismatch(transcode(jpeg, bare))).as("way back").isEqualTo(-1);
  }

  /// Writes restart markers after each MCU and after 3.
  private void restartsChangeNothing(MemorySegment jpeg) throws DecodeException {
    for (int interval : new int[] {1, 3}) {
      try {
        long bytes = new TiledTranscoder().tile(jpeg, interval, out, new TileTable());
        after.read(out.memory().asSlice(0, bytes));
      } catch (DecodeException e) {
        assertThat(e.fault()).isEqualTo(Fault.UNSUPPORTED); // CMYK, several scans
        continue;
      }
      assertThat(before.isIn(after)).as("coefficients after restarts").isTrue();
    }
  }

  static List<String> fixtures() {
    return Jpegs.fixtures();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void fixturesKeepCoefficientsAndPixels(String name) throws DecodeException {
    nothingIsLost(offHeap(Jpegs.named(name)));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void everySizeKeepsCoefficientsAndPixels(Subsampling subsampling) throws DecodeException {
    Random random = new Random(subsampling.label().hashCode());
    int[][] sizes = {
      {1, 1}, {1, 45}, {67, 1}, {8, 8}, {9, 17}, {16, 16}, {33, 31}, {64, 8}, {67, 45}
    };
    for (int[] size : sizes) {
      int quality = 1 + random.nextInt(100);
      nothingIsLost(
          offHeap(Jpegs.encoded(size[0], size[1], subsampling, quality, random.nextLong())));
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyPictureKeepsCoefficientsAndPixels(long seed) throws DecodeException {
    Random random = new Random(seed);
    Subsampling[] all = Subsampling.values();
    nothingIsLost(
        offHeap(
            Jpegs.encoded(
                1 + random.nextInt(67),
                1 + random.nextInt(45),
                all[random.nextInt(all.length - 1)],
                1 + random.nextInt(100),
                random.nextLong())));
  }

  /// A run of blocks without new coefficients is at most 32,767 long, and may bring any number of
  /// bits of known ones.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 120})
  void longRunsOfAlikeBlocksKeepCoefficientsAndPixels(int contrast) throws DecodeException {
    byte[] pixels = new byte[1500 * 1500];
    for (int i = 0; i < pixels.length; i++) {
      int x = i % 1500 % 8;
      int y = i / 1500 % 8;
      pixels[i] = (byte) (128 + (x * y % 5 > 2 ? contrast : -contrast));
    }
    nothingIsLost(offHeap(Jpegs.encode(pixels, 1500, 1500, Subsampling.GRAY, 90)));
  }

  static List<Jpegs.Size> sizes() {
    return Jpegs.sizes();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void sizesAreThoseOfJpegtran(Jpegs.Size size) throws DecodeException {
    MemorySegment jpeg = offHeap(Jpegs.named(size.name()));
    var drop = MetadataPolicy.DROP_ALL_BUT_NEEDED;
    long optimised = transcoder.transcode(jpeg, new JpegTarget.Baseline(true, drop), out).bytes();
    Transcoded progressive = transcoder.transcode(jpeg, new JpegTarget.Progressive(drop), out);
    // jpegtran adds or drops a marker of 16 or 18 bytes by the colours it sees
    assertThat((double) optimised)
        .isBetween(size.optimised() * 0.995 - 18, size.optimised() * 1.005 + 18);
    assertThat((double) progressive.bytes())
        .isBetween(size.progressive() * 0.995 - 18, size.progressive() * 1.005 + 18);
  }

  @Test
  void scansAreThoseOfSimpleProgression() throws DecodeException {
    JpegTarget target = new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL);
    assertThat(scans("jpeg/odd.jpg", target)).isEqualTo(10);
    assertThat(scans("jpeg/grey.jpg", target)).isEqualTo(6);
    assertThat(scans("jpeg/rgb.jpg", target)).isEqualTo(14);
    assertThat(scans("jpeg/ycck.jpg", target)).isEqualTo(18);
    assertThat(scans("jpeg-scans/deep.jpg", TARGETS.getFirst())).isEqualTo(1);
  }

  private int scans(String name, JpegTarget target) throws DecodeException {
    Transcoded result = transcoder.transcode(offHeap(Jpegs.named(name)), target, out);
    after.read(out.memory().asSlice(0, result.bytes()));
    assertThat(after.scans()).isEqualTo(result.scans());
    return result.scans();
  }

  @Test
  void nothingButTheResultIsLeftOnTheHeap() throws DecodeException {
    MemorySegment jpeg = offHeap(Jpegs.named("jpeg/odd.jpg"));
    List<Long> costs = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      long start = Allocations.ofThisThread();
      for (int i = 0; i < 100; i++) {
        transcoder.transcode(jpeg, TARGETS.get(0), out);
        transcoder.transcode(jpeg, TARGETS.get(4), out);
      }
      costs.add((Allocations.ofThisThread() - start) / 200);
    }
    assertThat(costs.stream().min(Long::compare).orElseThrow())
        .as("bytes a picture: %s", costs)
        .isLessThanOrEqualTo(512);
  }

  @Test
  void memoryIsHeldToTheBudget() {
    MemorySegment jpeg = offHeap(Jpegs.named("jpeg/odd.jpg"));
    try (var poor = new JpegTranscoder(new MemoryBudget(2000), ImageLimits.MAX_PIXELS)) {
      assertThatThrownBy(() -> poor.transcode(jpeg, TARGETS.getFirst(), out))
          .isInstanceOf(DecodeException.class)
          .extracting(e -> ((DecodeException) e).fault())
          .isEqualTo(Fault.LIMIT);
    }
  }
}
