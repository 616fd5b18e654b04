package io.headrace.codec.lossless;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;

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
///        │ u8 …         │ how far each exception lies after the last, in samples      │
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
  private final byte[] pairs = new byte[Frames.MAX];
  private final long[] lows = new long[Frames.MAX / 8];
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
  private byte[] groups = {};
  private int nextGroup;
  private int y;

  /// @param signed whether samples are differences
  PlaneDecoder(Frames frames, boolean signed) {
    this.frames = frames;
    this.signed = signed;
  }

  /// Reads the header.
  ///
  /// @param tile holds it
  /// @param at where it starts
  /// @param longs of one row
  /// @param rowPairs pairs of rows
  /// @throws DecodeException with [Fault#CORRUPT] if it says what cannot be
  void readHeader(byte[] tile, int at, int longs, int rowPairs) throws DecodeException {
    long header = (long) Bytes8.IN_ARRAY.get(tile, at);
    int code = (int) header & 0xff;
    packing = (int) (header >>> 8) & 0xff;
    exceptions = (int) (header >>> 16) & 0xffff;
    length = (int) (header >>> 32);
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
  /// @param tile holds the body, with room for eight bytes after it; needed until the last row
  /// @param at where the body starts
  /// @param end of the tile
  /// @return where the body ends
  /// @throws DecodeException with [Fault#CORRUPT] if it is damaged
  int readBody(byte[] tileWidths, int widthsAt, byte[] tile, int at, int end)
      throws DecodeException {
    if (length > end - at) {
      throw corrupt("%d bytes, %d are left in the tile".formatted(length, end - at));
    }
    if (packing != GROUPS) {
      return readPairs(tile, at, end);
    }
    int sum = Groups.bytes(tileWidths, widthsAt, longs * rowPairs);
    if (length != sum) {
      throw corrupt("%d bytes of groups, their widths say %d".formatted(length, sum));
    }
    widths = tileWidths;
    firstWidth = widthsAt;
    groups = tile;
    nextGroup = at;
    return at + length;
  }

  private int readPairs(byte[] tile, int start, int end) throws DecodeException {
    int count = longs * rowPairs;
    int lowBytes = 8 * Pairs.lowLongs(packing, count);
    int at = start + length;
    if (lowBytes + 2 * exceptions > end - at) {
      throw corrupt(
          "%d low bytes, %d exceptions, %d are left in the tile"
              .formatted(lowBytes, exceptions, end - at));
    }
    frames.decode(tile, start, length, 8 * count, pairs);
    if (packing == 0) {
      Pairs.join(pairs, longs, rowPairs, plane);
    } else {
      Pairs.spread(tile, at, packing, count, lows);
      Pairs.join(pairs, lows, packing, longs, rowPairs, plane);
    }
    readExceptions(tile, at + lowBytes, 16 * count);
    return at + lowBytes + 2 * exceptions;
  }

  private void readExceptions(byte[] tile, int from, int samples) throws DecodeException {
    int sample = 0;
    for (int i = from; i < from + exceptions; i++) {
      sample += tile[i] & 0xff;
      if (sample >= samples) {
        throw corrupt("exception at sample %d of %d".formatted(sample, samples));
      }
      Bytes8.set(plane, sample, tile[i + exceptions]);
    }
  }

  /// {@return samples of the next row, valid until the one after is asked for}
  long[] next() {
    if (packing == GROUPS) {
      int pair = firstWidth + (y >> 1) * longs;
      nextGroup = Groups.unpack(groups, nextGroup, widths, pair, (y & 1) << 2, folded, longs);
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
