package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes Headrace's lossless images: all of one, or a window. One per worker.
///
/// The stream is a header (see `Header`), a table with an entry for each tile, and the tiles, from
/// left to right and from the top down; the last of a row or column of tiles may be smaller.
///
///     24 ┌──────────────┬───────────────────────────────────────────────┐ ┐
///        │ u32          │ where the tile starts in the stream           │ │ for
///        │ u32          │ its bytes                                     │ │ each
///        │ u32          │ their CRC-32C                                 │ │ tile
///        ├──────────────┼───────────────────────────────────────────────┤ ┘
///        │ u32          │ CRC-32C of the table                          │
///        ├──────────────┼───────────────────────────────────────────────┤
///        │ tiles        │                                               │
///        └──────────────┴───────────────────────────────────────────────┘
///
/// Bytes after the last tile are not looked at, but where the header says that samples have 16
/// bits: this is then the stream of the high bytes, and the one of the low bytes follows. A grey
/// tile has one plane, one of RGB has three: green, red less green and blue less green, modulo 256.
/// Each is described at `PlaneDecoder`.
///
///      0 ┌──────────────┬───────────────────────────────────────────────┐
///        │ 8 bytes each │ headers of the planes                         │
///        ├──────────────┼───────────────────────────────────────────────┤ ┐
///        │ u32          │ bytes of the frame                            │ │ if any plane
///        │ frame        │ widths of all groups of all planes; see       │ │ has groups
///        │              │ Groups and Frames                             │ │
///        ├──────────────┼───────────────────────────────────────────────┤ ┘
///        │ bytes        │ bodies of the planes                          │
///        └──────────────┴───────────────────────────────────────────────┘
public final class LosslessDecoder extends HeaderDecoder {
  /// Columns times rows taken unless told otherwise.
  public static final long MAX_PIXELS = 1L << 28;

  /// Bytes that no tile exceeds.
  private static final int MAX_TILE =
      (int) (Integer.BYTES + 3 * PlaneEncoder.bound(Header.MAX_TILE_SAMPLES));

  /// Bytes of a table entry.
  static final int ENTRY = 12;

  private final Header header = new Header();
  private final Header lowHeader = new Header();
  private final Checksum checksum = new Checksum();
  private final Frames frames = new Frames();
  private final PlaneDecoder green = new PlaneDecoder(frames, false);
  private final PlaneDecoder red = new PlaneDecoder(frames, true);
  private final PlaneDecoder blue = new PlaneDecoder(frames, true);
  private final PlaneDecoder[] planes = {green, red, blue};
  private final byte[] widths = new byte[3 * Header.MAX_TILE_SAMPLES / 16 + 7];
  private final Interleave interleave = new Interleave();
  private final long maxPixels;
  private final Block low;
  private byte[] tileBytes = {};

  /// A decoder that takes [#MAX_PIXELS].
  public LosslessDecoder() {
    this(MAX_PIXELS);
  }

  /// @param maxPixels columns times rows that an image may have
  public LosslessDecoder(long maxPixels) {
    this(MemoryBudget.unbounded(), maxPixels);
  }

  /// @param budget for the low bytes of an image of 16 bits
  /// @param maxPixels columns times rows that an image may have
  public LosslessDecoder(MemoryBudget budget, long maxPixels) {
    this.maxPixels = maxPixels;
    low = new Block(budget);
  }

  /// Reads header and table and holds them to the limits.
  ///
  /// @param encoded one whole stream
  /// @throws DecodeException with [Fault#MISMATCH] if it is another format's, [Fault#TRUNCATED] if
  ///     it is cut anywhere, [Fault#CORRUPT] if header or table are damaged, [Fault#UNSUPPORTED] if
  ///     the stream is of a later version, [Fault#LIMIT] if there are too many pixels
  @Override
  protected void readHeader(MemorySegment encoded) throws DecodeException {
    readHeader(encoded, header);
    if (header.lowFollows) {
      readHeader(encoded.asSlice(end(encoded)), lowHeader);
      if (lowHeader.width != header.width
          || lowHeader.height != header.height
          || lowHeader.channels != header.channels
          || lowHeader.lowFollows) {
        throw new DecodeException(
            Fault.CORRUPT,
            "lossless: the low bytes are %d x %d pixels of %d channels, the high bytes %d x %d of %d"
                .formatted(
                    lowHeader.width,
                    lowHeader.height,
                    lowHeader.channels,
                    header.width,
                    header.height,
                    header.channels));
      }
    }
  }

  @Override
  protected ImageInfo info(MemorySegment encoded) {
    return new ImageInfo(
        ImageFormat.LOSSLESS,
        header.width,
        header.height,
        header.channels,
        header.lowFollows ? 16 : 8,
        null,
        false,
        1);
  }

