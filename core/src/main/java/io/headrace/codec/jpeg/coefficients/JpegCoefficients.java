package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;
import static io.headrace.codec.jpeg.Markers.truncated;
import static io.headrace.codec.jpeg.Markers.unsupported;

import io.headrace.codec.ImageLimits;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.EntropyTables;
import io.headrace.codec.jpeg.entropy.PlainBlocks;
import io.headrace.codec.jpeg.entropy.PlainHeader;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The quantised DCT coefficients of a JPEG, with what a file needs around them: all that is lost
/// or kept when one is rewritten.
///
/// Reads 8-bit Huffman-coded pictures, sequential (SOF0, SOF1) and progressive (SOF2), of one to
/// four components with any sampling, in any division into scans, with or without restarts. Each
/// component has its blocks in rows. Source: ITU-T T.81.
///
/// Strict: a stream that ends early or is damaged fails, as does all that `JpegDecoder` refuses.
/// Bytes left over in a scan are damage, too, except between its last block and the end marker;
/// those between segments are not. One per worker; reading anew reuses all memory.
public final class JpegCoefficients implements AutoCloseable {
  /// Scans of the largest permitted picture, as `JpegDecoder` bounds them: smaller may have more.
  private static final long SCANS = 32;

  /// Scans of any picture.
  private static final int MAX_SCANS = 500;

  private final JpegHeader header = new JpegHeader();
  private final EntropyTables tables = new EntropyTables();
  private final ScanHeader scan = new ScanHeader();
  private final ScanReader reader = new ScanReader();
  private final PlainBlocks plain = new PlainBlocks();
  private final PlainHeader plainHeader = new PlainHeader();
  private final JpegHeader made = new JpegHeader();
  private final boolean fast;
  private final MarkerSegments segments = new MarkerSegments();
  private final JpegComponent[] all = new JpegComponent[4];

  /// Lowest bit known of each coefficient of each component; -1 where nothing is.
  private final int[][] known = new int[4][Blocks.SIZE];

  private final BlockRows rows;

  /// What scans are read into, one after the other: a plane of all blocks for each component. Not
  /// used for usual pictures.
  private final Block block;

  private final long maxPixels;
  private MemorySegment planes = MemorySegment.NULL;

  /// A row of blocks as it is taken from the planes, and all its coefficients.
  private final BlockRow taken = new BlockRow();

  private short[] coefficients = new short[0];

  /// Blocks that were asked for: their row, and the first of them.
  private BlockRow asked = taken;

  private int firstAsked;
  private long bytes;
  private boolean framed;
  private boolean whole;

  /// Whether [#planes] are in use.
  private boolean planar;

  private int mcuColumns;
  private int mcuRows;
  private int scans;
  private long trailing;

  /// An empty picture with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  public JpegCoefficients() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for the coefficients: 8 bytes a block, and 2 for each that is not 0; of several
  ///     scans also 2 bytes for each, 3 to 6 bytes a pixel of colour
  /// @param maxPixels columns times rows that a picture may have
  public JpegCoefficients(MemoryBudget budget, long maxPixels) {
    this(budget, maxPixels, true);
  }

  /// @param fast whether usual pictures are read by [PlainBlocks], which says nothing of others
  JpegCoefficients(MemoryBudget budget, long maxPixels, boolean fast) {
    this.fast = fast;
    block = new Block(budget);
    rows = new BlockRows(budget);
    this.maxPixels = maxPixels;
    Arrays.setAll(all, _ -> new JpegComponent());
  }

  /// Reads one picture; the one before is gone, even if this fails.
  ///
  /// @param jpeg one whole JPEG stream; [#segment] gives slices of it
  /// @throws DecodeException with [Fault#MISMATCH] if it is no JPEG, [Fault#UNSUPPORTED] if it is
  ///     arithmetic, lossless, hierarchical, of 12 bits or gives its height after the scan,
  ///     [Fault#LIMIT] if it is too large, [Fault#TRUNCATED] if it ends early, [Fault#CORRUPT] if
  ///     it is damaged
  public void read(MemorySegment jpeg) throws DecodeException {
    read(jpeg, null);
    if (planar) {
      takeRows();
    }
    whole = true;
  }

