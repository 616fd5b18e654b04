package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads and writes the stored form of a [TileTable], which describes it.
final class StoredTable {
  private static final int HEADER = 14;

  /// A byte of coded data and a marker.
  private static final int MIN_LENGTH = 3;

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private StoredTable() {}

  static long bytes(TileTable tiles) {
    return HEADER + (wide(tiles) ? 4L : 2L) * tiles.count();
  }

  private static boolean wide(TileTable tiles) {
    for (int tile = 0; tile < tiles.count(); tile++) {
      if (tiles.offset(tile + 1) - tiles.offset(tile) > 0xffff) {
        return true;
      }
    }
    return false;
  }

  static void write(TileTable tiles, MemorySegment to) {
    boolean wide = wide(tiles);
    to.set(JAVA_BYTE, 0, (byte) (wide ? 2 : 1));
    to.set(JAVA_BYTE, 1, (byte) (2 * tiles.mcuWidth() + tiles.tileHeight() / 8));
    to.set(SHORT, 2, (short) 0);
    to.set(SHORT, 4, (short) tiles.width());
    to.set(SHORT, 6, (short) tiles.height());
    to.set(SHORT, 8, (short) tiles.interval());
    to.set(INT, 10, tiles.offset(0));
    for (int tile = 0; tile < tiles.count(); tile++) {
      int length = tiles.offset(tile + 1) - tiles.offset(tile);
      if (wide) {
        to.set(INT, HEADER + 4L * tile, length);
      } else {
        to.set(SHORT, HEADER + 2L * tile, (short) length);
      }
    }
  }

  static void read(MemorySegment from, TileTable tiles) throws DecodeException {
    if (from.byteSize() < HEADER) {
      throw corrupt("%d bytes, expected at least %d".formatted(from.byteSize(), HEADER));
    }
    int version = u8(from, 0);
    if (version != 1 && version != 2) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "tile table of version %d, expected 1 or 2".formatted(version));
    }
    int across = u8(from, 1) >> 4;
    int down = u8(from, 1) & 15;
    int reserved = from.get(SHORT, 2);
    int width = from.get(SHORT, 4) & 0xffff;
    int height = from.get(SHORT, 6) & 0xffff;
    int interval = from.get(SHORT, 8) & 0xffff;
    if (across > 4
        || down > 4
        || reserved != 0
        || !tiles.begin(width, height, 8 * across, 8 * down, interval)) {
      throw corrupt(
          "%d x %d pixels, MCUs of %d x %d blocks, %d in a tile"
              .formatted(width, height, across, down, interval));
    }
    readTiles(from, version == 2, tiles);
  }

  private static void readTiles(MemorySegment from, boolean wide, TileTable tiles)
      throws DecodeException {
    int size = wide ? 4 : 2;
    long expected = HEADER + (long) size * tiles.count();
    if (from.byteSize() != expected) {
      throw corrupt("%d bytes, expected %d".formatted(from.byteSize(), expected));
    }
    long at = from.get(INT, 10);
    if (at < 2) {
      throw corrupt("first tile at byte %d".formatted(at));
    }
    tiles.add((int) at);
    for (int tile = 0; tile < tiles.count(); tile++) {
      long i = HEADER + (long) size * tile;
      long length = wide ? from.get(INT, i) : from.get(SHORT, i) & 0xffff;
      at += length;
      if (length < MIN_LENGTH || at > Integer.MAX_VALUE) {
        throw corrupt("tile %d of %d bytes ends at byte %d".formatted(tile, length, at));
      }
      tiles.add((int) at);
    }
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "tile table: " + what);
  }
}
