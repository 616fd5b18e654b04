package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BAND_MASKS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.entropy.Corner;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.planes.BlockGroup;
import io.headrace.codec.jpeg.planes.Idct;
import io.headrace.codec.jpeg.tiles.TouchedTiles;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.natives.WarmKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Decodes packed pictures. One per worker.
///
/// Law: samples of planes are those of [BaselineDecoder] for the JPEG that was packed, or for a
/// sequential one of the same coefficients. Only tiles that a region shows are read, and at 4, 2
/// and 1 eighths only the bands that count. Pixels in colours are made by libjpeg-turbo, of the
/// JPEG rebuilt, or of one of the tiles that a part touches: exact, and slower.
public final class PackedDecoder implements PixelDecoder {
  /// Coefficients of a block, and a place for those that do not count.
  static final int ROOM = 64 + 8;

  private static final int MAX_COMPONENTS = 3;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final WarmKernel WARM =
      new WarmKernel("packed", 20, () -> WarmPacked.form(false), () -> WarmPacked.form(true));

  private final long maxPixels;
  private final MemoryBudget budget;
  private final PackedHeader header = new PackedHeader();
  private final TileReader tiles = new TileReader();
  private final Idct plainIdct = Idct.plain();
  private final Idct fastIdct = Idct.fastest();
  private final PackedRebuilder rebuilder = new PackedRebuilder();
  private final TouchedTiles touched = new TouchedTiles();
  private final int[] coefficients = new int[ROOM];
  private final @Nullable Boolean always;

  /// What takes sixteen blocks at once; empty where the CPU has no vectors for that.
  private final BlockGroup[] groups = BlockGroup.all();

  private final BlockReader plainBlocks = new BlockReader();
  private final BlockReader wideBlocks =
      groups.length == 0 ? plainBlocks : (BlockReader) vectors("VectorBlockReader");
  private final CoefficientBits plainBits = new CoefficientBits();
  private final CoefficientBits wideBits =
      groups.length == 0 ? plainBits : (CoefficientBits) vectors("VectorCoefficientBits");

  /// Factors in the order of the zigzag.
  private final short[][] zigzagFactors = new short[MAX_COMPONENTS][64];

  /// The largest one in each band.
  private final int[][] largestFactors = new int[MAX_COMPONENTS][PackedLayout.BANDS];
  private final int[] quantisation = new int[64];
  private final int[][] factors = new int[MAX_COMPONENTS][64];
  private final Block memory;
  private final Block rebuilt;
  private @Nullable JpegDecoder turbo;
  private BlockReader blocks = plainBlocks;

  /// Whether blocks are transformed in groups.
  private boolean grouping;
  private Idct idct = plainIdct;

  /// Samples that a block becomes, across and down.
  private int edge;

  private byte[] places = PackedLayout.NATURAL;

  /// @param budget for planes, and for JPEGs rebuilt
  /// @param maxPixels columns times rows that a picture may have
  public PackedDecoder(MemoryBudget budget, long maxPixels) {
    this(budget, maxPixels, null);
  }

  /// @param always whether vectors are used, ready or not; null to use them once they are
  PackedDecoder(MemoryBudget budget, long maxPixels, @Nullable Boolean always) {
    this.always = always;
    this.budget = budget;
    this.maxPixels = maxPixels;
    memory = new Block(budget);
    rebuilt = new Block(budget);
  }

  @Override
  public ImageInfo probe(MemorySegment packed) throws DecodeException {
    header.read(packed);
    JpegHeader jpeg = header.jpeg();
    ImageLimits.requirePixels("packed jpeg", jpeg.width(), jpeg.height(), maxPixels);
    ImageInfo info = jpeg.info();
    return new ImageInfo(
        ImageFormat.PACKED,
        info.width(),
        info.height(),
        info.channels(),
        info.bitDepth(),
        info.subsampling(),
        false,
        info.orientation());
  }

  /// {@return the header of the picture that was probed or decoded last}
  public PackedHeader header() {
    return header;
  }

  @Override
  public ImageEncoding like(int quality) {
    int estimate = header.jpeg().estimatedQuality();
    return new JpegEncoding(estimate > 0 ? estimate : quality);
  }