  /// Reads a JPEG to see that it holds another picture. No picture is left here.
  ///
  /// @param proof has taken up that picture
  /// @return whether it is a progressive one that does, in the sense of [#sameAs]; false also if
  ///     only that can tell
  boolean holds(MemorySegment jpeg, JpegCoefficients picture, ScanProof proof) {
    try {
      read(jpeg, proof);
    } catch (DecodeException e) {
      return false;
    }
    return width() == picture.width() && picture.fits(this) && complete() && proof.complete();
  }

  private void read(MemorySegment jpeg, @Nullable ScanProof proof) throws DecodeException {
    framed = false;
    whole = false;
    planar = false;
    scans = 0;
    tables.clear();
    segments.clear(jpeg);
    for (int[] bits : known) {
      Arrays.fill(bits, -1);
    }
    header.read(jpeg);
    requireReadable();
    long at = 2;
    while (true) {
      at = Markers.next(jpeg, at);
      int marker = u8(jpeg, at++);
      if (marker == Markers.EOI) {
        break;
      }
      if (marker == Markers.SOI) {
        throw corrupt("second start of image", at - 2);
      }
      if (!Markers.alone(marker)) {
        long end = Markers.end(jpeg, marker, at);
        at =
            marker == Markers.SOS ? scan(jpeg, at + 2, end, proof) : segment(jpeg, marker, at, end);
      }
    }
    trailing = jpeg.byteSize() - at;
    for (int c = 0; c < components(); c++) {
      if (!progressive() && known[c][0] < 0) {
        throw corrupt("no scan of component %d".formatted(all[c].id()), at);
      }
    }
  }

  /// Keeps what was read into planes.
  private void takeRows() throws DecodeException {
    rows.clear();
    for (int c = 0; c < components(); c++) {
      int count = all[c].stride();
      if (coefficients.length < Blocks.SIZE * count) {
        coefficients = new short[Blocks.SIZE * count];
      }
      for (int row = 0; row < all[c].paddedRows(); row++) {
        Blocks.take(planes, all[c].block(row, 0), count, taken, coefficients);
        rows.add(c, taken);
      }
    }
  }

  /// @throws IllegalStateException if there is no picture
  void requireWhole() {
    if (!whole) {
      throw new IllegalStateException("no JPEG has been read, or the last one failed");
    }
  }

  private void requireReadable() throws DecodeException {
    if (header.arithmetic()) {
      throw unsupported("arithmetic coding cannot be rewritten");
    }
    if (header.bitDepth() != 8) {
      throw unsupported("%d bits a sample, expected 8".formatted(header.bitDepth()));
    }
    long pixels = (long) width() * height();
    if (pixels > maxPixels) {
      throw new DecodeException(
          Fault.LIMIT,
          "jpeg: %d x %d is %d pixels, over the limit of %d"
              .formatted(width(), height(), pixels, maxPixels));
    }
  }

  private long segment(MemorySegment jpeg, int marker, long at, long end) throws DecodeException {
    switch (marker) {
      case Markers.DQT -> tables.readQuantisation(jpeg, at + 2, end);
      case Markers.DHT -> tables.readHuffman(jpeg, at + 2, end);
      case Markers.DAC -> EntropyTables.checkConditioning(jpeg, at + 2, end);
      case Markers.DRI -> tables.readRestartInterval(jpeg, at + 2, end);
      default -> {
        if (Markers.frame(marker)) {
          frame(jpeg, at + 2, end);
        } else if (Markers.application(marker)) {
          segments.add(marker, at + 2, end, scans > 0);
        } else if (!Markers.known(marker)) {
          throw corrupt("marker %02x, which no decoder knows".formatted(marker), at - 2);
        }
      }
    }
    return end;
  }

  /// Lays the planes out. [JpegHeader] has checked the frame header, if it is the first.
  private void frame(MemorySegment jpeg, long start, long end) throws DecodeException {
    if (framed) {
      throw corrupt("second frame header", start);
    }
    framed = true;
    int mostH = 1;
    int mostV = 1;
    for (int c = 0; c < components(); c++) {
      mostH = Math.max(mostH, header.horizontalFactor(c));
      mostV = Math.max(mostV, header.verticalFactor(c));
    }
    mcuColumns = Math.ceilDiv(width(), 8 * mostH);
    mcuRows = Math.ceilDiv(height(), 8 * mostV);
    bytes = 0;
    for (int c = 0; c < components(); c++) {
      long at = start + 6 + 3L * c;
      all[c].set(
          u8(jpeg, at), header.horizontalFactor(c), header.verticalFactor(c), u8(jpeg, at + 2));
      bytes = all[c].layOut(width(), height(), mostH, mostV, bytes);
    }
    long least = (long) all[0].columns() * all[0].rows() / 8; // a bit for each block
    if (least > jpeg.byteSize() - end) {
      throw truncated(
          "%d x %d pixels take at least %d bytes, the data ends after %d"
              .formatted(width(), height(), least, jpeg.byteSize()));
    }
  }

