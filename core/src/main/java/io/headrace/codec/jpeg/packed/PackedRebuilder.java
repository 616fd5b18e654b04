package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.packed.PackedHeader.corrupt;
import static io.headrace.codec.jpeg.packed.PackedLayout.HEAD;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.StandardTables;
import io.headrace.codec.jpeg.entropy.HuffmanCode;
import io.headrace.codec.jpeg.entropy.HuffmanTable;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.codec.jpeg.tiles.PartHeader;
import io.headrace.codec.jpeg.tiles.TouchedTiles;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Makes the JPEG again that a packed picture was made from. One per worker.
public final class PackedRebuilder {
  /// More bytes than an MCU of ten blocks takes: 64 symbols of at most 31 bits, every byte stuffed.
  private static final int MCU_BYTES = 8192;

  /// The tables that most encoders write, in the order in which libjpeg does.
  private static final byte[] STANDARD = standard();

  /// Their codes.
  private static final HuffmanCode[] STANDARD_CODES = new HuffmanCode[4];

  static {
    for (int i = 0; i < STANDARD_CODES.length; i++) {
      STANDARD_CODES[i] = new HuffmanCode();
      STANDARD_CODES[i].standard(StandardTables.table(i % 2, i / 2));
    }
  }

  /// More bytes than [PartHeader] takes beside the header.
  private static final int DRI_BYTES = 6;

  private final PackedHeader header = new PackedHeader();
  private final TileReader tiles = new TileReader();
  private final BlockReader blocks = new BlockReader();
  private final HeaderSegments segments = new HeaderSegments();
  private final ScanHeader scan = new ScanHeader();
  private final HuffmanCode[] codes = new HuffmanCode[8];

  // By component, of the blocks of one row of tiles, row by row:

  /// The first coefficients.
  private final short[][] means = new short[4][0];

  /// Which of the others are not 0, as in [TileReader#masks].
  private final long[][] masks = new long[4][0];

  /// Where those begin in [#values].
  private final int[][] starts = new int[4][0];

  private short[] values = new short[0];
  private final int[] before = new int[4];

  /// By component of the scan: its codes.
  private final HuffmanCode[] dcOf = new HuffmanCode[4];

  private final HuffmanCode[] acOf = new HuffmanCode[4];
  private byte[] partHeader = new byte[0];

  /// Tiles to rebuild: the first column of them, and how many; MCUs across these.
  private int firstTile;

  private int tilesWide;
  private int mcus;

  /// An idle one.
  public PackedRebuilder() {
    Arrays.setAll(codes, _ -> new HuffmanCode());
  }

  /// Writes the JPEG. If the picture is cut after a band, it has the coefficients that are there.
  ///
  /// @param packed a packed picture
  /// @param out takes the JPEG at its start
  /// @return its bytes
  /// @throws DecodeException as [PackedHeader#read], or with [io.headrace.error.Fault#CORRUPT] if
  ///     the picture is damaged
  public long rebuild(MemorySegment packed, Block out) throws DecodeException {
    MemorySegment stored = open(packed);
    var to = new JpegOutput(out);
    writeHeader(stored, to);
    readCodes(stored);
    firstTile = 0;
    tilesWide = header.tilesAcross();
    write(0, header.tilesDown(), header.jpeg().restartInterval(), to);
    if (header.bands() == PackedLayout.BANDS) {
      to.bytes(packed.asSlice(header.end(PackedLayout.BANDS - 1), header.tailBytes()));
    } else {
      to.marker(Markers.EOI);
    }
    return to.size();
  }