  /// Rebuilds the JPEG that was packed.
  ///
  /// @return it, valid until the next picture
  public MemorySegment jpeg(MemorySegment packed) throws DecodeException {
    long bytes = rebuilder.rebuild(packed, rebuilt);
    return rebuilt.memory().asSlice(0, bytes);
  }

  @Override
  public void decode(MemorySegment packed, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    decode(packed, info, JpegScale.FULL, rgb);
  }

  @Override
  public void decode(MemorySegment packed, ImageInfo info, JpegScale scale, MemorySegment rgb)
      throws DecodeException {
    MemorySegment jpeg = jpeg(packed);
    JpegDecoder decoder = turbo();
    decoder.decode(jpeg, decoder.probe(jpeg), scale, rgb);
  }

  @Override
  public boolean hasParts(ImageInfo info, boolean turned) {
    return !turned || info.orientation() == 1;
  }

  /// {@inheritDoc}
  ///
  /// A JPEG is made of the tiles that the part touches, which libjpeg-turbo decodes.
  @Override
  public @Nullable DecodedRegion decodePart(
      MemorySegment packed, ImageInfo info, Region part, Block window) throws DecodeException {
    header.read(packed);
    int tileHeight = 8 * header.mcuHeight() * header.tileRows();
    int tileWidth = 8 * header.mcuWidth() * header.tileColumns();
    touched.choose(info.height(), info.width(), tileHeight, tileWidth, part, JpegScale.FULL);
    double share = (double) touched.rows() * touched.columns();
    if (share > PixelDecoder.MAX_SHARE * header.tilesAcross() * header.tilesDown()) {
      return null;
    }
    int top = touched.row() * tileHeight;
    int left = touched.column() * tileWidth;
    int height = Math.min(touched.rows() * tileHeight, info.height() - top);
    int width = Math.min(touched.columns() * tileWidth, info.width() - left);
    long bytes = rebuilder.rebuild(packed, touched, height, width, rebuilt);
    MemorySegment jpeg = rebuilt.memory().asSlice(0, bytes);
    JpegDecoder decoder = turbo();
    MemorySegment rgb = window.ensure(3L * height * width);
    decoder.decode(jpeg, decoder.probe(jpeg), rgb);
    return new DecodedRegion(rgb, width, part.top() - top, part.left() - left, part);
  }

  private JpegDecoder turbo() {
    JpegDecoder decoder = turbo;
    if (decoder == null) {
      decoder = new JpegDecoder(budget, maxPixels);
      turbo = decoder;
    }
    return decoder;
  }

  /// Decodes the MCUs that show a region to luminance and chrominance.
  ///
  /// @param part in pixels of the picture at `scale`; one pixel around it is decoded too
  /// @param scale 8, 4, 2 or 1 eighths
  /// @param planes tells where they are, in memory of this decoder
  /// @return whether it could be done; if not, only [#decode] can tell
  /// @throws DecodeException if the picture is damaged, or the budget does not allow it
  public boolean decodePlanes(MemorySegment packed, Region part, JpegScale scale, Planes planes)
      throws DecodeException {
    header.read(packed);
    JpegHeader jpeg = header.jpeg();
    edge = scale.eighths();
    if (!jpeg.inPlanes() || (edge < 8 && Math.max(jpeg.width(), jpeg.height()) < 8)) {
      return false;
    }
    if (!prepare(jpeg)) {
      return false;
    }
    boolean vectors = always == null ? ready() : always;
    boolean wide = vectors && groups.length > 0;
    idct = vectors ? fastIdct : plainIdct;
    grouping = wide && edge == 8;
    blocks = wide ? wideBlocks : plainBlocks;
    tiles.use(wide ? wideBits : plainBits);
    tiles.open(packed, header, Math.min(header.bands(), bands(edge)));
    int column0 = Math.max(0, part.left() - 1) / (edge * header.across(0));
    int row0 = Math.max(0, part.top() - 1) / (edge * header.down(0));
    int column1 =
        Math.min(header.mcuColumns() - 1, (part.left() + part.width()) / (edge * header.across(0)));
    int row1 =
        Math.min(header.mcuRows() - 1, (part.top() + part.height()) / (edge * header.down(0)));
    int height = (row1 - row0 + 1) * header.down(0) * edge;
    int width = (column1 - column0 + 1) * header.across(0) * edge;
    planes.in(
        memory.ensure(
            planes.layOut(header.components(), header.across(0), header.down(0), height, width)));
    planes.startAt(row0 * header.down(0) * edge, column0 * header.across(0) * edge);
    for (int row = row0 / header.tileRows(); row <= row1 / header.tileRows(); row++) {
      int end = column1 / header.tileColumns();
      for (int column = column0 / header.tileColumns(); column <= end; column++) {
        tiles.read(row, column);
        if (!tile(row, column, row0, row1, column0, column1, planes)) {
          return false;
        }
      }
    }
    return finish(planes.memory());
  }

