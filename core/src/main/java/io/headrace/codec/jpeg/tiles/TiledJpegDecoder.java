package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes a region of a JPEG from the tiles it touches, and from nothing else. One per worker.
///
/// Law: for every scale and every region of the scaled image, the pixels are those that
/// [JpegDecoder] decodes of the whole picture at that scale, cut to the region, bit for bit. The
/// picture is the one without the padding that a [TileTable] tells of.
///
/// Why it holds: tiles depend on each other only where chroma is upsampled, by one sample to each
/// side. So the region is widened by one pixel of the scaled image before tiles are chosen, and
/// where tiles reach the right or lower edge, the new header ends where the picture does. Tiles are
/// whole blocks, so they start at whole pixels of any scale.
///
/// Damage in tiles that are not touched goes unnoticed.
public final class TiledJpegDecoder implements AutoCloseable {
  private final MemoryBudget budget;
  private final long maxPixels;
  private final JpegDecoder decoder;
  private final TileSplicer assembly;
  private final Block pixels;

  /// For the last column of padded pictures: it leaves padding undecoded, which makes warnings.
  private @Nullable JpegDecoder edge;

  private @Nullable Block edgePixels;

  private final TouchedTiles touched = new TouchedTiles();

  /// Tiles chosen: first and number.
  private int row;

  private int rows;
  private int column;
  private int columns;

  /// A decoder with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  ///
  /// @throws ConfigException if libturbojpeg is missing
  public TiledJpegDecoder() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for the assembled JPEG and its pixels
  /// @param maxPixels columns times rows that the touched tiles may have
  /// @throws ConfigException if libturbojpeg is missing
  public TiledJpegDecoder(MemoryBudget budget, long maxPixels) {
    this.budget = budget;
    this.maxPixels = maxPixels;
    decoder = new JpegDecoder(budget, maxPixels);
    assembly = new TileSplicer(budget);
    pixels = new Block(budget);
  }

