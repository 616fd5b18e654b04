package io.headrace.format;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// How the encoded bytes of one sample fall into parts that can be read alone, and where its tiles
/// lie.
///
/// @param lengths bytes of each part, in order; they add up to the encoded bytes
/// @param tiles of each part, in its stored form ([io.headrace.codec.jpeg.tiles.TileTable#write]);
///     empty if it has none
public record Parts(List<Long> lengths, List<MemorySegment> tiles) {
  /// One part, without tiles.
  public static final Parts WHOLE = new Parts(List.of(), List.of());

  /// Copies the lists.
  public Parts {
    lengths = List.copyOf(lengths);
    tiles = List.copyOf(tiles);
    if (lengths.size() != tiles.size()) {
      throw new IllegalArgumentException(
          "%d parts with %d tile tables".formatted(lengths.size(), tiles.size()));
    }
  }

  /// {@return one image with tiles}
  public static Parts tiled(long bytes, MemorySegment tiles) {
    return new Parts(List.of(bytes), List.of(tiles));
  }

  /// {@return whether each part is an image of its own, the smallest first, the last the original}
  public boolean levels() {
    return lengths.size() > 1;
  }

  /// {@return number of parts, at least 1}
  public int count() {
    return Math.max(1, lengths.size());
  }

  /// {@return bytes of a part}
  ///
  /// @param part from 0
  /// @param all bytes of all parts
  public long length(int part, long all) {
    return lengths.isEmpty() ? all : lengths.get(part);
  }

  /// {@return the tile table of a part, empty if it has none}
  ///
  /// @param part from 0
  public MemorySegment tiles(int part) {
    return tiles.isEmpty() ? MemorySegment.NULL : tiles.get(part);
  }
}
