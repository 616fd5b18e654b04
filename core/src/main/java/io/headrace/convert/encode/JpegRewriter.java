package io.headrace.convert.encode;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.Transcoded;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.codec.jpeg.tiles.Pyramid;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.DecodeException;
import io.headrace.format.Parts;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Rewrites JPEGs without loss. One per worker; results are valid until the next one.
final class JpegRewriter implements AutoCloseable {
  /// Smaller levels of a pyramid serve nobody.
  private static final int MIN_EDGE = 64;

  private final boolean padding;
  private final JpegHeader header = new JpegHeader();
  private final JpegTranscoder transcoder;
  private final TiledTranscoder tiler;
  private final PackedTranscoder packer;
  private final TileTable table = new TileTable();
  private final Pyramid pyramid;
  private final Block sequential;
  private final Block out;
  private final Block level;
  private final Block tables;
  private final Block pixels;
  private MemorySegment result = MemorySegment.NULL;
  private Parts parts = Parts.WHOLE;
  private long trailingBytes;
  private boolean orientationDropped;

  /// @param padding whether the grid of tiles may be larger than the image, which takes a table
  JpegRewriter(boolean padding, MemoryBudget budget) {
    this.padding = padding;
    transcoder = new JpegTranscoder(budget, ImageLimits.MAX_PIXELS);
    tiler = new TiledTranscoder(budget);
    packer = new PackedTranscoder(budget, ImageLimits.MAX_PIXELS);
    pyramid = new Pyramid(budget);
    sequential = new Block(budget);
    out = new Block(budget);
    level = new Block(budget);
    tables = new Block(budget);
    pixels = new Block(budget);
  }

  MemorySegment result() {
    return result;
  }

  Parts parts() {
    return parts;
  }

  long trailingBytes() {
    return trailingBytes;
  }

  /// {@return whether an EXIF orientation other than upright is not in the result}
  boolean orientationDropped() {
    return orientationDropped;
  }

  /// {@return whether a JPEG is progressive}
  boolean progressive(MemorySegment jpeg) throws DecodeException {
    header.read(jpeg);
    return header.progressive();
  }

  /// Writes a JPEG of the same coefficients.
  ///
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if that cannot be done
  void transcode(MemorySegment jpeg, JpegTarget target) throws DecodeException {
    Transcoded made = transcoder.transcode(jpeg, target, out);
    result = out.memory().asSlice(0, made.bytes());
    parts = Parts.WHOLE;
    trailingBytes = made.dropped().trailingBytes();
    orientationDropped = made.dropped().orientation() != 1;
  }

  /// Writes a JPEG of the same coefficients, with tiles.
  ///
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if that cannot be done
  void tile(MemorySegment jpeg, TargetEncoding.Tiled target) throws DecodeException {
    long bytes = tile(jpeg, target.mcus(), target.metadata(), 0);
    result = out.memory().asSlice(0, bytes);
    parts = Parts.tiled(bytes, storedTable(0));
  }

  /// Writes a tiled JPEG at the place `at` of [#out], and its table.
  private long tile(MemorySegment jpeg, int mcus, MetadataPolicy policy, long at)
      throws DecodeException {
    JpegCoefficients picture = transcoder.picture();
    picture.read(jpeg);
    boolean anew =
        picture.progressive() || policy != MetadataPolicy.KEEP_ALL || picture.scans() > 1;
    MemorySegment plain = jpeg;
    trailingBytes = picture.trailingBytes();
    orientationDropped = false;
    if (anew) {
      Transcoded made = transcoder.write(new JpegTarget.Baseline(true, policy), sequential);
      plain = sequential.memory().asSlice(0, made.bytes());
      orientationDropped = made.dropped().orientation() != 1;
    }
    header.read(plain);
    int wanted = padding ? mcus : divisor(mcus);
    Block to = at == 0 ? out : level;
    long bytes =
        anew ? tiler.tile(plain, wanted, to, table) : tiler.tile(jpeg, picture, wanted, to, table);
    transcoder.prove(to.memory().asSlice(0, bytes));
    if (at > 0) {
      append(at, bytes);
    }
    return bytes;
  }

  /// Packs a JPEG.
  ///
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if that cannot be done
  void pack(MemorySegment jpeg, TargetEncoding.Packed target) throws DecodeException {
    long bytes = packer.pack(jpeg, target.mcus(), target.metadata(), out);
    result = out.memory().asSlice(0, bytes);
    parts = Parts.WHOLE;
    trailingBytes = packer.trailingBytes();
    orientationDropped = packer.orientationDropped();
  }

  /// {@return whether the JPEG packed last comes back byte for byte}
  boolean exact() {
    return packer.exact();
  }

  /// {@return the divisor of a row's MCUs that is nearest to what is wanted}
  private int divisor(int mcus) {
    int most = 1;
    int down = 1;
    for (int i = 0; i < header.components() && header.components() > 1; i++) {
      most = Math.max(most, header.horizontalFactor(i));
      down = Math.max(down, header.verticalFactor(i));
    }
    int columns = Math.ceilDiv(header.width(), 8 * most);
    int wanted = mcus > 0 ? mcus : most * down == 1 ? 8 : 4;
    int best = columns;
    for (int i = 1; i <= columns; i++) {
      if (columns % i == 0 && distance(i, wanted) < distance(best, wanted)) {
        best = i;
      }
    }
    return best;
  }

  private static double distance(int a, int b) {
    return Math.abs(Math.log((double) a / b));
  }

  private void append(long at, long bytes) throws DecodeException {
    MemorySegment.copy(level.memory(), 0, out.ensureKeeping(at + bytes), at, bytes);
  }

  private MemorySegment storedTable(long at) throws DecodeException {
    long bytes = table.bytes();
    MemorySegment stored = tables.ensureKeeping(at + bytes).asSlice(at, bytes);
    table.write(stored);
    return stored;
  }

  /// Makes smaller copies and tiles the image itself.
  ///
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if it cannot have tiles
  void pyramid(MemorySegment jpeg, ImageInfo info, ImageDecoder decoder, int quality)
      throws DecodeException {
    MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(jpeg, info, rgb);
    List<Long> lengths = new ArrayList<>();
    List<Long> tableEnds = new ArrayList<>();
    long at = 0;
    long tableEnd = 0;
    for (JpegScale scale : Pyramid.LEVELS.reversed()) {
      int shorter = Math.min(scale.scaled(info.height()), scale.scaled(info.width()));
      if (shorter >= MIN_EDGE) {
        long bytes = pyramid.make(rgb, info.height(), info.width(), scale, quality, level, table);
        append(at, bytes);
        at += bytes;
        lengths.add(bytes);
        tableEnd += storedTable(tableEnd).byteSize();
        tableEnds.add(tableEnd);
      }
    }
    long bytes = tile(jpeg, 0, MetadataPolicy.KEEP_ALL, at);
    lengths.add(bytes);
    tableEnd += storedTable(tableEnd).byteSize();
    tableEnds.add(tableEnd);
    result = out.memory().asSlice(0, at + bytes);
    parts = new Parts(lengths, slices(tableEnds));
  }

  /// The tables, now that their memory grows no more.
  private List<MemorySegment> slices(List<Long> ends) {
    List<MemorySegment> slices = new ArrayList<>();
    long start = 0;
    for (long end : ends) {
      slices.add(tables.memory().asSlice(start, end - start));
      start = end;
    }
    return slices;
  }

  @Override
  public void close() {
    transcoder.close();
    tiler.close();
    packer.close();
    pyramid.close();
    sequential.close();
    out.close();
    level.close();
    tables.close();
    pixels.close();
  }
}
