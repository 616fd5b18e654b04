package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledJpegDecoder;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.lossless.LosslessDecoder;
import io.headrace.codec.png.PngDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.testkit.JpegSurgery;
import io.headrace.testkit.Seeds;
import io.headrace.testkit.Sequences;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: any sequence of pictures gives what fresh decoders give of each, pixels or fault.
final class AnySequenceTest {
  private static final long MAX_PIXELS = 1 << 18;
  private static final MemoryBudget BUDGET = MemoryBudget.unbounded();

  /// What one kind of context does with a picture.
  private abstract static class OnPictures implements Sequences.Context {
    private int calls;

    @Override
    public final String outcome(byte[] input) {
      try (Arena arena = Arena.ofConfined()) {
        return decode(Pictures.offHeap(arena, input), arena);
      } catch (DecodeException e) {
        return "fault " + e.fault() + ": " + e.getMessage();
      }
    }

    abstract String decode(MemorySegment input, Arena arena) throws DecodeException;

    /// {@return memory with something else in it each time: what is not written shows}
    MemorySegment room(Arena arena, long bytes) {
      return arena.allocate(Math.max(1, bytes)).fill((byte) ++calls);
    }
  }

  private static String digest(MemorySegment bytes) {
    return bytes.byteSize() + " bytes, CRC-32 %08x".formatted(Pictures.crc(bytes));
  }

  /// Decodes everything, as it lies or upright, strictly or not.
  private static final class Images extends OnPictures {
    private final ImageDecoder decoder;
    private final boolean strict;

    Images(boolean upright, boolean strict) {
      decoder = new ImageDecoder(BUDGET, MAX_PIXELS, upright);
      this.strict = strict;
    }

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      ImageInfo info = decoder.probe(input);
      MemorySegment rgb = room(arena, info.rgbBytes()).asSlice(0, info.rgbBytes());
      if (strict) {
        decoder.verify(input, info, rgb);
      } else {
        decoder.decodeRgb(input, info, rgb);
      }
      return info + ", " + digest(rgb);
    }

