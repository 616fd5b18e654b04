package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.jpeg.tiles.Markers.u16;
import static io.headrace.codec.jpeg.tiles.Markers.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Rewrites baseline JPEGs with restart markers between tiles, and back, without loss.
///
/// Symbols are decoded and coded again with the shortest tables for them; coefficients are never
/// computed, and stay what they are. A file is read twice, to count and to write, so that memory is
/// that of the result. One per worker. Not thread-safe.
///
/// Padding, where a row's MCUs cannot be divided, is MCUs without any detail: 2 to 5 bytes each.
/// A viewer shows them as a smear on the right; [#restore] takes them off.
public final class TiledTranscoder {
  /// What becomes of segments that say nothing about pixels, such as EXIF, profiles and comments.
  /// JFIF and Adobe segments, which set the colours, are always kept.
  public enum Metadata {
    /// All stay.
    KEEP,
    /// All go. An orientation other than upright is kept in an EXIF block of its own, of 36 bytes.
    DROP
  }

  private static final int MAX_INTERVAL = 0xffff;
  private static final int MAX_EDGE = 65_500;

  private final JpegHeader header = new JpegHeader();
  private final Markers markers = new Markers();
  private final Recoder recoder = new Recoder();

  /// A transcoder without tables.
  public TiledTranscoder() {}

  /// Writes a JPEG with tiles of the default width, which is 4 MCUs, or 8 for 4:4:4 and grey.
  ///
  /// See [#tile(MemorySegment, int, Metadata, Block, TileTable)].
  public long tile(MemorySegment jpeg, Metadata metadata, Block out, TileTable tiles)
      throws DecodeException {
    return tile(jpeg, 0, metadata, out, tiles);
  }

  /// Writes a JPEG with tiles.
  ///
  /// @param jpeg a whole Huffman-coded sequential JPEG of 8 bits in one scan, grey or of three
  ///     components, with restart markers or without
  /// @param target MCUs a tile should have; the nearest number from 0.75 to 1.25 times as many that
  ///     divides the MCUs of a row, else the one with the least padding, is taken. 0 for the
  ///     default
  /// @param metadata what is kept
  /// @param out takes the new JPEG at its start
  /// @param tiles becomes its table
  /// @return bytes of the new JPEG
  /// @throws DecodeException with [Fault#UNSUPPORTED] and the reason if it cannot have tiles as it
  ///     is; [Fault#TRUNCATED] or [Fault#CORRUPT] if the coded data is; [Fault#LIMIT] if the budget
  ///     does not allow the result. `out` and `tiles` are then undefined
  /// @throws ConfigException if `target` is no number of MCUs
  public long tile(MemorySegment jpeg, int target, Metadata metadata, Block out, TileTable tiles)
      throws DecodeException {
    if (target < 0 || target > MAX_INTERVAL * 3 / 4) {
      throw new ConfigException(
          "tiles of %d MCUs: expected 1 to %d".formatted(target, MAX_INTERVAL * 3 / 4));
    }
    read(jpeg);
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
    recoder.grid(columns, padded, Math.ceilDiv(header.height(), TileTable.mcuHeight(header)));
    return write(jpeg, interval, width, metadata, out, tiles);
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
    read(tiled);
    int columns = Math.ceilDiv(tiles.width(), tiles.mcuWidth());
    recoder.grid(columns + tiles.padding(), columns, tiles.down());
    return write(tiled, 0, tiles.width(), Metadata.KEEP, out, new TileTable());
  }

  private void read(MemorySegment jpeg) throws DecodeException {
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
    recoder.reset(jpeg, header);
    markers.reset(jpeg);
    do {
      markers.next();
      if (markers.marker() == Markers.DHT) {
        recoder.define(markers.start(), markers.end());
      } else if (markers.startOfFrame()) {
        recoder.frame(markers.start());
      }
    } while (markers.marker() != Markers.SOS);
    recoder.scan(markers.start(), markers.end());
  }

  private static DecodeException unsupported(String what) {
    return new DecodeException(Fault.UNSUPPORTED, "jpeg: cannot be cut into tiles: " + what);
  }

  private long write(
      MemorySegment jpeg, int interval, int width, Metadata metadata, Block out, TileTable tiles)
      throws DecodeException {
    recoder.count(interval);
    out.ensure(header.firstScan() + 2048L); // the old header, and new tables
    long start = header(jpeg, out.memory(), interval, width, metadata);
    return recoder.write(interval, out, start, tiles);
  }

  private long header(
      MemorySegment jpeg, MemorySegment to, int interval, int width, Metadata metadata)
      throws DecodeException {
    u16(to, 0, 0xff00 | Markers.SOI);
    long at = 2;
    boolean oriented = metadata == Metadata.KEEP || header.orientation() == 1;
    markers.reset(jpeg);
    do {
      markers.next();
      int marker = markers.marker();
      if (!oriented && marker != Markers.APP0) {
        at = orientation(to, at); // EXIF has its place behind JFIF
        oriented = true;
      }
      if (marker == Markers.SOS) {
        at = recoder.writeTables(to, at);
        if (interval > 0) {
          u16(to, at, 0xff00 | Markers.DRI);
          u16(to, at + 2, 4);
          u16(to, at + 4, interval);
          at += 6;
        }
        at = recoder.writeScanHeader(to, at);
      } else if (kept(marker, metadata)) {
        long length = markers.end() - markers.start();
        u16(to, at, 0xff00 | marker);
        u16(to, at + 2, (int) length + 2);
        MemorySegment.copy(jpeg, markers.start(), to, at + 4, length);
        if (markers.startOfFrame()) {
          u16(to, at + 7, width);
        }
        at += 4 + length;
      }
    } while (markers.marker() != Markers.SOS);
    return at;
  }

  private static boolean kept(int marker, Metadata metadata) {
    return switch (marker) {
      case Markers.DHT, Markers.DRI -> false;
      case Markers.SOF0, Markers.SOF1, Markers.DQT, Markers.APP0, Markers.APP14 -> true;
      default -> metadata == Metadata.KEEP;
    };
  }

  /// Writes an EXIF block with nothing in it but the orientation (TIFF 6.0, tag 0x0112).
  private long orientation(MemorySegment to, long at) {
    int[] block = {
      0xff,
      Markers.APP1,
      0,
      34,
      'E',
      'x',
      'i',
      'f',
      0,
      0,
      'M',
      'M',
      0,
      42,
      0,
      0,
      0,
      8, //
      0,
      1,
      0x01,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      header.orientation(),
      0,
      0,
      0,
      0,
      0,
      0
    };
    for (int i = 0; i < block.length; i++) {
      to.set(JAVA_BYTE, at + i, (byte) block[i]);
    }
    return at + block.length;
  }
}
