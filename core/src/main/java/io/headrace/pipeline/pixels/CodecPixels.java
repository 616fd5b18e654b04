package io.headrace.pipeline.pixels;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Orientation;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.Region;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.packed.PackedDecoder;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledJpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Pixels decoded by the codecs.
public final class CodecPixels implements PixelSource {
  private static final JpegScale[] SCALES = new JpegScale[9];

  static {
    for (int eighths = 1; eighths <= 8; eighths++) {
      SCALES[eighths] = new JpegScale(eighths);
    }
  }

  /// {@return the scale of `eighths / 8`, always the same object}
  public static JpegScale scale(int eighths) {
    return SCALES[eighths];
  }

  private final MemoryBudget budget;
  private final boolean applyOrientation;
  private final ImageDecoder decoder;
  private final TileTable tiles = new TileTable();
  /// Whether [#tiles] came with the image.
  private boolean given;
  private final Block window;

  /// Planes of red, green and blue.
  private final Block colours;

  private final PlaneSplitter splitter = PlaneSplitter.fastest();
  /// Whether the image of the last [#hasParts] is in tiles.
  private boolean inTiles;

  private @Nullable BaselineDecoder baseline;
  private @Nullable TiledJpegDecoder tiled;

  public CodecPixels(MemoryBudget budget, boolean applyOrientation) {
    this.budget = budget;
    window = new Block(budget);
    colours = new Block(budget);
    this.applyOrientation = applyOrientation;
    decoder = new ImageDecoder(budget, ImageLimits.MAX_PIXELS, applyOrientation);
  }

  @Override
  public ImageInfo probe(MemorySegment encoded) throws DecodeException {
    return probe(encoded, MemorySegment.NULL);
  }

  @Override
  public ImageInfo probe(MemorySegment encoded, MemorySegment table) throws DecodeException {
    given = table.byteSize() > 0;
    ImageInfo info = decoder.probe(encoded);
    if (!given) {
      return info;
    }
    if (info.format() != ImageFormat.JPEG) {
      throw new DecodeException(
          Fault.MISMATCH, "a tile table beside %s".formatted(info.format().label()));
    }
    tiles.read(table);
    if (tiles.padding() == 0) {
      return info;
    }
    JpegHeader header = decoder.jpeg().header();
    boolean turned = applyOrientation && Orientation.swapsSides(header.orientation());
    return new ImageInfo(
        info.format(),
        turned ? tiles.height() : tiles.width(),
        turned ? tiles.width() : tiles.height(),
        info.channels(),
        info.bitDepth(),
        info.subsampling(),
        info.progressive(),
        info.orientation());
  }

  @Override
  public boolean shrinks(ImageInfo info) {
    return info.format() == ImageFormat.JPEG || info.format() == ImageFormat.PACKED;
  }

  @Override
  public void decode(MemorySegment encoded, ImageInfo info, int eighths, MemorySegment rgb)
      throws DecodeException {
    if (!given || tiles.padding() == 0) {
      decoder.decodeRgb(encoded, info, SCALES[eighths], rgb);
      return;
    }
    JpegScale scale = SCALES[eighths];
    int height = scale.scaled(tiles.height());
    int width = scale.scaled(tiles.width());
    DecodedRegion whole = tiles().decode(encoded, tiles, new Region(0, 0, height, width), scale);
    JpegHeader header = decoder.jpeg().header(encoded);
    if (applyOrientation && header.orientation() != 1) {
      MemorySegment stored = window.ensure(3L * height * width);
      whole.copyTo(stored);
      Orientation.apply(stored, width, height, header.orientation(), rgb);
    } else {
      whole.copyTo(rgb);
    }
  }

  @Override
  public boolean hasParts(MemorySegment encoded, ImageInfo info) throws DecodeException {
    if (info.format() != ImageFormat.JPEG) {
      return decoder.hasParts(info);
    }
    if (info.progressive()) {
      return false;
    }
    JpegHeader header = decoder.jpeg().header(encoded);
    inTiles = given || TileTable.tiled(encoded, header);
    return !applyOrientation || header.orientation() == 1; // parts lie as stored, not as shown
  }

  @Override
  public @Nullable DecodedRegion decodePart(
      MemorySegment encoded, ImageInfo info, int eighths, Region part) {
    if (info.format() != ImageFormat.JPEG) {
      return eighths == 8 ? decoder.decodePart(encoded, info, part, window) : null;
    }
    JpegScale scale = SCALES[eighths];
    double pixels = (double) scale.scaled(info.height()) * scale.scaled(info.width());
    if (!inTiles) {
      return decodeTop(encoded, info, scale, part);
    }
    if ((double) part.height() * part.width() > PixelDecoder.MAX_SHARE * pixels
        || !(given || tiles.scan(encoded, decoder.jpeg().header()))) {
      return null;
    }
    TiledJpegDecoder parts = tiles();
    if (parts.share(tiles, part, scale) > PixelDecoder.MAX_SHARE) {
      return null;
    }
    try {
      return parts.decode(encoded, tiles, part, scale);
    } catch (DecodeException e) {
      return null; // the whole says what is wrong, or is tolerated
    }
  }