  /// Transforms blocks that are left in groups.
  private boolean finish(MemorySegment to) {
    boolean usual = true;
    for (BlockGroup group : groups) {
      usual &= group.finish(to);
    }
    return usual;
  }

  /// Reads the coefficients of a whole picture and leaves it at that, to see that they can be read
  /// or how long it takes.
  ///
  /// @throws DecodeException if the picture is damaged
  public void readCoefficients(MemorySegment packed) throws DecodeException {
    header.read(packed);
    boolean wide = (always == null ? ready() : always) && groups.length > 0;
    tiles.use(wide ? wideBits : plainBits);
    tiles.open(packed, header, header.bands());
    for (int row = 0; row < header.tilesDown(); row++) {
      for (int column = 0; column < header.tilesAcross(); column++) {
        tiles.read(row, column);
      }
    }
  }

  /// {@return whether vectors are used now, as soon as they are the faster; the first call makes
  ///     the JIT compile them}
  public static boolean ready() {
    if (!WARM.ready() && Idct.vectors()) {
      WARM.start();
    }
    return WARM.ready();
  }

  /// {@return an object of a class that needs vectors, which must not be linked without them}
  private static Object vectors(String name) {
    try {
      return Class.forName("io.headrace.codec.jpeg.packed." + name)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int bands(int edge) {
    return switch (edge) {
      case 8 -> 3;
      case 4 -> 2;
      case 2 -> 1;
      default -> 0;
    };
  }

  private boolean prepare(JpegHeader jpeg) {
    places =
        switch (edge) {
          case 4 -> Corner.OF_4.places();
          case 2 -> Corner.OF_2.places();
          default -> PackedLayout.NATURAL;
        };
    for (BlockGroup group : groups) {
      group.clear(); // of what a damaged picture may have left
    }
    Arrays.fill(coefficients, 0); // likewise
    for (int c = 0; c < header.components(); c++) {
      if (!jpeg.copyQuantisation(c, quantisation)) {
        return false;
      }
      switch (edge) {
        case 4 -> Corner.OF_4.pick(quantisation, factors[c]);
        case 2 -> Corner.OF_2.pick(quantisation, factors[c]);
        default -> {
          for (int k = 0; k < 64; k++) {
            factors[c][PackedLayout.NATURAL[k]] = quantisation[k];
            zigzagFactors[c][k] = (short) quantisation[k];
          }
          for (int band = 0; band < PackedLayout.BANDS; band++) {
            int most = 0;
            for (long left = BAND_MASKS[band]; left != 0; left &= left - 1) {
              most = Math.max(most, quantisation[Long.numberOfTrailingZeros(left) + 1]);
            }
            largestFactors[c][band] = most;
          }
        }
      }
    }
    return true;
  }

  /// Decodes the blocks of a tile that lie in a range of MCUs.
  private boolean tile(
      int tileRow, int tileColumn, int row0, int row1, int column0, int column1, Planes planes) {
    blocks.start(tiles);
    MemorySegment to = planes.memory();
    for (int c = 0; c < header.components(); c++) {
      if (c == 1) {
        blocks.second();
      }
      int across = header.across(c);
      int down = header.down(c);
      int top = tileRow * header.tileRows() * down;
      int left = tileColumn * header.tileColumns() * across;
      int bottom = top + header.rowsOf(tileRow) * down;
      int right = left + header.columnsOf(tileColumn) * across;
      int firstShown = Math.max(left, column0 * across);
      int afterShown = Math.min(right, (column1 + 1) * across);
      int stride = planes.stride(c);
      boolean grouped = grouping && fits(c);
      for (int y = top; y < bottom; y++) {
        boolean shown = y >= row0 * down && y < (row1 + 1) * down;
        int from = shown ? firstShown : right;
        int until = shown ? afterShown : right;
        skip(from - left);
        long at =
            planes.start(c)
                + (long) (y - row0 * down) * edge * stride
                + (long) (from - column0 * across) * edge;
        for (int x = from; x < until; x++) {
          boolean done = grouped ? grouped(c, to, at, stride) : block(factors[c], to, at, stride);
          if (!done) {
            return false;
          }
          at += edge;
        }
        skip(right - until);
      }
    }
    return true;
  }

  private void skip(int count) {
    if (edge == 1) {
      blocks.block += count;
      return;
    }
    blocks.skip(count);
  }

  /// {@return whether all coefficients of the tile, times a component's factors, fit 16 bits}
  private boolean fits(int c) {
    boolean fits = true;
    for (int band = 0; band < PackedLayout.BANDS; band++) {
      int largest = (1 << tiles.largest[band]) - 1;
      fits &= (long) largest * largestFactors[c][band] <= Short.MAX_VALUE;
    }
    return fits;
  }

  /// Adds a block to those that are transformed together.
  private boolean grouped(int c, MemorySegment to, long at, int stride) {
    int block = blocks.block++;
    long mask = tiles.masks[block];
    int mean = tiles.means[block] * factors[c][0];
    if (!BaselineDecoder.usual(mean)) {
      return false;
    }
    if (mask == 0) {
      flat(mean, to, at, stride);
      return true;
    }
    BlockGroup group = groups[mask >>> 24 != 0 ? 2 : mask >>> 9 != 0 ? 1 : 0];
    short[] zigzag = group.coefficients();
    int next = group.next();
    blocks.zigzag(mask, zigzagFactors[c], zigzag, next);
    zigzag[next] = (short) mean;
    return group.add(to, at, stride);
  }

  private static void flat(int mean, MemorySegment to, long at, int stride) {
    long samples = Idct.sample(mean) * 0x0101_0101_0101_0101L;
    for (int row = 0; row < 8; row++) {
      to.set(LONG, at + (long) row * stride, samples);
    }
  }

  private boolean block(int[] q, MemorySegment to, long at, int stride) {
    if (edge == 1) {
      int scaled = tiles.means[blocks.block++] * q[0];
      to.set(JAVA_BYTE, at, (byte) Idct.sample(scaled));
      return BaselineDecoder.usual(scaled);
    }
    int last = blocks.next(coefficients, places);
    int mean = coefficients[0] * q[0];
    if (edge == 8) {
      return BaselineDecoder.usual(mean) && idct.block(coefficients, q, last, to, at, stride);
    }
    idct.corner(coefficients, q, last == 0, edge, to, at, stride);
    return BaselineDecoder.usual(mean);
  }

  /// {@return pictures decoded in full although libjpeg-turbo warned}
  public long warnings() {
    return turbo == null ? 0 : turbo.warnings();
  }

  /// Makes sure that nothing in a picture is damaged: rebuilds the JPEG and checks what is known of
  /// it, then decodes it.
  ///
  /// @param rgb as [#decode(MemorySegment, ImageInfo, MemorySegment)] takes them
  public void verify(MemorySegment packed, MemorySegment rgb) throws DecodeException {
    MemorySegment jpeg = jpeg(packed);
    PackedHeader found = rebuilder.header();
    if (found.bands() == PackedLayout.BANDS) {
      int crc = crcOf(jpeg);
      if (jpeg.byteSize() != found.sourceBytes() || crc != found.sourceCrc()) {
        throw new DecodeException(
            Fault.CORRUPT,
            "packed jpeg: the JPEG rebuilt has %d bytes with CRC-32C %08x, expected %d with %08x"
                .formatted(jpeg.byteSize(), crc, found.sourceBytes(), found.sourceCrc()));
      }
    }
    JpegDecoder decoder = turbo();
    decoder.verify(jpeg, decoder.probe(jpeg), rgb);
  }

  private static int crcOf(MemorySegment bytes) {
    var crc = new CRC32C();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    memory.close();
    rebuilt.close();
    if (turbo != null) {
      turbo.close();
    }
  }
}