  @Override
  public ImageEncoding like(int quality) {
    return LosslessEncoding.USUAL;
  }

  @Override
  public void decode(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    decode(encoded, info.width(), info.height(), rgb);
  }

  @Override
  public void decode16(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    decode16(encoded, info.width(), info.height(), rgb, low);
  }

  /// Decodes a whole image as RGB; grey gives three equal channels.
  ///
  /// @param encoded one whole stream
  /// @param width columns that were announced
  /// @param height rows that were announced
  /// @param rgb uint8 [height, width, 3], at least `3 * width * height` bytes; bytes after those
  ///     stay as they are
  /// @throws DecodeException as [#probe] does, with [Fault#MISMATCH] if the size is another,
  ///     and [Fault#CORRUPT] if a tile is damaged; `rgb` is then undefined
  public void decode(MemorySegment encoded, int width, int height, MemorySegment rgb)
      throws DecodeException {
    requireRoom(width, height, rgb);
    header(encoded);
    requireAnnounced(width, height);
    decodeTiles(encoded, 0, 0, width, height, rgb, null);
    if (header.lowFollows) {
      checkTiles(encoded.asSlice(end(encoded)), lowHeader);
    }
  }

  /// Checks what is there but not asked for.
  private void checkTiles(MemorySegment encoded, Header header) throws DecodeException {
    for (long tile = 0; tile < header.tiles(); tile++) {
      requireTile(encoded, tile);
      long entry = Header.BYTES + ENTRY * tile;
      long start = Integer.toUnsignedLong(encoded.get(Header.U32, entry));
      long length = Integer.toUnsignedLong(encoded.get(Header.U32, entry + 4));
      int found = checksum.of(encoded, start, length);
      Checksum.require("tile", found, encoded.get(Header.U32, entry + 8));
    }
  }

  /// Decodes a whole image of 16 bits as RGB; as [#decode] does otherwise, which gives the high
  /// bytes.
  ///
  /// @param rgb uint16 [height, width, 3] in native order, at least `6 * width * height` bytes
  /// @param scratch holds the low bytes
  /// @throws DecodeException as [#decode] does, and with [Fault#LIMIT] if `scratch` must not grow
  private void decode16(
      MemorySegment encoded, int width, int height, MemorySegment rgb, Block scratch)
      throws DecodeException {
    long samples = 3L * width * height;
    requireRoom(width, height, rgb.asSlice(samples));
    header(encoded);
    requireAnnounced(width, height);
    if (!header.lowFollows) {
      throw new DecodeException(Fault.MISMATCH, "lossless: not of 16 bits, as was announced");
    }
    MemorySegment low = encoded.asSlice(end(encoded));
    decodeTiles(encoded, 0, 0, width, height, rgb.asSlice(samples), null);
    MemorySegment lows = scratch.ensure(samples);
    forget();
    readHeader(low);
    decodeTiles(low, 0, 0, width, height, lows, null);
    for (long i = 0; i < samples; i++) { // a sample never takes the place of a high byte to come
      int high = rgb.get(JAVA_BYTE, samples + i) & 0xff;
      rgb.set(JAVA_CHAR_UNALIGNED, 2 * i, (char) ((high << 8) | (lows.get(JAVA_BYTE, i) & 0xff)));
    }
  }

  private void requireAnnounced(int width, int height) throws DecodeException {
    if (header.width != width || header.height != height) {
      throw new DecodeException(
          Fault.MISMATCH,
          "lossless: is %d x %d pixels, %d x %d were announced"
              .formatted(header.width, header.height, width, height));
    }
  }

  /// Decodes a window of an image as RGB, from the tiles it touches alone.
  ///
  /// @param encoded one whole stream, of which only header, table and those tiles are looked at
  /// @param left first column, from 0
  /// @param top first row, from 0
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param rgb uint8 [height, width, 3], at least `3 * width * height` bytes; bytes after those
  ///     stay as they are
  /// @throws DecodeException as [#probe] does, with [Fault#MISMATCH] if the window is not all
  ///     inside the image, and [Fault#CORRUPT] if one of the tiles is damaged; `rgb` is then
  ///     undefined
  public void decodeWindow(
      MemorySegment encoded, int left, int top, int width, int height, MemorySegment rgb)
      throws DecodeException {
    requireRoom(width, height, rgb);
    header(encoded);
    requireWindow(left, top, width, height);
    decodeTiles(encoded, left, top, width, height, rgb, null);
  }