  /// Decodes a region and copies it; see [#decode(MemorySegment, TileTable, Region, JpegScale)].
  ///
  /// @param rgb uint8 [region's height, region's width, 3], at least [Region#rgbBytes] bytes
  public void decode(
      MemorySegment jpeg, TileTable tiles, Region region, JpegScale scale, MemorySegment rgb)
      throws DecodeException {
    if (rgb.byteSize() < region.rgbBytes()) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d".formatted(region.rgbBytes(), rgb.byteSize()));
    }
    decode(jpeg, tiles, region, scale).copyTo(rgb);
  }

  /// Decodes a region.
  ///
  /// @param jpeg one whole JPEG stream, off heap
  /// @param tiles its table
  /// @param region in pixels of the image at `scale`; see [Region#at]
  /// @param scale of the result
  /// @return the region's pixels, inside of those of the tiles
  /// @throws DecodeException with [Fault#MISMATCH] if the table is not that of the JPEG,
  ///     [Fault#LIMIT] if there are too many pixels or the budget does not allow them; else as
  ///     [JpegDecoder#decode(MemorySegment, ImageInfo, JpegScale, MemorySegment)] of the tiles
  /// @throws IndexOutOfBoundsException if the region is not within the image
  public DecodedRegion decode(MemorySegment jpeg, TileTable tiles, Region region, JpegScale scale)
      throws DecodeException {
    region.requireWithin(scale.scaled(tiles.height()), scale.scaled(tiles.width()));
    choose(tiles, region, scale);
    int height = Math.min(rows * tiles.tileHeight(), tiles.height() - row * tiles.tileHeight());
    int width = partWidth(tiles);
    int padding = column + columns == tiles.across() ? tiles.padding() : 0;
    MemorySegment part =
        assembly.assemble(jpeg, tiles, row, rows, column, columns, height, width, tiles.interval());
    MemorySegment rgb = decode(decoder, part, height, width, scale, pixels);
    int stride = scale.scaled(width);
    int left = region.left() - column * scale.scaled(tiles.tileWidth());
    int top = region.top() - row * scale.scaled(tiles.tileHeight());
    int end = scale.scaled(tiles.width());
    if (padding > 0 && end % 2 == 0 && region.left() + region.width() == end) {
      repairEdge(jpeg, tiles, scale, height, rgb, stride, left + region.width() - 1);
    }
    return new DecodedRegion(rgb, stride, top, left, region);
  }

  /// Decodes luminance and chrominance of the tiles that a region touches; see
  /// [JpegDecoder#decodePlanes].
  ///
  /// Padding may be decoded beside the picture: its width says where that ends.
  ///
  /// @param region in pixels of the image at `scale`
  /// @param planes tells where they are, in memory of this decoder
  /// @return whether it could be done; if not, only
  ///     [#decode(MemorySegment, TileTable, Region, JpegScale)] can tell
  /// @throws DecodeException as that
  /// @throws IndexOutOfBoundsException if the region is not within the image
  public boolean decodePlanes(
      MemorySegment jpeg, TileTable tiles, Region region, JpegScale scale, Planes planes)
      throws DecodeException {
    region.requireWithin(scale.scaled(tiles.height()), scale.scaled(tiles.width()));
    choose(tiles, region, scale);
    int height = Math.min(rows * tiles.tileHeight(), tiles.height() - row * tiles.tileHeight());
    int width = partWidth(tiles);
    MemorySegment part =
        assembly.assemble(jpeg, tiles, row, rows, column, columns, height, width, tiles.interval());
    var info = new ImageInfo(ImageFormat.JPEG, width, height, 3, 8, null, false, 1);
    if (!decoder.decodePlanes(part, info, scale, scale.scaled(height), planes)) {
      return false;
    }
    planes.startAt(
        row * scale.scaled(tiles.tileHeight()), column * scale.scaled(tiles.tileWidth()));
    return true;
  }

  /// {@return columns of the tiles chosen, as the new header says them}
  private int partWidth(TileTable tiles) {
    int width = columns * tiles.tileWidth();
    if (column + columns < tiles.across() || tiles.padding() == 0) {
      return Math.min(width, tiles.width() - column * tiles.tileWidth());
    }
    return width - (tiles.mcuWidth() - 1); // as narrow as the MCUs allow: sides are limited
  }

  private static MemorySegment decode(
      JpegDecoder decoder, MemorySegment jpeg, int height, int width, JpegScale scale, Block block)
      throws DecodeException {
    var info = new ImageInfo(ImageFormat.JPEG, width, height, 3, 8, null, false, 1);
    MemorySegment rgb = block.ensure(scale.rgbBytes(info));
    decoder.decode(jpeg, info, scale, rgb);
    return rgb;
  }

  private void choose(TileTable tiles, Region region, JpegScale scale) {
    touched.choose(
        tiles.height(), tiles.width(), tiles.tileHeight(), tiles.tileWidth(), region, scale);
    row = touched.row();
    rows = touched.rows();
    column = touched.column();
    columns = touched.columns();
  }

  /// {@return share of the tiles that [#decode] would touch, 0 to 1}
  ///
  /// @param region in pixels of the image at `scale`
  public double share(TileTable tiles, Region region, JpegScale scale) {
    choose(tiles, region, scale);
    return (double) rows * columns / ((double) tiles.across() * tiles.down());
  }

  /// Makes the picture's last column what it is without padding after it, where chroma would have
  /// been mixed with the padding's: decodes the last tiles again, less their padding. Only every
  /// second column takes chroma from its right.
  private void repairEdge(
      MemorySegment jpeg,
      TileTable tiles,
      JpegScale scale,
      int height,
      MemorySegment rgb,
      int stride,
      int x)
      throws DecodeException {
    JpegDecoder decoder = edge;
    Block block = edgePixels;
    if (decoder == null || block == null) {
      decoder = new JpegDecoder(budget, maxPixels, true);
      edge = decoder;
      block = new Block(budget);
      edgePixels = block;
    }
    int column = tiles.across() - 1;
    int width = tiles.width() - column * tiles.tileWidth();
    int interval = tiles.interval() - tiles.padding();
    MemorySegment part =
        assembly.assemble(jpeg, tiles, row, rows, column, 1, height, width, interval);
    MemorySegment strip = decode(decoder, part, height, width, scale, block);
    int stripStride = scale.scaled(width);
    for (int y = 0; y < scale.scaled(height); y++) {
      long from = 3L * ((long) (y + 1) * stripStride - 1);
      MemorySegment.copy(strip, JAVA_BYTE, from, rgb, JAVA_BYTE, 3 * ((long) y * stride + x), 3);
    }
  }

  /// {@return regions decoded in full although libjpeg-turbo warned; see [JpegDecoder]}
  public long warnings() {
    return decoder.warnings();
  }

  @Override
  public void close() {
    decoder.close();
    assembly.close();
    pixels.close();
    if (edge != null) {
      edge.close();
    }
    if (edgePixels != null) {
      edgePixels.close();
    }
  }
}