  private long scan(MemorySegment jpeg, long start, long end, @Nullable ScanProof proof)
      throws DecodeException {
    if (!framed) {
      throw corrupt("scan before the frame header", start);
    }
    scans++;
    long pixels = (long) width() * height();
    if (scans > MAX_SCANS || scans * pixels > SCANS * maxPixels) {
      throw new DecodeException(
          Fault.LIMIT,
          "jpeg: more than %d scans of %d x %d pixels".formatted(scans - 1, width(), height()));
    }
    scan.read(header, jpeg, start, end);
    requireTables(start);
    for (int i = 0; i < scan.count(); i++) {
      advance(scan.component(i), start);
    }
    if (proof != null) {
      long marker = progressive() ? proof.read(scan, tables, jpeg, end) : -1;
      if (marker < 0) {
        throw corrupt("scan %d is of another picture".formatted(scans), end);
      }
      return marker;
    }
    if (fast && scans == 1 && plain.open(jpeg, header) && plain.scan().start() == end) {
      rows.clear();
      if (plain(jpeg, mcuColumns, true)) {
        return jpeg.byteSize() - 2;
      }
    }
    if (scans == 1) {
      planar = true;
      planes = block.ensure(bytes + Blocks.BYTES);
      planes.asSlice(0, bytes).fill((byte) 0);
    }
    return reader.read(this, scan, tables, jpeg, end);
  }

  /// Reads the blocks of a usual picture, or compares them with those that are there.
  ///
  /// @param mcus in a row
  /// @return whether they are sound, and what is there
  private boolean plain(MemorySegment jpeg, int mcus, boolean put) throws DecodeException {
    for (int mcuRow = 0; mcuRow < mcuRows; mcuRow++) {
      if (!plain.row(mcus)) {
        return false;
      }
      for (int c = 0; c < components(); c++) {
        for (int y = 0; y < all[c].verticalFactor(); y++) {
          int row = mcuRow * all[c].verticalFactor() + y;
          if (put) {
            rows.add(c, plain.blocks(c, y));
          } else if (row < all[c].rows()
              && !rows.row(c, row).same(plain.blocks(c, y), all[c].columns())) {
            return false;
          }
        }
      }
    }
    return plain.finished(jpeg);
  }

  /// {@return whether a usual JPEG has all of this picture, as [#isIn(JpegCoefficients)] says;
  ///     false also if only that can tell}
  boolean isIn(MemorySegment jpeg) throws DecodeException {
    if (!plainHeader.read(jpeg, made)
        || made.height() != height()
        || made.width() < width()
        || made.components() != components()
        || !plain.open(jpeg, made)) {
      return false;
    }
    for (int c = 0; c < components(); c++) {
      if (!all[c].is(made, c, plain.scan().quantisation[c])) {
        return false;
      }
    }
    return plain(jpeg, Math.ceilDiv(made.width(), 8 * plain.scan().columns[0]), false);
  }

  private void requireTables(long at) throws DecodeException {
    boolean sequential = !progressive();
    for (int i = 0; i < scan.count(); i++) {
      JpegComponent component = all[scan.component(i)];
      if (!component.latched()) {
        tables.requireQuantisation(component.quantisationSlot(), at);
        component.latch(tables.quantisation(component.quantisationSlot()));
      }
      if (sequential || (scan.first() == 0 && scan.high() == 0)) {
        tables.requireHuffman(0, scan.dcTable(i), sequential, at);
      }
      if (sequential || scan.first() > 0) {
        tables.requireHuffman(1, scan.acTable(i), sequential, at);
      }
    }
  }