  /// Decodes a JPEG down to the end of a part.
  private @Nullable DecodedRegion decodeTop(
      MemorySegment encoded, ImageInfo info, JpegScale scale, Region part) {
    int rows = part.top() + part.height();
    if (rows > PixelDecoder.MAX_SHARE * scale.scaled(info.height())) {
      return null;
    }
    try {
      MemorySegment rgb = decoder.jpeg().decodeTop(encoded, info, scale, rows, window);
      return rgb == null
          ? null
          : new DecodedRegion(rgb, scale.scaled(info.width()), part.top(), part.left(), part);
    } catch (DecodeException e) {
      return null; // the whole says what is wrong
    }
  }

  @Override
  public boolean hasPlanes(ImageInfo info) {
    return !shrinks(info) || info.channels() != 4;
  }

  @Override
  public boolean decodePlanes(
      MemorySegment encoded, ImageInfo info, int eighths, Region part, boolean whole, Planes planes)
      throws DecodeException {
    if (info.format() == ImageFormat.PACKED) {
      return packedPlanes(encoded, info, eighths, part, whole, planes);
    }
    if (info.format() != ImageFormat.JPEG) {
      return colourPlanes(encoded, info, part, whole, planes);
    }
    boolean parts = hasParts(encoded, info);
    JpegHeader header = decoder.jpeg().header(encoded);
    if (applyOrientation && header.orientation() != 1) {
      return false;
    }
    JpegScale scale = SCALES[eighths];
    int height = scale.scaled(info.height());
    try {
      if (!whole && parts) {
        TileTable table = inTiles && (given || tiles.scan(encoded, header)) ? tiles : null;
        boolean own = BaselineDecoder.differs(scale) || BaselineDecoder.pays();
        if ((own && baseline().decode(encoded, header, table, part, scale, planes))
            || (table != null && tiles().decodePlanes(encoded, table, part, scale, planes))) {
          return true;
        }
      }
      if (given && tiles.padding() > 0) {
        return false;
      }
      int rows = part.top() + part.height();
      int needed = whole || rows > PixelDecoder.MAX_SHARE * height ? height : rows;
      boolean decoded = decoder.jpeg().decodePlanes(encoded, info, scale, needed, planes);
      if (!decoded || !whole || !parts || !BaselineDecoder.differs(scale)) {
        return decoded;
      }
      // All of it is sound, so samples can be those that parts of it have.
      var all = new Region(0, 0, height, scale.scaled(info.width()));
      return baseline().decode(encoded, header, null, all, scale, planes)
          || decoder.jpeg().decodePlanes(encoded, info, scale, height, planes);
    } catch (DecodeException e) {
      return false; // the other way says what is wrong
    }
  }

  /// Decodes a packed JPEG to planes, or, if it is an unusual one, the JPEG that it was made from.
  private boolean packedPlanes(
      MemorySegment encoded, ImageInfo info, int eighths, Region part, boolean whole, Planes planes)
      throws DecodeException {
    PackedDecoder packed = decoder.packed();
    JpegScale scale = SCALES[eighths];
    try {
      boolean upright = packed.probe(encoded).orientation() == 1;
      if (applyOrientation && !upright) {
        return false;
      }
      Region shown =
          whole ? new Region(0, 0, scale.scaled(info.height()), scale.scaled(info.width())) : part;
      if (packed.decodePlanes(encoded, shown, scale, planes)) {
        return true;
      }
      MemorySegment jpeg = packed.jpeg(encoded);
      return decodePlanes(jpeg, decoder.probe(jpeg), eighths, part, whole, planes);
    } catch (DecodeException e) {
      return false; // the other way says what is wrong
    }
  }

  /// Decodes an image that is no JPEG to planes of red, green and blue.
  private boolean colourPlanes(
      MemorySegment encoded, ImageInfo info, Region part, boolean whole, Planes planes) {
    try {
      if (!whole && decoder.decodePlanes(encoded, info, part, planes, colours)) {
        return true;
      }
      DecodedRegion region =
          !whole && hasParts(encoded, info) ? decodePart(encoded, info, 8, part) : null;
      if (region == null) {
        MemorySegment rgb = window.ensure(info.rgbBytes());
        decoder.decodeRgb(encoded, info, SCALES[8], rgb);
        region = new DecodedRegion(rgb, info.width(), part.top(), part.left(), part);
      }
      splitter.split(region, planes, colours);
      return true;
    } catch (DecodeException e) {
      return false; // the other way says what is wrong
    }
  }

  private BaselineDecoder baseline() {
    BaselineDecoder decoder = baseline;
    if (decoder == null) {
      decoder = new BaselineDecoder(budget);
      baseline = decoder;
    }
    return decoder;
  }

  private TiledJpegDecoder tiles() {
    TiledJpegDecoder parts = tiled;
    if (parts == null) {
      parts = new TiledJpegDecoder(budget, ImageLimits.MAX_PIXELS);
      tiled = parts;
    }
    return parts;
  }

  /// {@return headers read so far, see [ImageDecoder#headersRead]}
  public long headersRead() {
    return decoder.headersRead();
  }

  @Override
  public long warnings() {
    TiledJpegDecoder parts = tiled;
    return decoder.warnings() + (parts == null ? 0 : parts.warnings());
  }

  @Override
  public void close() {
    decoder.close();
    window.close();
    colours.close();
    if (baseline != null) {
      baseline.close();
    }
    if (tiled != null) {
      tiled.close();
    }
  }
}