  /// Writes a JPEG of some tiles, with the standard's Huffman codes.
  ///
  /// @param packed a packed picture whose header was read last
  /// @param part the tiles
  /// @param height rows that they show, in pixels
  /// @param width columns that they show, in pixels
  /// @param out takes the JPEG at its start
  /// @return its bytes
  /// @throws DecodeException as [#rebuild], or if there are coefficients without such a code
  long rebuild(MemorySegment packed, TouchedTiles part, int height, int width, Block out)
      throws DecodeException {
    MemorySegment stored = open(packed);
    if (partHeader.length < stored.byteSize() + DRI_BYTES) {
      partHeader = new byte[(int) stored.byteSize() + DRI_BYTES];
    }
    MemorySegment head = MemorySegment.ofArray(partHeader);
    long bytes = PartHeader.write(segments, stored, head, height, width, 0);
    readScan(stored);
    long start = bytes - 8 - 2L * scan.count();
    for (int i = 0; i < scan.count(); i++) {
      int slot = scan.component(i) == 0 ? 0 : 1;
      head.set(JAVA_BYTE, start + 6 + 2L * i, (byte) (17 * slot));
      dcOf[i] = STANDARD_CODES[2 * slot];
      acOf[i] = STANDARD_CODES[2 * slot + 1];
    }
    var to = new JpegOutput(out);
    to.bytes(head.asSlice(0, start));
    to.bytes(MemorySegment.ofArray(STANDARD));
    to.bytes(head.asSlice(start, bytes - start));
    firstTile = part.column();
    tilesWide = part.columns();
    write(part.row(), part.row() + part.rows(), 0, to);
    to.marker(Markers.EOI);
    return to.size();
  }

  private MemorySegment open(MemorySegment packed) throws DecodeException {
    header.read(packed);
    tiles.open(packed, header, header.bands());
    return packed.asSlice(HEAD, header.jpegBytes());
  }

  /// Writes the coded data of rows of tiles.
  private void write(int first, int end, int interval, JpegOutput to) throws DecodeException {
    Arrays.fill(before, 0);
    mcus =
        Math.min(
            tilesWide * header.tileColumns(),
            header.mcuColumns() - firstTile * header.tileColumns());
    int left = interval;
    int restarts = 0;
    for (int tileRow = first; tileRow < end; tileRow++) {
      read(tileRow);
      for (int row = 0; row < header.rowsOf(tileRow); row++) {
        for (int column = 0; column < mcus; column++) {
          to.room(MCU_BYTES);
          if (interval > 0 && left == 0) {
            to.endBits();
            to.marker(Markers.RST0 + (restarts++ & 7));
            Arrays.fill(before, 0);
            left = interval;
          }
          left--;
          mcu(row, column, to);
        }
      }
    }
    to.room(MCU_BYTES);
    to.endBits();
  }

  /// {@return the header of the picture that was rebuilt last}
  public PackedHeader header() {
    return header;
  }

  /// {@return offset of the segment that stands for standard tables, or -1}
  ///
  /// @param jpeg the header of a JPEG
  private long find(MemorySegment jpeg) throws DecodeException {
    segments.reset(jpeg);
    int marker;
    do {
      marker = segments.next();
      if (marker == Markers.DHT && segments.end() == segments.start()) {
        return segments.start() - 4;
      }
    } while (marker != Markers.SOS);
    return -1;
  }

  private void writeHeader(MemorySegment stored, JpegOutput to) throws DecodeException {
    long at = header.standardTables() ? find(stored) : -1;
    if (at >= 0) {
      to.bytes(stored.asSlice(0, at));
      to.bytes(MemorySegment.ofArray(STANDARD));
      at += 4;
    }
    to.bytes(stored.asSlice(Math.max(0, at)));
  }

  /// {@return a header with an empty segment for the tables that most encoders write; the same if
  ///     it does not have them, or has an empty one already}
  ///
  /// @param jpeg the header of a JPEG, up to its coded data
  static MemorySegment slim(MemorySegment jpeg) throws DecodeException {
    var segments = new HeaderSegments();
    segments.reset(jpeg);
    MemorySegment slim = jpeg;
    while (segments.next() != Markers.SOS) {
      long start = segments.start() - 4;
      long end = start + STANDARD.length;
      if (segments.marker() != Markers.DHT) {
        continue;
      }
      if (segments.start() == segments.end()) {
        return jpeg;
      }
      if (slim.byteSize() == jpeg.byteSize()
          && end <= jpeg.byteSize()
          && jpeg.asSlice(start, STANDARD.length).mismatch(MemorySegment.ofArray(STANDARD)) < 0) {
        slim = MemorySegment.ofArray(new byte[(int) jpeg.byteSize() - STANDARD.length + 4]);
        MemorySegment.copy(jpeg, 0, slim, 0, start);
        Markers.putU16(slim, start, 0xff00 | Markers.DHT);
        Markers.putU16(slim, start + 2, 2);
        MemorySegment.copy(jpeg, end, slim, start + 4, jpeg.byteSize() - end);
      }
    }
    return slim;
  }