  /// Notes which bits the scan brings, and refuses those that are out of turn.
  private void advance(int component, long at) throws DecodeException {
    int[] bits = known[component];
    boolean ordered = scan.first() == 0 || bits[0] >= 0;
    if (!progressive()) {
      ordered = bits[0] < 0;
    }
    for (int k = scan.first(); k <= scan.last(); k++) {
      ordered &= scan.high() == Math.max(0, bits[k]);
      bits[k] = scan.low();
    }
    if (!ordered) {
      throw corrupt(
          "scan %d brings bits of component %d out of turn".formatted(scans, all[component].id()),
          at);
    }
  }

  /// {@return whether every coefficient is known to its last bit: not so of a progressive picture
  ///     that lacks scans, which some decoders smooth}
  public boolean complete() {
    for (int c = 0; c < components(); c++) {
      for (int bit : known[c]) {
        if (bit != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// {@return whether both have the same size, components, quantisation and coefficients; blocks
  ///     that only pad the picture do not count}
  public boolean sameAs(JpegCoefficients other) {
    return width() == other.width() && isIn(other);
  }

  /// {@return whether the other has all of this picture in the same sense, and maybe more columns}
  boolean isIn(JpegCoefficients other) {
    if (!fits(other)) {
      return false;
    }
    for (int c = 0; c < components(); c++) {
      for (int row = 0; row < all[c].rows(); row++) {
        if (!rows.row(c, row).same(other.rows.row(c, row), all[c].columns())) {
          return false;
        }
      }
    }
    return true;
  }

  /// {@return whether the other has the same header, and maybe more columns}
  private boolean fits(JpegCoefficients other) {
    boolean fits =
        height() == other.height()
            && width() <= other.width()
            && components() == other.components();
    for (int c = 0; c < components() && fits; c++) {
      fits = all[c].fits(other.all[c]);
    }
    return fits;
  }

  /// {@return columns, in pixels}
  public int width() {
    return header.width();
  }

  /// {@return rows, in pixels}
  public int height() {
    return header.height();
  }

  /// {@return components, 1 to 4}
  public int components() {
    return header.components();
  }

  /// {@return a component, in the order of the frame header}
  public JpegComponent component(int index) {
    return all[index];
  }

  /// {@return the header of the file read}
  public JpegHeader header() {
    return header;
  }

  /// {@return whether the file read was progressive}
  public boolean progressive() {
    return header.progressive();
  }

  /// {@return scans of the file read}
  public int scans() {
    return scans;
  }

  /// {@return bytes after the end marker of the file read, of which nothing is kept}
  public long trailingBytes() {
    return trailing;
  }

  /// {@return the `k`-th coefficient of the zigzag of one block}
  public short coefficient(int component, int row, int column, int k) {
    return rows.row(component, row).value(column, k);
  }

  /// Gets some blocks of a row for [#nonzero]. There may be some that only pad the picture.
  public void ready(int component, int row, int first) {
    asked = rows.row(component, row);
    firstAsked = first;
  }

  /// Copies the coefficients of a block that are not 0, but for the first.
  ///
  /// @param index of the block among those that are [#ready]
  /// @param to takes them in the order of the zigzag, 63 at most
  /// @return which they are: bit `k` - 1 for the `k`-th of the zigzag
  public long nonzero(int index, short[] to) {
    int block = firstAsked + index;
    int start = asked.starts[block] + 1;
    System.arraycopy(asked.values, start, to, 0, asked.starts[block + 1] - start);
    return asked.masks[block] >>> 1;
  }

  /// {@return columns of MCUs where all components are interleaved}
  public int mcuColumns() {
    return mcuColumns;
  }

  /// {@return rows of MCUs where all components are interleaved}
  public int mcuRows() {
    return mcuRows;
  }

  /// {@return segments APP0 to APP15 and COM}
  public int segments() {
    return segments.count();
  }

  /// {@return second byte of a segment's marker: e0 to ef, or fe}
  public int segmentMarker(int index) {
    return segments.marker(index);
  }

  /// {@return content of a segment without marker and length, a slice of the stream read}
  public MemorySegment segment(int index) {
    return segments.content(index);
  }

  MarkerSegments markerSegments() {
    return segments;
  }

  /// {@return a component's row of blocks, with those that only pad the picture, until another is
  ///     asked for that is a multiple of four away}
  public BlockRow row(int component, int row) {
    return rows.row(component, row);
  }

  MemorySegment planes() {
    return planes;
  }

  /// {@return offset in [#planes] of a block that is no part of the picture}
  long scratch() {
    return bytes;
  }

  @Override
  public void close() {
    rows.close();
    block.close();
  }
}
