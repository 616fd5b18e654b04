package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Where the restart segments of a baseline JPEG lie: its tiles, each `interval` MCUs wide and one
/// MCU high. A reusable holder, of at most as many numbers as the JPEG has bytes. Not thread-safe.
///
/// Tiles are counted row by row. The interval divides the MCUs of a row, of which the last few may
/// be padding: the JPEG's header then gives a greater width than the picture has, and only this
/// table knows the true one.
///
/// Stored form, little-endian, made by [#write] and read by [#read]:
///
/// ```
/// byte 0        1          2    4        6       8         10             14
/// ┌─────────┬────────────┬─────┬────────┬────────┬──────────┬──────────────┬────────────────
/// │ version │ MCU size   │ 0   │ width  │ height │ interval │ first tile's │ length of tile
/// │ 1 or 2  │ (w/8)(h/8) │     │ true   │        │ in MCUs  │ offset       │ 0, 1, 2 …
/// │ u8      │ u4  u4     │ u16 │ u16    │ u16    │ u16      │ u32          │ u16 (1) u32 (2)
/// └─────────┴────────────┴─────┴────────┴────────┴──────────┴──────────────┴────────────────
/// ```
///
/// A tile's length counts the marker after it: RSTn, or EOI after the last. Version 1 has lengths
/// of 16 bits, version 2, used if a tile is longer, of 32. The number of tiles follows from the
/// sizes. Limits: 65,535 pixels a side, 2³¹ − 1 bytes.
public final class TileTable {
  private int width;
  private int height;
  private int mcuWidth;
  private int mcuHeight;
  private int interval;
  private int across;
  private int down;

  /// Offset of each tile's coded data, then of what follows the end marker.
  private int[] offsets = new int[16];

  /// Offsets set so far.
  private int set;

  /// An empty table.
  public TileTable() {}

  /// {@return columns of the picture, in pixels, without padding}
  public int width() {
    return width;
  }

  /// {@return rows of the picture, in pixels}
  public int height() {
    return height;
  }

  /// {@return MCUs in a tile}
  public int interval() {
    return interval;
  }

  /// {@return columns of a tile, in pixels}
  public int tileWidth() {
    return mcuWidth * interval;
  }

  /// {@return rows of a tile, in pixels}
  public int tileHeight() {
    return mcuHeight;
  }

  /// {@return tiles side by side; 0 while the table is empty}
  public int across() {
    return across;
  }

  /// {@return rows of tiles}
  public int down() {
    return down;
  }

  /// {@return bytes of the JPEG up to its end marker, which is included}
  public int end() {
    return offsets[across * down];
  }

  /// {@return MCUs of the last tile in a row that are there only to fill it}
  public int padding() {
    return across * interval - Math.ceilDiv(width, mcuWidth);
  }

  /// {@return columns of an MCU, in pixels}
  public int mcuWidth() {
    return mcuWidth;
  }

  /// {@return tiles in all}
  int count() {
    return across * down;
  }

  /// {@return offset of a tile's coded data in the JPEG, in bytes; of the one after the last, of
  ///     what follows the end marker}
  public int offset(int tile) {
    return offsets[tile];
  }

  /// Empties the table and sets its geometry.
  boolean begin(int width, int height, int mcuWidth, int mcuHeight, int interval) {
    across = 0;
    down = 0;
    set = 0;
    if (width < 1 || height < 1 || mcuWidth < 8 || mcuHeight < 8 || interval < 1) {
      return false;
    }
    this.width = width;
    this.height = height;
    this.mcuWidth = mcuWidth;
    this.mcuHeight = mcuHeight;
    this.interval = interval;
    across = Math.ceilDiv(Math.ceilDiv(width, mcuWidth), interval);
    down = Math.ceilDiv(height, mcuHeight);
    return true;
  }

  /// Starts a table that the coder of a JPEG fills.
  void begin(JpegHeader header, int interval) {
    begin(header.width(), header.height(), mcuWidth(header), mcuHeight(header), interval);
  }