  private static byte[] standard() {
    byte[] all = new byte[2 * (33 + 183)];
    var to = MemorySegment.ofArray(all);
    long at = 0;
    for (int slot = 0; slot < 2; slot++) {
      for (int kind = 0; kind < 2; kind++) {
        MemorySegment table = StandardTables.table(kind, slot);
        Markers.putU16(to, at, 0xff00 | Markers.DHT);
        Markers.putU16(to, at + 2, (int) table.byteSize() + 3);
        all[(int) at + 4] = (byte) (16 * kind + slot);
        MemorySegment.copy(table, 0, to, at + 5, table.byteSize());
        at += 5 + table.byteSize();
      }
    }
    return all;
  }

  /// Takes the Huffman codes of the JPEG: where it leaves one out, the standard's.
  private void readCodes(MemorySegment stored) throws DecodeException {
    readScan(stored);
    for (int i = 0; i < scan.count(); i++) {
      dcOf[i] = code(stored, 0, scan.dcTable(i));
      acOf[i] = code(stored, 1, scan.acTable(i));
    }
  }

  private void readScan(MemorySegment stored) throws DecodeException {
    long start = header.jpeg().firstScan() + 4;
    scan.read(header.jpeg(), stored, start, start - 2 + u16(stored, start - 2));
  }

  private HuffmanCode code(MemorySegment stored, int kind, int slot) throws DecodeException {
    HuffmanCode code = codes[4 * kind + slot];
    long at = header.jpeg().huffmanTable(kind, slot);
    if (at == 0) {
      if (slot > 1) {
        throw corrupt("no Huffman table %d".formatted(slot));
      }
      code.standard(StandardTables.table(kind, slot));
      return code;
    }
    long symbols = 0;
    for (int length = 0; length < HuffmanTable.LONGEST; length++) {
      symbols += u8(stored, at + length);
    }
    if (symbols > 256 || symbols > stored.byteSize() - at - HuffmanTable.LONGEST) {
      throw corrupt("a Huffman table of %d codes".formatted(symbols));
    }
    code.standard(stored.asSlice(at, HuffmanTable.LONGEST + symbols));
    return code;
  }

  /// Reads the blocks of a row of tiles.
  private void read(int tileRow) throws DecodeException {
    for (int c = 0; c < header.components(); c++) {
      int size = stride(c) * header.tileRows() * header.down(c);
      if (means[c].length < size) {
        means[c] = new short[size];
        masks[c] = new long[size];
        starts[c] = new int[size];
      }
    }
    int end = 0;
    for (int column = 0; column < tilesWide; column++) {
      tiles.read(tileRow, firstTile + column);
      blocks.start(tiles);
      int most = end + 64 * tiles.blocks() + TileReader.SLACK;
      if (values.length < most) {
        values = Arrays.copyOf(values, Math.max(most, 2 * values.length));
      }
      for (int c = 0; c < header.components(); c++) {
        if (c == 1) {
          blocks.second();
        }
        short[] mean = means[c];
        long[] mask = masks[c];
        int[] start = starts[c];
        int stride = stride(c);
        int count = header.columnsOf(firstTile + column) * header.across(c);
        int left = column * header.tileColumns() * header.across(c);
        int bottom = left + stride * header.rowsOf(tileRow) * header.down(c);
        for (int row = left; row < bottom; row += stride) {
          for (int at = row; at < row + count; at++) {
            mean[at] = (short) tiles.means[blocks.block];
            mask[at] = tiles.masks[blocks.block];
            start[at] = end;
            end = blocks.copy(values, end);
          }
        }
      }
    }
  }

  private int stride(int component) {
    return mcus * header.across(component);
  }

  private void mcu(int row, int column, JpegOutput to) throws DecodeException {
    for (int i = 0; i < scan.count(); i++) {
      int c = scan.component(i);
      for (int y = 0; y < header.down(c); y++) {
        int at = (row * header.down(c) + y) * stride(c) + column * header.across(c);
        for (int end = at + header.across(c); at < end; at++) {
          int difference = means[c][at] - before[c];
          before[c] = means[c][at];
          int lacking = to.block(dcOf[i], acOf[i], difference, masks[c][at], values, starts[c][at]);
          if (lacking >= 0) {
            throw corrupt("the JPEG's tables have no code for symbol %02x".formatted(lacking));
          }
        }
      }
    }
  }
}