  /// Decodes a window of an image as planes, which takes less time than RGB: of red, green and
  /// blue, or the one of a grey image.
  ///
  /// @param encoded one whole stream, of which only header, table and the tiles that the window
  ///     touches are looked at
  /// @param left first column, from 0
  /// @param top first row, from 0
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  /// @param planes laid out for the window and some columns around it, which hold anything
  /// @param block takes the samples
  /// @throws DecodeException as [#decodeWindow], and with [Fault#LIMIT] if the block must not grow
  public void decodePlanes(
      MemorySegment encoded, int left, int top, int width, int height, Planes planes, Block block)
      throws DecodeException {
    header(encoded);
    requireWindow(left, top, width, height);
    int lead = left % header.tileWidth & 7; // whole longs are written, within their tiles
    int columns = lead + width + 7;
    long bytes =
        header.channels == 3
            ? planes.layOutColours(height, columns)
            : planes.layOut(1, 1, 1, height, columns);
    planes.in(block.ensure(bytes));
    planes.startAt(top, left - lead);
    decodeTiles(encoded, left, top, width, height, planes.memory(), planes);
  }

  @Override
  public boolean hasParts(ImageInfo info, boolean turned) {
    return true;
  }

  @Override
  public @Nullable DecodedRegion decodePart(
      MemorySegment encoded, ImageInfo info, Region part, Block window) throws DecodeException {
    double pixels = (double) info.height() * info.width();
    if ((double) part.height() * part.width() > MAX_SHARE * pixels) {
      return null;
    }
    MemorySegment rgb = window.ensure(part.rgbBytes());
    decodeWindow(encoded, part.left(), part.top(), part.width(), part.height(), rgb);
    return new DecodedRegion(rgb, part.width(), 0, 0, part);
  }

  @Override
  public boolean decodePlanes(
      MemorySegment encoded, ImageInfo info, Region part, Planes planes, Block samples)
      throws DecodeException {
    decodePlanes(encoded, part.left(), part.top(), part.width(), part.height(), planes, samples);
    return true;
  }

  private void requireWindow(int left, int top, int width, int height) throws DecodeException {
    if (width < 1
        || height < 1
        || left < 0
        || top < 0
        || left > header.width - width
        || top > header.height - height) {
      throw new DecodeException(
          Fault.MISMATCH,
          "lossless: window of %d x %d pixels at %d, %d of %d x %d"
              .formatted(width, height, left, top, header.width, header.height));
    }
  }

