package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;
import static io.headrace.codec.jpeg.packed.PackedLayout.HEAD;
import static io.headrace.codec.jpeg.packed.PackedLayout.U16;
import static io.headrace.codec.jpeg.packed.PackedLayout.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What a packed picture says before its first band, checked: a reusable holder.
public final class PackedHeader {
  /// Bands of a whole picture.
  public static final int MAX_BANDS = BANDS;

  /// Bytes that a race shard's reader puts after a picture that it has cut: an end marker.
  private static final int MARKER = 2;

  private final JpegHeader jpeg = new JpegHeader();
  private final long[] ends = new long[BANDS];
  private final int[] across = new int[4];
  private final int[] down = new int[4];
  private long jpegBytes;
  private long tableBytes;
  private long tailBytes;
  private int bands;
  private int flags;
  private long sourceBytes;
  private int sourceCrc;
  private int components;
  private int mcuWidth;
  private int mcuHeight;
  private int mcuColumns;
  private int mcuRows;
  private int tileColumns;
  private int tileRows;
  private int tilesAcross;
  private int tilesDown;

  /// An empty holder: only [#read] gives its accessors a meaning.
  public PackedHeader() {}

  /// Reads the header of a packed picture, whole or cut after a band.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] if it is no packed picture, [Fault#TRUNCATED] if
  ///     it ends within a band, [Fault#CORRUPT] if it contradicts itself, [Fault#UNSUPPORTED] if it
  ///     is of another version; as [JpegHeader#read] if the JPEG's header is damaged
  public void read(MemorySegment packed) throws DecodeException {
    long size = packed.byteSize();
    if (!ImageFormat.PACKED.equals(ImageFormat.detect(packed))) {
      throw new DecodeException(Fault.MISMATCH, "packed jpeg: does not begin with HRPJ");
    }
    need(size, HEAD);
    int version = packed.get(JAVA_BYTE, 4) & 0xff;
    if (version != PackedLayout.VERSION) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "packed jpeg: version %d, expected 1".formatted(version));
    }
    flags = packed.get(JAVA_BYTE, PackedLayout.FLAGS) & 0xff;
    tileColumns = packed.get(U16, PackedLayout.TILE_COLUMNS) & 0xffff;
    tileRows = packed.get(U16, PackedLayout.TILE_ROWS) & 0xffff;
    sourceBytes = u32(packed, PackedLayout.SOURCE_BYTES);
    sourceCrc = packed.get(U32, PackedLayout.SOURCE_CRC);
    jpegBytes = u32(packed, PackedLayout.HEADER_BYTES);
    tableBytes = u32(packed, PackedLayout.TABLE_BYTES);
    tailBytes = u32(packed, PackedLayout.TAIL_BYTES);
    if ((flags & ~(PackedLayout.EXACT | PackedLayout.STANDARD_TABLES)) != 0
        || packed.get(U16, PackedLayout.ZERO) != 0) {
      throw corrupt("unknown flags %02x".formatted(flags));
    }
    long before = HEAD + jpegBytes + tableBytes;
    for (int band = 0; band < BANDS; band++) {
      ends[band] = u32(packed, PackedLayout.BAND_ENDS + 4L * band);
      if (ends[band] < before) {
        throw corrupt("band %d ends at byte %d".formatted(band + 1, ends[band]));
      }
      before = ends[band];
    }
    countBands(size);
    jpeg.read(packed.asSlice(HEAD, jpegBytes));
    grid();
  }

  /// Counts the bands that are there.
  private void countBands(long size) throws DecodeException {
    long whole = ends[BANDS - 1] + tailBytes;
    bands = BANDS;
    if (size == whole) {
      return;
    }
    if (size > whole) {
      throw corrupt("%d bytes, expected %d".formatted(size, whole));
    }
    do {
      bands--;
    } while (bands > 0 && size != ends[bands - 1] && size != ends[bands - 1] + MARKER);
    if (bands == 0) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "packed jpeg: %d bytes, expected %d, or %d, %d or %d of the first bands"
              .formatted(size, whole, ends[0], ends[1], ends[2]));
    }
  }

  private void grid() throws DecodeException {
    components = jpeg.components();
    if (jpeg.progressive() || jpeg.arithmetic() || jpeg.bitDepth() != 8 || !jpeg.scansTogether()) {
      throw corrupt("the header is not one of a sequential JPEG of 8 bits in one scan");
    }
    int mostH = 1;
    int mostV = 1;
    int blocks = 0;
    for (int c = 0; c < components; c++) {
      across[c] = components == 1 ? 1 : jpeg.horizontalFactor(c);
      down[c] = components == 1 ? 1 : jpeg.verticalFactor(c);
      mostH = Math.max(mostH, across[c]);
      mostV = Math.max(mostV, down[c]);
      blocks += across[c] * down[c];
    }
    mcuWidth = mostH;
    mcuHeight = mostV;
    mcuColumns = Math.ceilDiv(jpeg.width(), 8 * mostH);
    mcuRows = Math.ceilDiv(jpeg.height(), 8 * mostV);
    if (blocks > ScanHeader.MAX_BLOCKS
        || Math.min(tileColumns, tileRows) < 1
        || Math.max(tileColumns, tileRows) > PackedTranscoder.MAX_TILE) {
      throw corrupt("tiles of %d x %d MCUs of %d blocks".formatted(tileColumns, tileRows, blocks));
    }
    tilesAcross = Math.ceilDiv(mcuColumns, tileColumns);
    tilesDown = Math.ceilDiv(mcuRows, tileRows);
    long inTile = (long) Math.min(tileColumns, mcuColumns) * Math.min(tileRows, mcuRows) * blocks;
    if (inTile > PackedLayout.MAX_BLOCKS) {
      throw corrupt(
          "tiles of %d blocks, at most %d are allowed".formatted(inTile, PackedLayout.MAX_BLOCKS));
    }
    for (int band = 0; band < bands; band++) {
      long least = (long) tilesAcross * tilesDown * PackedLayout.ENTRY;
      if (end(band) - start(band) < least) {
        throw corrupt(
            "band %d of %d bytes cannot have %d x %d tiles"
                .formatted(band + 1, end(band) - start(band), tilesAcross, tilesDown));
      }
    }
  }

  private static void need(long size, long bytes) throws DecodeException {
    if (size < bytes) {
      throw new DecodeException(
          Fault.TRUNCATED, "packed jpeg: %d bytes, the header alone has %d".formatted(size, bytes));
    }
  }

  static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "packed jpeg: " + what);
  }

  private static long u32(MemorySegment bytes, long at) {
    return bytes.get(U32, at) & 0xffff_ffffL;
  }

  /// {@return the header of the JPEG, of which [#jpegStart] is the beginning}
  public JpegHeader jpeg() {
    return jpeg;
  }

  /// {@return whether rebuilding gives the bytes of the file that was packed}
  public boolean exact() {
    return (flags & PackedLayout.EXACT) != 0;
  }

  /// {@return whether a picture of which the first band is there can be decoded smaller, as all
  ///     usual ones can: at 1/2 by the first two bands, at 1/4 and 1/8 by the first}
  public boolean shrinks(MemorySegment packed) {
    try {
      read(packed);
      return shrinks();
    } catch (DecodeException e) {
      return false; // whoever decodes it says what is wrong
    }
  }

  boolean shrinks() {
    return jpeg.inPlanes() && Math.max(jpeg.width(), jpeg.height()) >= 8;
  }

  boolean standardTables() {
    return (flags & PackedLayout.STANDARD_TABLES) != 0;
  }

  /// {@return bytes of the JPEG that rebuilding gives}
  public long sourceBytes() {
    return sourceBytes;
  }

  /// {@return CRC-32C of the JPEG that rebuilding gives}
  public int sourceCrc() {
    return sourceCrc;
  }

  /// {@return bands that are there: 1 to 3}
  public int bands() {
    return bands;
  }

  /// {@return bytes up to the end of a band; for the last one, of the whole picture}
  ///
  /// @param band from 0
  public long partEnd(int band) {
    return band == BANDS - 1 ? ends[band] + tailBytes : ends[band];
  }

  long start(int band) {
    return band == 0 ? HEAD + jpegBytes + tableBytes : ends[band - 1];
  }

  long end(int band) {
    return ends[band];
  }

  long jpegBytes() {
    return jpegBytes;
  }

  long tablesStart() {
    return HEAD + jpegBytes;
  }

  long tableBytes() {
    return tableBytes;
  }

  long tailBytes() {
    return tailBytes;
  }

  int components() {
    return components;
  }

  /// {@return blocks of a component in an MCU, across}
  int across(int component) {
    return across[component];
  }

  /// {@return blocks of a component in an MCU, down}
  int down(int component) {
    return down[component];
  }

  /// {@return blocks that an MCU is wide, of the component that has most}
  int mcuWidth() {
    return mcuWidth;
  }

  /// {@return blocks that an MCU is high, likewise}
  int mcuHeight() {
    return mcuHeight;
  }

  int mcuColumns() {
    return mcuColumns;
  }

  int mcuRows() {
    return mcuRows;
  }

  /// {@return MCUs of a tile, across}
  public int tileColumns() {
    return tileColumns;
  }

  /// {@return MCUs of a tile, down}
  public int tileRows() {
    return tileRows;
  }

  int tilesAcross() {
    return tilesAcross;
  }

  int tilesDown() {
    return tilesDown;
  }

  /// {@return MCUs that a tile has, across}
  ///
  /// @param column of the tile
  int columnsOf(int column) {
    return Math.min(tileColumns, mcuColumns - column * tileColumns);
  }

  /// {@return MCUs that a tile has, down}
  ///
  /// @param row of the tile
  int rowsOf(int row) {
    return Math.min(tileRows, mcuRows - row * tileRows);
  }
}
