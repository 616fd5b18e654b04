package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// Decodes one plane of one tile, row by row.
///
/// Its header, one of those that a tile starts with:
///
///      0 ┌──────────────┬─────────────────────────────────────────────────────────────┐
///        │ u8           │ filter: see Filter                                          │
///      1 │ u8           │ packing: 0 … 4 pairs with so many low bits, 5 groups        │
///      2 │ u16          │ exceptions; 0 with groups                                   │
///      4 │ u32          │ bytes of the frame of pairs, or of all groups               │
///      8 └──────────────┴─────────────────────────────────────────────────────────────┘
///
/// Its body, if packed in groups, is those; their widths are in a frame of the tile. If in pairs:
///
///        ┌──────────────┬─────────────────────────────────────────────────────────────┐
///        │ frame        │ the pairs, two samples a byte; see Frames                   │
///        │ u64 …        │ low bits; none if packing is 0                              │
///        │ u8 …         │ how far each exception lies behind the last, in samples     │
///        │ u8 …         │ its folded residual, in place of what the pairs say         │
///        └──────────────┴─────────────────────────────────────────────────────────────┘
///
/// A plane has the tile's columns rounded up to a multiple of 8 and its rows to one of 2, row after
/// row. The first exception counts from sample 0.
final class PlaneDecoder {
  static final int HEADER = 8;

  /// The packing that means groups.
  static final int GROUPS = 5;

  private final Frames frames;
  private final boolean signed;
  private final byte[] pairs = new byte[Frames.MOST];
  private final long[] lows = new long[Frames.MOST / 8];
  private final long[] stored = new long[Frames.MOST / 8];
  private final byte[] data = new byte[Header.MAX_TILE_SAMPLES + 7];
  private final long[] plane = new long[Header.MAX_TILE_SAMPLES / 8];
  private final long[] folded = new long[Header.MAX_TILE_SAMPLES / 16];
  private final long[] row = new long[Header.MAX_TILE_SAMPLES / 16];

  private Filter filter = Filter.UP;
  private int packing;
  private int exceptions;
  private int length;
  private int longs;
  private int rowPairs;
  private byte[] widths = {};
  private int firstWidth;
  private int dataAt;
  private int y;

  /// @param signed whether samples are differences
  PlaneDecoder(Frames frames, boolean signed) {
    this.frames = frames;
    this.signed = signed;
  }

  /// Reads the header.
  ///
  /// @param bytes hold it
  /// @param at where it starts
  /// @param longs of one row
  /// @param rowPairs pairs of rows
  /// @throws DecodeException with [Fault#CORRUPT] if it says what cannot be
  void readHeader(MemorySegment bytes, long at, int longs, int rowPairs) throws DecodeException {
    int code = bytes.get(JAVA_BYTE, at) & 0xff;
    packing = bytes.get(JAVA_BYTE, at + 1) & 0xff;
    exceptions = bytes.get(Header.U16, at + 2) & 0xffff;
    length = bytes.get(Header.U32, at + 4);
    int most = (packing == GROUPS ? 16 : 8) * longs * rowPairs;
    if (code >= Filter.count()
        || packing > GROUPS
        || (packing == GROUPS && exceptions > 0)
        || length < 0
        || length > most) {
      throw corrupt(
          "filter %d, packing %d, %d exceptions, %d bytes"
              .formatted(code, packing, exceptions, length));
    }
    filter = Filter.of(code);
    this.longs = longs;
    this.rowPairs = rowPairs;
    y = 0;
  }

  /// {@return bytes of widths that the plane has in the frame of the tile}
  int widthBytes() {
    return packing == GROUPS ? longs * rowPairs : 0;
  }

  /// Reads the body.
  ///
  /// @param tileWidths as the frame of the tile had them
  /// @param widthsAt where the plane's start
  /// @param bytes hold the body; not needed any more when this returns
  /// @param at where the body starts
  /// @param end of the tile
  /// @return where the body ends
  /// @throws DecodeException with [Fault#CORRUPT] if it is damaged
  long readBody(byte[] tileWidths, int widthsAt, MemorySegment bytes, long at, long end)
      throws DecodeException {
    if (length > end - at) {
      throw corrupt("%d bytes, %d are left in the tile".formatted(length, end - at));
    }
    if (packing != GROUPS) {
      return readPairs(bytes, at, end);
    }
    int sum = Groups.bytes(tileWidths, widthsAt, longs * rowPairs);
    if (length != sum) {
      throw corrupt("%d bytes of groups, their widths say %d".formatted(length, sum));
    }
    MemorySegment.copy(bytes, JAVA_BYTE, at, data, 0, length);
    dataAt = 0;
    widths = tileWidths;
    firstWidth = widthsAt;
    return at + length;
  }

  private long readPairs(MemorySegment bytes, long start, long end) throws DecodeException {
    int count = longs * rowPairs;
    int lowLongs = Pairs.lowLongs(packing, count);
    long at = start + length;
    long last = at + 8L * lowLongs + 2L * exceptions;
    if (last > end) {
      throw corrupt("plane ends at byte %d, its tile at %d".formatted(last, end));
    }
    frames.decode(bytes, start, length, 8 * count, pairs);
    if (packing == 0) {
      Pairs.join(pairs, longs, rowPairs, plane);
    } else {
      MemorySegment.copy(bytes, Bytes8.LAYOUT, at, stored, 0, lowLongs);
      Pairs.spread(stored, packing, count, lows);
      Pairs.join(pairs, lows, packing, longs, rowPairs, plane);
    }
    readExceptions(bytes, at + 8L * lowLongs, exceptions, 16 * count);
    return last;
  }

  private void readExceptions(MemorySegment bytes, long from, int count, int samples)
      throws DecodeException {
    int sample = 0;
    for (int i = 0; i < count; i++) {
      sample += bytes.get(JAVA_BYTE, from + i) & 0xff;
      if (sample >= samples) {
        throw corrupt("exception at sample %d of %d".formatted(sample, samples));
      }
      Bytes8.set(plane, sample, bytes.get(JAVA_BYTE, from + count + i));
    }
  }

  /// {@return samples of the next row, valid until the one after is asked for}
  long[] next() {
    if (packing == GROUPS) {
      dataAt =
          Groups.unpack(
              data, dataAt, widths, firstWidth + (y >> 1) * longs, (y & 1) << 2, folded, longs);
    } else {
      System.arraycopy(plane, y * longs, folded, 0, longs);
    }
    filter.undo(folded, row, longs, y == 0, signed);
    y++;
    return row;
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "lossless: " + what);
  }
}