  void add(int offset) {
    if (set == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * set); // as found, never as declared
    }
    offsets[set++] = offset;
  }

  private void clear() {
    across = 0;
    down = 0;
    set = 0;
  }

  /// {@return columns of one MCU: a scan of one component has single blocks, whatever its factors}
  static int mcuWidth(JpegHeader header) {
    int most = 1;
    for (int i = 0; i < header.components() && header.components() > 1; i++) {
      most = Math.max(most, header.horizontalFactor(i));
    }
    return 8 * most;
  }

  static int mcuHeight(JpegHeader header) {
    int most = 1;
    for (int i = 0; i < header.components() && header.components() > 1; i++) {
      most = Math.max(most, header.verticalFactor(i));
    }
    return 8 * most;
  }

  /// Finds the tiles by their markers, reading the whole JPEG once: about 1/40 of the time that
  /// decoding it takes.
  ///
  /// Succeeds for one interleaved, Huffman-coded, sequential scan of 8 bits whose restart interval
  /// divides the MCUs of a row, with every marker in its place.
  ///
  /// @param jpeg one whole JPEG
  /// @param header as read from it
  /// @return whether it has tiles; if not, this table is empty
  public boolean scan(MemorySegment jpeg, JpegHeader header) {
    if (!tiled(jpeg, header)) {
      clear();
      return false;
    }
    begin(header, header.restartInterval());
    long from = header.firstScan() + 2L + u16(jpeg, header.firstScan() + 2);
    int at = (int) from;
    int end = (int) jpeg.byteSize();
    int tiles = across * down;
    add(at);
    while (true) {
      at = (int) Markers.find(jpeg, at, end);
      int marker = at + 1 < end ? u8(jpeg, at + 1) : Markers.SOI;
      if (marker == 0) {
        at += 2;
      } else if (marker == 0xff) {
        at++;
      } else if (marker == (set < tiles ? Markers.RST0 + ((set - 1) & 7) : Markers.EOI)) {
        at += 2;
        add(at);
        if (set > tiles) {
          return true;
        }
      } else {
        clear();
        return false;
      }
    }
  }

  /// {@return whether a header is that of a JPEG with tiles}
  ///
  /// @param jpeg what the header was read from
  public static boolean tiled(MemorySegment jpeg, JpegHeader header) {
    int interval = header.restartInterval();
    if (interval == 0
        || header.progressive()
        || header.arithmetic()
        || header.bitDepth() != 8
        || header.components() == 2
        || jpeg.byteSize() > Integer.MAX_VALUE - 64
        || u8(jpeg, header.firstScan() + 4) != header.components()) {
      return false;
    }
    int columns = Math.ceilDiv(header.width(), mcuWidth(header));
    long tiles = (long) (columns / interval) * Math.ceilDiv(header.height(), mcuHeight(header));
    return columns % interval == 0 && 3 * tiles <= jpeg.byteSize();
  }

  /// Checks this table against the JPEG: sizes, interval, and the marker after each tile.
  ///
  /// [TiledJpegDecoder] checks whatever it uses by itself; this finds all that is wrong beforehand.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] if it is the table of another JPEG; else as
  ///     reading the header does
  public void check(MemorySegment jpeg) throws DecodeException {
    checkHeader(jpeg, new HeaderSegments());
    for (int tile = 0; tile < across * down; tile++) {
      requireMarker(tile, u16(jpeg, offsets[tile + 1] - 2L));
    }
  }

  /// Holds a marker against the table.
  ///
  /// @throws DecodeException with [Fault#MISMATCH] unless `found` is what must stand after `tile`
  public void requireMarker(int tile, int found) throws DecodeException {
    int last = across * down - 1;
    int expected = 0xff00 | (tile == last ? Markers.EOI : Markers.RST0 + (tile & 7));
    if (found != expected) {
      throw mismatch("marker %04x after tile %d, expected %04x".formatted(found, tile, expected));
    }
  }

  /// Walks the header and holds it against this table.
  void checkHeader(MemorySegment jpeg, HeaderSegments segments) throws DecodeException {
    if (across == 0) {
      throw new IllegalStateException("the tile table is empty");
    }
    if (end() > jpeg.byteSize()) {
      throw mismatch("tiles end at byte %d, the data after %d".formatted(end(), jpeg.byteSize()));
    }
    int found = 0;
    boolean frame = false;
    segments.reset(jpeg);
    do {
      segments.next();
      if (segments.marker() == Markers.DRI && segments.end() - segments.start() == 2) {
        found = u16(jpeg, segments.start());
      } else if (segments.startOfFrame()) {
        checkFrame(jpeg, segments.start(), segments.end());
        frame = true;
      }
    } while (segments.marker() != Markers.SOS);
    if (!frame || found != interval) {
      throw mismatch(
          "restart interval %d, expected %d, and %s sequential frame"
              .formatted(found, interval, frame ? "a" : "no"));
    }
    if (segments.end() != offsets[0]) {
      throw mismatch(
          "coded data starts at byte %d, expected %d".formatted(segments.end(), offsets[0]));
    }
  }

  private void checkFrame(MemorySegment jpeg, long start, long end) throws DecodeException {
    if (end - start < 6 || end - start != 6 + 3L * u8(jpeg, start + 5)) {
      throw mismatch("frame header of %d bytes".formatted(end - start));
    }
    int components = u8(jpeg, start + 5);
    int h = 1;
    int v = 1;
    for (int i = 0; i < components && components > 1; i++) {
      int factors = u8(jpeg, start + 7 + 3L * i);
      h = Math.max(h, factors >> 4);
      v = Math.max(v, factors & 15);
    }
    int rows = u16(jpeg, start + 1);
    int columns = u16(jpeg, start + 3);
    if (8 * h != mcuWidth || 8 * v != mcuHeight) {
      throw mismatch(
          "MCUs of %d x %d pixels, expected %d x %d".formatted(8 * h, 8 * v, mcuWidth, mcuHeight));
    }
    if (rows != height || Math.ceilDiv(columns, mcuWidth) != across * interval || columns < width) {
      throw mismatch("%d x %d pixels, expected %d x %d".formatted(columns, rows, width, height));
    }
  }

  private static DecodeException mismatch(String what) {
    return new DecodeException(Fault.MISMATCH, "tile table of another jpeg: " + what);
  }

  /// {@return bytes that [#write] writes}
  public long bytes() {
    return StoredTable.bytes(this);
  }

  /// Writes the stored form.
  ///
  /// @param to at least [#bytes] long; what is after those stays as it is
  public void write(MemorySegment to) {
    StoredTable.write(this, to);
  }

  /// Reads the stored form. The result is plausible, but to be believed only beside its JPEG: see
  /// [#check].
  ///
  /// @param from exactly one table
  /// @throws DecodeException with [Fault#UNSUPPORTED] for an unknown version, [Fault#CORRUPT] if
  ///     the numbers contradict each other; this table is then empty
  public void read(MemorySegment from) throws DecodeException {
    clear();
    try {
      StoredTable.read(from, this);
    } catch (DecodeException e) {
      clear();
      throw e;
    }
  }
}