    @Override
    public void close() {
      decoder.close();
    }
  }

  /// Decodes JPEGs at a scale, whole or down to a row, to colours or to planes.
  private static final class Jpegs extends OnPictures {
    private final JpegDecoder decoder = new JpegDecoder(BUDGET, MAX_PIXELS);
    private final Block top = new Block(BUDGET);
    private final Planes planes = new Planes();

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      ImageInfo info = decoder.probe(input);
      var scale = new JpegScale(1 << (input.byteSize() & 3));
      int rows = Math.ceilDiv(scale.scaled(info.height()), 3);
      String found = "";
      MemorySegment part = decoder.decodeTop(input, info, scale, rows, top);
      if (part != null) {
        found = digest(part.asSlice(0, 3L * rows * scale.scaled(info.width())));
      }
      if (decoder.decodePlanes(input, info, scale, rows, planes)) {
        found += samples(planes, rows, scale.scaled(info.width()));
      }
      MemorySegment rgb = room(arena, scale.rgbBytes(info)).asSlice(0, scale.rgbBytes(info));
      decoder.decode(input, info, scale, rgb);
      return found + digest(rgb);
    }

    @Override
    public void close() {
      decoder.close();
      top.close();
    }
  }

  /// {@return a digest of the luminance from a place on}
  private static String samples(Planes planes, int rows, int columns) {
    int sum = 1;
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        sum = 31 * sum + planes.memory().get(JAVA_BYTE, planes.offset(0, y, x));
      }
    }
    return "luminance %08x, ".formatted(sum);
  }

  /// Decodes the beginning of JPEGs by our own decoder.
  private static final class Baseline extends OnPictures {
    private final BaselineDecoder decoder = new BaselineDecoder(BUDGET);
    private final JpegHeader header = new JpegHeader();
    private final Planes planes = new Planes();

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      header.read(input);
      ImageLimits.requirePixels("jpeg", header.width(), header.height(), MAX_PIXELS);
      var scale = new JpegScale(1 << (input.byteSize() & 3));
      int height = Math.ceilDiv(scale.scaled(header.height()), 2);
      int width = Math.ceilDiv(scale.scaled(header.width()), 2);
      var part = new Region(0, 0, height, width);
      if (!decoder.decode(input, header, null, part, scale, planes)) {
        throw new DecodeException(Fault.UNSUPPORTED, "left to libjpeg-turbo");
      }
      return samples(planes, height, width);
    }

    @Override
    public void close() {
      decoder.close();
    }
  }

  /// Decodes a part of tiled JPEGs, and takes them apart; cuts others into tiles.
  private static final class Tiled extends OnPictures {
    private final TiledJpegDecoder decoder = new TiledJpegDecoder(BUDGET, MAX_PIXELS);
    private final TiledTranscoder transcoder = new TiledTranscoder();
    private final JpegHeader header = new JpegHeader();
    private final TileTable tiles = new TileTable();
    private final Block out = new Block(BUDGET);
    private final Block back = new Block(BUDGET);

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      header.read(input);
      ImageLimits.requirePixels("jpeg", header.width(), header.height(), MAX_PIXELS);
      if (TileTable.tiled(input, header) && tiles.scan(input, header)) {
        var region = new Region(0, 0, Math.ceilDiv(header.height(), 2), header.width());
        DecodedRegion found = decoder.decode(input, tiles, region, JpegScale.FULL);
        MemorySegment rgb = room(arena, region.rgbBytes());
        found.copyTo(rgb);
        return digest(rgb);
      }
      long bytes = transcoder.tile(input, 3, out, tiles);
      MemorySegment tiled = out.memory().asSlice(0, bytes);
      var region =
          new Region(0, tiles.width() / 2, tiles.height(), tiles.width() - tiles.width() / 2);
      MemorySegment rgb = room(arena, region.rgbBytes());
      decoder.decode(tiled, tiles, region, JpegScale.FULL, rgb);
      long restored = transcoder.restore(tiled, tiles, back);
      return digest(tiled) + digest(rgb) + digest(back.memory().asSlice(0, restored));
    }

    @Override
    public void close() {
      decoder.close();
      out.close();
      back.close();
    }
  }

  /// Rewrites JPEGs in turn as one thing and another, and cuts them after scans.
  private static final class Rewritten extends OnPictures {
    private final JpegTranscoder transcoder = new JpegTranscoder(BUDGET, MAX_PIXELS);
    private final ScanCuts cuts = new ScanCuts();
    private final Block out = new Block(BUDGET);

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      MetadataPolicy keep = MetadataPolicy.KEEP_ALL;
      JpegTarget target =
          switch ((int) (input.byteSize() % 3)) {
            case 0 -> new JpegTarget.Progressive(keep);
            case 1 -> new JpegTarget.Baseline(false, keep);
            default -> new JpegTarget.Baseline(true, keep);
          };
      long bytes = transcoder.transcode(input, target, out).bytes();
      String found = digest(out.memory().asSlice(0, bytes));
      cuts.find(input);
      long prefix = cuts.prefix(input, ScanGroups.EACH_SCAN, 1, out);
      return found + cuts.scans() + digest(out.memory().asSlice(0, prefix));
    }

    @Override
    public void close() {
      transcoder.close();
      out.close();
    }
  }

  /// Decodes windows of PNGs and of our own lossless encoding.
  private static final class Windows extends OnPictures {
    private final PngDecoder png = new PngDecoder(BUDGET, MAX_PIXELS);
    private final LosslessDecoder lossless = new LosslessDecoder(MAX_PIXELS);

    @Override
    String decode(MemorySegment input, Arena arena) throws DecodeException {
      ImageFormat format = ImageFormat.detect(input);
      if (format == ImageFormat.LOSSLESS) {
        var info = lossless.probe(input);
        int height = Math.ceilDiv(info.height(), 2);
        MemorySegment rgb = room(arena, 3L * info.width() * height);
        lossless.decodeWindow(input, 0, info.height() - height, info.width(), height, rgb);
        return digest(rgb);
      }
      ImageInfo info = png.probe(input);
      int height = Math.ceilDiv(info.height(), 2);
      MemorySegment rgb = room(arena, 3L * info.width() * height);
      if (!png.decodeWindow(input, info, info.height() / 4, 0, height, info.width(), rgb)) {
        throw new DecodeException(Fault.UNSUPPORTED, "no rows of it");
      }
      return digest(rgb);
    }

    @Override
    public void close() {
      png.close();
      lossless.close();
    }
  }

  private static List<byte[]> jpegs() {
    List<byte[]> jpegs = new ArrayList<>();
    for (byte[] jpeg : FuzzTarget.resources("jpeg")) {
      jpegs.add(jpeg);
      jpegs.add(JpegSurgery.without(jpeg, 0xc4));
      jpegs.add(JpegSurgery.without(jpeg, 0xdb));
      jpegs.add(JpegSurgery.numberedAlike(jpeg));
      jpegs.add(JpegSurgery.withTransform(jpeg, 2));
    }
    jpegs.add(Pictures.resource("jpeg-prefixes/picture.jpg"));
    return jpegs;
  }

  private static List<byte[]> all() {
    List<byte[]> all = jpegs();
    for (String folder : List.of("png", "webp", "qoi", "bmp", "pnm")) {
      all.addAll(FuzzTarget.resources(folder));
    }
    for (String name : List.of("yuv420", "yuv444-10", "alpha", "grid", "orientation-5", "grey")) {
      all.add(Pictures.resource("avif/" + name + ".avif"));
    }
    for (String name : List.of("2x3x3", "3x2x4", "4x7")) {
      all.add(Pictures.resource("raw/" + name + ".tensor"));
    }
    all.addAll(FuzzedLossless.corpus());
    return all;
  }

  private static List<byte[]> windowed() {
    List<byte[]> windowed = new ArrayList<>(FuzzTarget.resources("png"));
    windowed.addAll(FuzzedLossless.corpus());
    return windowed;
  }

  static Stream<Arguments> contexts() {
    long seed = Seeds.random().findFirst().orElseThrow();
    return Stream.of(
        of("all formats", seed, all(), () -> new Images(false, false)),
        of("all formats, upright", seed, all(), () -> new Images(true, false)),
        of("all formats, strictly", seed, all(), () -> new Images(false, true)),
        of("JPEG in parts", seed, jpegs(), Jpegs::new),
        of("our own JPEG decoder", seed, jpegs(), Baseline::new),
        of("tiles", seed, jpegs(), Tiled::new),
        of("rewriting", seed, jpegs(), Rewritten::new),
        of("windows", seed, windowed(), Windows::new));
  }

  private static Arguments of(
      String name, long seed, List<byte[]> corpus, Supplier<Sequences.Context> make) {
    return arguments(name, seed, corpus, make);
  }

  @ParameterizedTest(name = "{0} -Dheadrace.seed={1}")
  @MethodSource("contexts")
  void anySequenceGivesWhatFreshOnesGive(
      String name, long seed, List<byte[]> corpus, Supplier<Sequences.Context> make) {
    assertThat(Sequences.check(make, corpus, seed, 200, 2000)).as(name).isGreaterThan(100);
  }
}
