package io.headrace.codec.jpeg.packed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

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
import io.headrace.codec.jpeg.planes.BlockPairs;
import io.headrace.codec.jpeg.planes.Idct;
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
/// JPEG rebuilt: exact, and slower.
public final class PackedDecoder implements PixelDecoder {
  /// Coefficients of a block, and a place for those that do not count.
  static final int ROOM = 64 + 8;

  private static final int MAX_COMPONENTS = 3;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Places of each coefficient of the zigzag where two blocks lie side by side.
  static final byte[] FIRST_OF_TWO = new byte[64];

  static final byte[] SECOND_OF_TWO = new byte[64];

  static {
    for (int k = 0; k < 64; k++) {
      int place = PackedLayout.NATURAL[k];
      FIRST_OF_TWO[k] = (byte) (place / 8 * BlockPairs.ROW + place % 8);
      SECOND_OF_TWO[k] = (byte) (FIRST_OF_TWO[k] + 8);
    }
  }

  private static final WarmKernel WARM =
      new WarmKernel("packed", 20, () -> WarmPacked.form(false), () -> WarmPacked.form(true));

  private final long maxPixels;
  private final MemoryBudget budget;
  private final PackedHeader header = new PackedHeader();
  private final TileReader tiles = new TileReader();
  private final Idct plainIdct = Idct.plain();
  private final Idct fastIdct = Idct.fastest();
  private final PackedRebuilder rebuilder = new PackedRebuilder();
  private final int[] coefficients = new int[ROOM];
  private final @Nullable Boolean always;

  /// What takes two blocks at once; null where the CPU has no vectors for that.
  private final @Nullable BlockPairs wide = BlockPairs.fastest();

  private final BlockReader plainBlocks = new BlockReader();
  private final BlockReader wideBlocks =
      wide == null ? plainBlocks : (BlockReader) vectors("VectorBlockReader");
  private final CoefficientBits plainBits = new CoefficientBits();
  private final CoefficientBits wideBits =
      wide == null ? plainBits : (CoefficientBits) vectors("VectorCoefficientBits");
  private final int[] twoBlocks = new int[2 * ROOM];
  private final int[][] pairFactors = new int[MAX_COMPONENTS][128];
  private final int[] quantisation = new int[64];
  private final int[][] factors = new int[MAX_COMPONENTS][64];
  private final Block memory;
  private final Block rebuilt;
  private @Nullable JpegDecoder turbo;
  private BlockReader blocks = plainBlocks;
  private @Nullable BlockPairs pairs;
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
    boolean two = vectors && wide != null;
    idct = vectors ? fastIdct : plainIdct;
    pairs = two && edge == 8 ? wide : null;
    blocks = two ? wideBlocks : plainBlocks;
    tiles.use(two ? wideBits : plainBits);
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
    return true;
  }

  /// {@return whether vectors are faster now; the first call makes the JIT compile them}
  private static boolean ready() {
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
    Arrays.fill(twoBlocks, 0);
    Arrays.fill(coefficients, 0); // what a damaged picture may have left
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
            pairFactors[c][FIRST_OF_TWO[k]] = quantisation[k];
            pairFactors[c][SECOND_OF_TWO[k]] = quantisation[k];
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
    BlockPairs pairs = this.pairs;
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
      for (int y = top; y < bottom; y++) {
        boolean shown = y >= row0 * down && y < (row1 + 1) * down;
        int from = shown ? firstShown : right;
        int until = shown ? afterShown : right;
        skip(from - left);
        long at =
            planes.start(c)
                + (long) (y - row0 * down) * edge * stride
                + (long) (from - column0 * across) * edge;
        int x = from;
        for (; pairs != null && x + 1 < until; x += 2) {
          if (!pair(pairs, c, to, at, stride)) {
            return false;
          }
          at += 2L * edge;
        }
        for (; x < until; x++) {
          if (!block(factors[c], to, at, stride)) {
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

  /// Decodes two blocks that lie side by side.
  private boolean pair(BlockPairs pairs, int c, MemorySegment to, long at, int stride) {
    int[] q = pairFactors[c];
    boolean flat = !blocks.two(twoBlocks);
    int first = twoBlocks[0] * q[0];
    int second = twoBlocks[8] * q[0];
    if (flat) {
      flat(first, to, at, stride);
      flat(second, to, at + edge, stride);
      twoBlocks[0] = 0;
      twoBlocks[8] = 0;
      return BaselineDecoder.usual(first) && BaselineDecoder.usual(second);
    }
    return BaselineDecoder.usual(first)
        && BaselineDecoder.usual(second)
        && pairs.pair(twoBlocks, q, to, at, stride);
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