  private static void requireRoom(int width, int height, MemorySegment rgb) {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException("%d x %d pixels".formatted(width, height));
    }
    if (rgb.byteSize() < 3L * width * height) {
      throw new IllegalArgumentException(
          "pixels take %d bytes, the segment has %d"
              .formatted(3L * width * height, rgb.byteSize()));
    }
  }

  /// {@return where the last tile ends}
  private long end(MemorySegment encoded) {
    long entry = Header.BYTES + ENTRY * (header.tiles() - 1);
    return Integer.toUnsignedLong(encoded.get(Header.U32, entry))
        + Integer.toUnsignedLong(encoded.get(Header.U32, entry + 4));
  }

  private void readHeader(MemorySegment encoded, Header header) throws DecodeException {
    header.read(encoded, checksum);
    long pixels = (long) header.width * header.height;
    if (pixels > maxPixels) {
      throw new DecodeException(
          Fault.LIMIT,
          "lossless: %d x %d is %d pixels, over the limit of %d"
              .formatted(header.width, header.height, pixels, maxPixels));
    }
    long table = ENTRY * header.tiles();
    if (encoded.byteSize() - Header.BYTES < table + Integer.BYTES) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "lossless: a table of %d tiles ends at byte %d, the data ends after %d"
              .formatted(header.tiles(), Header.BYTES + table + Integer.BYTES, encoded.byteSize()));
    }
    int expected = encoded.get(Header.U32, Header.BYTES + table);
    Checksum.require("table", checksum.of(encoded, Header.BYTES, table), expected);
    requireTile(encoded, header.tiles() - 1);
  }

  /// @param out takes rows of RGB, or holds the planes
  private void decodeTiles(
      MemorySegment encoded,
      int left,
      int top,
      int width,
      int height,
      MemorySegment out,
      @Nullable Planes planes)
      throws DecodeException {
    int lastColumn = (left + width - 1) / header.tileWidth;
    int lastRow = (top + height - 1) / header.tileHeight;
    for (int row = top / header.tileHeight; row <= lastRow; row++) {
      int tileTop = row * header.tileHeight;
      int rows = Math.min(header.tileHeight, header.height - tileTop);
      int firstY = Math.max(top, tileTop);
      int endY = Math.min(top + height, tileTop + rows);
      for (int column = left / header.tileWidth; column <= lastColumn; column++) {
        int tileLeft = column * header.tileWidth;
        int columns = Math.min(header.tileWidth, header.width - tileLeft);
        int firstX = Math.max(left, tileLeft);
        int endX = Math.min(left + width, tileLeft + columns);
        openTile(encoded, (long) row * header.tilesAcross() + column, columns, rows);
        skipRows(firstY - tileTop);
        for (int y = firstY; y < endY; y++) {
          if (planes == null) {
            long to = 3L * ((long) (y - top) * width + firstX - left);
            decodeRow(firstX - tileLeft, endX - tileLeft, out, to);
          } else {
            decodePlaneRow(y, tileLeft, firstX - tileLeft, endX - tileLeft, planes);
          }
        }
      }
    }
  }

  private void openTile(MemorySegment encoded, long tile, int columns, int rows)
      throws DecodeException {
    long entry = Header.BYTES + ENTRY * tile;
    long start = Integer.toUnsignedLong(encoded.get(Header.U32, entry));
    long length = Integer.toUnsignedLong(encoded.get(Header.U32, entry + 4));
    requireTile(encoded, tile);
    if (length > MAX_TILE) {
      throw corrupt("tile", length, MAX_TILE);
    }
    int bytes = (int) length;
    if (bytes + Long.BYTES > tileBytes.length) {
      tileBytes = new byte[Math.max(bytes + Long.BYTES, 2 * tileBytes.length)];
    }
    MemorySegment.copy(encoded, JAVA_BYTE, start, tileBytes, 0, bytes);
    int expected = encoded.get(Header.U32, entry + 8);
    Checksum.require("tile", checksum.of(tileBytes, bytes), expected);
    openPlanes(bytes, (columns + 7) >> 3, (rows + 1) >> 1);
  }

  private static void requireTile(MemorySegment encoded, long tile) throws DecodeException {
    long entry = Header.BYTES + ENTRY * tile;
    long end =
        Integer.toUnsignedLong(encoded.get(Header.U32, entry))
            + Integer.toUnsignedLong(encoded.get(Header.U32, entry + 4));
    if (end > encoded.byteSize()) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "lossless: tile %d ends at byte %d, the data ends after %d"
              .formatted(tile, end, encoded.byteSize()));
    }
  }

  private void openPlanes(int end, int longs, int rowPairs) throws DecodeException {
    int count = header.channels;
    int at = count * PlaneDecoder.HEADER;
    if (at > end) {
      throw corrupt("headers of planes", at, end);
    }
    int widthBytes = 0;
    for (int i = 0; i < count; i++) {
      planes[i].readHeader(tileBytes, i * PlaneDecoder.HEADER, longs, rowPairs);
      widthBytes += planes[i].widthBytes();
    }
    if (widthBytes > 0) {
      at = readWidths(at, end, widthBytes);
    }
    int widthsAt = 0;
    for (int i = 0; i < count; i++) {
      at = planes[i].readBody(widths, widthsAt, tileBytes, at, end);
      widthsAt += planes[i].widthBytes();
    }
    if (at != end) {
      throw corrupt("planes", at, end);
    }
  }

  private int readWidths(int start, int end, int count) throws DecodeException {
    int frame = start + Integer.BYTES;
    long length = (long) Bytes8.IN_ARRAY.get(tileBytes, start) & 0xffff_ffffL;
    if (length > count || frame + length > end) {
      throw corrupt("widths", frame + length, end);
    }
    frames.decode(tileBytes, frame, (int) length, count, widths);
    return frame + (int) length;
  }

  private static DecodeException corrupt(String what, long found, long expected) {
    return new DecodeException(
        Fault.CORRUPT,
        "lossless: %s end at byte %d of a tile of %d".formatted(what, found, expected));
  }

  private void skipRows(int count) {
    for (int y = 0; y < count; y++) {
      green.next();
      if (header.channels == 3) {
        red.next();
        blue.next();
      }
    }
  }

  private void decodeRow(int first, int end, MemorySegment rgb, long to) {
    if (header.channels == 3) {
      interleave.colour(green.next(), red.next(), blue.next(), first, end, rgb, to);
    } else {
      interleave.grey(green.next(), first, end, rgb, to);
    }
  }

  /// Writes one row of each plane. Columns are those of the tile.
  private void decodePlaneRow(int y, int tileLeft, int first, int end, Planes planes) {
    int from = first >> 3;
    int behind = (end + 7) >> 3;
    int x = tileLeft + 8 * from;
    MemorySegment memory = planes.memory();
    long[] samples = green.next();
    if (header.channels == 1) {
      interleave.plane(samples, null, from, behind, memory, planes.offset(0, y, x));
      return;
    }
    interleave.plane(samples, red.next(), from, behind, memory, planes.offset(0, y, x));
    interleave.plane(samples, null, from, behind, memory, planes.offset(1, y, x));
    interleave.plane(samples, blue.next(), from, behind, memory, planes.offset(2, y, x));
  }

  @Override
  public void close() {
    frames.close();
    low.close();
  }
}
