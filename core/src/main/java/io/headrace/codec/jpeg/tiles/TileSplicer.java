package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.BigEndian.u16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Puts a rectangle of tiles together to a small baseline JPEG of its own.
///
/// The header is that of the whole, less metadata, with another size and restart interval; each row
/// of tiles is one copy, for its tiles lie one after the other; then the markers are numbered
/// anew. Segments that set the colours, JFIF and Adobe, are kept, and none is added.
final class TileSplicer implements AutoCloseable {
  private final HeaderSegments segments = new HeaderSegments();
  private final Block block;

  TileSplicer(MemoryBudget budget) {
    block = new Block(budget);
  }

  /// Assembles the tiles of `rows` rows and `columns` columns.
  ///
  /// @param row first row of tiles
  /// @param column first column of tiles
  /// @param height rows of the new image, in pixels
  /// @param width columns of the new image, in pixels
  /// @param interval its restart interval in MCUs: that of the table, or less, for a single column
  ///     whose last MCUs are left out
  /// @return the JPEG, a view valid until the next call
  MemorySegment assemble(
      MemorySegment jpeg,
      TileTable tiles,
      int row,
      int rows,
      int column,
      int columns,
      int height,
      int width,
      int interval)
      throws DecodeException {
    tiles.checkHeader(jpeg, segments);
    int across = tiles.across();
    long bytes = tiles.offset(0) + 6L; // the header and DRI, at most
    for (int r = row; r < row + rows; r++) {
      int first = r * across + column;
      bytes += tiles.offset(first + columns) - tiles.offset(first);
    }
    MemorySegment to = block.ensure(bytes);
    long at = PartHeader.write(segments, jpeg, to, height, width, interval);
    int count = 0;
    for (int r = row; r < row + rows; r++) {
      int first = r * across + column;
      int from = tiles.offset(first);
      int length = tiles.offset(first + columns) - from;
      MemorySegment.copy(jpeg, from, to, at, length);
      for (int tile = first; tile < first + columns; tile++) {
        long marker = at + tiles.offset(tile + 1) - from - 2;
        tiles.requireMarker(tile, u16(to, marker));
        to.set(JAVA_BYTE, marker + 1, (byte) (Markers.RST0 + (count++ & 7)));
      }
      at += length;
    }
    to.set(JAVA_BYTE, at - 1, (byte) Markers.EOI);
    return to.asSlice(0, at);
  }

  @Override
  public void close() {
    block.close();
  }
}
