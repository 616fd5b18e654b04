package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.ImageLimits;
import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Rewrites baseline JPEGs with restart markers between tiles, and back, without loss.
///
/// Coefficients stay what they are, and are coded with the shortest tables for them.
/// One per worker. Not thread-safe.
///
/// Padding, where a row's MCUs cannot be divided, is MCUs without any detail: 2 to 5 bytes each.
/// A viewer shows them as a smear on the right; [#restore] takes them off.
public final class TiledTranscoder implements AutoCloseable {
  private static final int MAX_INTERVAL = 0xffff;
  private static final int MAX_EDGE = 65_500;

  private final JpegHeader header = new JpegHeader();
  private final HeaderSegments segments = new HeaderSegments();
  private final JpegCoefficients own;
  private final TileWriter writer;

  /// A transcoder with an unbounded budget.
  public TiledTranscoder() {
    this(MemoryBudget.unbounded());
  }

  /// @param budget for the coefficients of a picture, as [JpegCoefficients] takes them
  public TiledTranscoder(MemoryBudget budget) {
    own = new JpegCoefficients(budget, ImageLimits.MAX_PIXELS);
    writer = new TileWriter(own);
  }

  /// Writes a JPEG with tiles of the default width, which is 4 MCUs, or 8 for 4:4:4 and grey.
  ///
  /// See [#tile(MemorySegment, int, Block, TileTable)].
  public long tile(MemorySegment jpeg, Block out, TileTable tiles) throws DecodeException {
    return tile(jpeg, 0, out, tiles);
  }

  /// Writes a JPEG with tiles.
  ///
  /// @param jpeg a whole Huffman-coded sequential JPEG of 8 bits in one scan, grey or of three
  ///     components, with restart markers or without
  /// @param target MCUs a tile should have; the nearest number from 0.75 to 1.25 times as many that
  ///     divides the MCUs of a row, else the one with the least padding, is taken. 0 for the
  ///     default
  /// @param out takes the new JPEG at its start
  /// @param tiles becomes its table
  /// @return bytes of the new JPEG
  /// @throws DecodeException with [Fault#UNSUPPORTED] and the reason if it cannot have tiles as it
  ///     is; [Fault#TRUNCATED] or [Fault#CORRUPT] if the coded data is; [Fault#LIMIT] if the budget
  ///     does not allow the result. `out` and `tiles` are then undefined
  /// @throws ConfigException if `target` is not a number of MCUs
  public long tile(MemorySegment jpeg, int target, Block out, TileTable tiles)
      throws DecodeException {
    requireOneScan(jpeg);
    own.read(jpeg);
    return tile(jpeg, own, target, out, tiles);
  }

  /// Does the same with a picture that was read already.
  ///
  /// @param picture of that JPEG
  public long tile(
      MemorySegment jpeg, JpegCoefficients picture, int target, Block out, TileTable tiles)
      throws DecodeException {
    if (target < 0 || target > MAX_INTERVAL * 3 / 4) {
      throw new ConfigException(
          "tiles of %d MCUs: expected 1 to %d".formatted(target, MAX_INTERVAL * 3 / 4));
    }
    take(jpeg, picture);
    int mcuWidth = TileTable.mcuWidth(header);
    int wanted = target == 0 ? TileInterval.target(header) : target;
    int interval = TileInterval.choose(header.width(), mcuWidth, wanted);
    int columns = Math.ceilDiv(header.width(), mcuWidth);
    int padded = Math.ceilDiv(columns, interval) * interval;
    int width = padded == columns ? header.width() : (padded - 1) * mcuWidth + 1;
    if (width > MAX_EDGE) {
      throw unsupported("%d columns, padded to %d".formatted(header.width(), width));
    }
    tiles.begin(header, interval);
    writer.grid(columns, padded, Math.ceilDiv(header.height(), TileTable.mcuHeight(header)));
    return write(jpeg, interval, width, out, tiles);
  }

  /// Takes padding and restart markers off again.
  ///
  /// @param tiled what [#tile] made
  /// @param tiles its table
  /// @param out takes a JPEG of the true size at its start, with the same coefficients and metadata
  /// @return bytes of that JPEG
  /// @throws DecodeException with [Fault#MISMATCH] if the table is not that of the JPEG; else as
  ///     [#tile] does
  public long restore(MemorySegment tiled, TileTable tiles, Block out) throws DecodeException {
    tiles.check(tiled);
    requireOneScan(tiled);
    own.read(tiled);
    take(tiled, own);
    int columns = Math.ceilDiv(tiles.width(), tiles.mcuWidth());
    writer.grid(columns + tiles.padding(), columns, tiles.down());
    return write(tiled, 0, tiles.width(), out, new TileTable());
  }

  /// @throws DecodeException with [Fault#UNSUPPORTED] if it cannot have tiles as it is
  private void requireOneScan(MemorySegment jpeg) throws DecodeException {
    header.read(jpeg);
    if (header.progressive()) {
      throw unsupported("progressive");
    }
    if (header.arithmetic()) {
      throw unsupported("arithmetic coding");
    }
    if (header.bitDepth() != 8) {
      throw unsupported("%d bits a sample".formatted(header.bitDepth()));
    }
    if (header.components() != 1 && header.components() != 3) {
      throw unsupported("%d components".formatted(header.components()));
    }
    if (jpeg.byteSize() > Integer.MAX_VALUE / 2) {
      throw unsupported("%d bytes".formatted(jpeg.byteSize()));
    }
    if (u8(jpeg, header.firstScan() + 4) != header.components()) {
      throw unsupported("several scans");
    }
  }

  private void take(MemorySegment jpeg, JpegCoefficients picture) throws DecodeException {
    requireOneScan(jpeg);
    segments.reset(jpeg);
    int marker = segments.next();
    while (marker != Markers.SOS) {
      marker = segments.next();
    }
    writer.reset(picture, header, jpeg, segments.start(), segments.end());
  }

  private static DecodeException unsupported(String what) {
    return new DecodeException(Fault.UNSUPPORTED, "jpeg: cannot be cut into tiles: " + what);
  }

  private long write(MemorySegment jpeg, int interval, int width, Block to, TileTable tiles)
      throws DecodeException {
    writer.count(interval);
    to.ensure(header.firstScan() + 2048L); // the old header, and new tables
    var out = new JpegOutput(to);
    out.marker(Markers.SOI);
    segments.reset(jpeg);
    while (segments.next() != Markers.SOS) {
      int marker = segments.marker();
      if (marker != Markers.DHT && marker != Markers.DRI) {
        long start = segments.start();
        out.segment(marker, segments.end() - start);
        if (segments.startOfFrame()) {
          out.bytes(jpeg.asSlice(start, 3));
          out.u16(width);
          start += 5;
        }
        out.bytes(jpeg.asSlice(start, segments.end() - start));
      }
    }
    writer.writeTables(out);
    if (interval > 0) {
      out.segment(Markers.DRI, 2);
      out.u16(interval);
    }
    writer.writeScanHeader(out);
    writer.write(interval, out, tiles);
    return out.size();
  }

  @Override
  public void close() {
    own.close();
  }
}
