package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.entropy.EntropyTables;
import io.headrace.codec.jpeg.entropy.HuffmanCode;
import io.headrace.codec.jpeg.entropy.HuffmanTable;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.codec.jpeg.entropy.PackageMerge;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.codec.jpeg.entropy.SymbolBits;
import io.headrace.codec.jpeg.entropy.SymbolPairs;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the symbols of one interleaved scan and counts or writes them, with other restarts and
/// another width (ITU-T T.81, F.1.2 and F.2.2).
///
/// Only DC differences depend on restarts, so those are computed anew; every other symbol and its
/// extra bits go through as they are. The first component gets its own tables, the others share
/// theirs, however they were read.
final class Recoder {
  private static final int MAX = 3;

  /// Tables of each class: one for the first component, one for the others.
  private static final int KINDS = 2;

  /// Largest number of bits of a DC difference in baseline (T.81, F.1.2.1.2).
  private static final int MAX_DC_BITS = 11;

  private static final int END_OF_BLOCK = 0;

  /// More bytes than one MCU takes: 10 blocks of 64 coefficients of 32 bits, every byte stuffed.
  private static final int MCU_BYTES = 8192;

  private final SymbolBits reader = new SymbolBits();
  private final EntropyTables tables = new EntropyTables();
  private final ScanHeader scan = new ScanHeader();
  private final PackageMerge[] counts = new PackageMerge[2 * KINDS];
  private final HuffmanCode[] codes = new HuffmanCode[2 * KINDS];

  // By component:
  private final HuffmanTable[] dcTables = new HuffmanTable[MAX];
  private final HuffmanTable[] acTables = new HuffmanTable[MAX];
  private final SymbolPairs[] pairs = new SymbolPairs[MAX];

  /// Symbols of columns that are not written.
  private final SymbolPairs unwritten = new SymbolPairs();

  private final int[] skipped = new int[256];

  /// Component of each block of an MCU.
  private final int[] blocks = new int[ScanHeader.MAX_BLOCKS];

  private MemorySegment jpeg = MemorySegment.NULL;
  private JpegHeader header = new JpegHeader();

  /// DC of each component's last block, as read and as written.
  private final int[] read = new int[MAX];
  private final int[] written = new int[MAX];
  private int blockCount;
  private int components;
  private long firstByte;
  private int inInterval;
  private int inColumns;
  private int outColumns;
  private int rows;

  Recoder() {
    Arrays.setAll(counts, _ -> new PackageMerge());
    Arrays.setAll(codes, _ -> new HuffmanCode());
    Arrays.setAll(pairs, _ -> new SymbolPairs());
  }

  /// Takes up a JPEG whose header was read.
  void reset(MemorySegment jpeg, JpegHeader header) {
    tables.clear();
    this.jpeg = jpeg;
    this.header = header;
    components = header.components();
    inInterval = header.restartInterval();
  }

  /// Reads the content of a DHT segment.
  void define(long start, long end) throws DecodeException {
    tables.readHuffman(jpeg, start, end);
  }

  /// Reads the scan header, and lays out the blocks of an MCU in its order.
  void scan(long start, long end) throws DecodeException {
    scan.read(header, jpeg, start, end);
    firstByte = end;
    blockCount = 0;
    for (int i = 0; i < components; i++) {
      tables.requireHuffman(0, scan.dcTable(i), true, start);
      tables.requireHuffman(1, scan.acTable(i), true, start);
      dcTables[i] = tables.dc(scan.dcTable(i));
      acTables[i] = tables.ac(scan.acTable(i));
      int component = scan.component(i);
      int count =
          components == 1
              ? 1
              : header.horizontalFactor(component) * header.verticalFactor(component);
      for (int b = 0; b < count; b++) {
        blocks[blockCount++] = i;
      }
    }
  }

  /// Sets MCUs in a row, as read and as written, and rows.
  void grid(int inColumns, int outColumns, int rows) {
    this.inColumns = inColumns;
    this.outColumns = outColumns;
    this.rows = rows;
  }

  /// Counts the symbols that [#write] will write.
  ///
  /// @param interval MCUs between restarts; 0 for none
  void count(int interval) throws DecodeException {
    for (PackageMerge symbols : counts) {
      symbols.clear();
    }
    for (int i = 0; i < components; i++) {
      pairs[i].read(acTables[i]);
    }
    run(interval, null, null);
    for (int i = 0; i < components; i++) {
      pairs[i].addTo(counts[KINDS + Math.min(i, 1)].counts());
    }
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      codes[kind].ofLengths(counts[kind].lengths());
      codes[KINDS + kind].ofLengths(counts[KINDS + kind].lengths());
    }
    for (int i = 0; i < components; i++) {
      pairs[i].write(acTables[i], codes[KINDS + Math.min(i, 1)]);
    }
  }

  /// Writes the DHT segment.
  void writeTables(JpegOutput out) throws DecodeException {
    int bytes = 0;
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      bytes += codes[kind].bytes() + codes[KINDS + kind].bytes();
    }
    out.segment(Markers.DHT, bytes);
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      codes[kind].writeTable(out, kind);
      codes[KINDS + kind].writeTable(out, KINDS + kind);
    }
  }

  void writeScanHeader(JpegOutput out) throws DecodeException {
    out.segment(Markers.SOS, 4 + 2L * components);
    out.u8(components);
    for (int i = 0; i < components; i++) {
      out.u8(header.id(scan.component(i)));
      out.u8(i == 0 ? 0 : 0x11);
    }
    out.u8(0);
    out.u8(63); // all coefficients, in full precision
    out.u8(0);
  }

  /// Writes the coded data and the end marker.
  ///
  /// @param out ends with the scan header
  /// @param tiles takes the offsets of the segments, if there are restarts
  void write(int interval, JpegOutput out, TileTable tiles) throws DecodeException {
    tiles.add(offset(out.size()));
    run(interval, out, tiles);
  }

  private void run(int interval, @Nullable JpegOutput out, @Nullable TileTable tiles)
      throws DecodeException {
    reader.load(jpeg, firstByte);
    Arrays.fill(read, 0);
    Arrays.fill(written, 0);
    int columns = Math.max(inColumns, outColumns);
    int in = 0;
    int inRestarts = 0;
    int done = 0;
    int restarts = 0;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        if (out != null) {
          out.room(MCU_BYTES);
        }
        if (column < outColumns && interval > 0 && done == interval) {
          marker(Markers.RST0 + (restarts & 7), out, tiles);
          restarts++;
          done = 0;
          Arrays.fill(written, 0);
        }
        if (column < inColumns) {
          if (inInterval > 0 && in == inInterval) {
            restart(inRestarts++);
            in = 0;
            Arrays.fill(read, 0);
          }
          mcu(column < outColumns, out);
          reader.requireData();
          in++;
        } else {
          padding(out);
        }
        done += column < outColumns ? 1 : 0;
      }
    }
    marker(Markers.EOI, out, tiles);
  }

  /// Ends a segment.
  private static void marker(int marker, @Nullable JpegOutput out, @Nullable TileTable tiles)
      throws DecodeException {
    if (out != null && tiles != null) {
      out.endBits();
      out.marker(marker);
      tiles.add(offset(out.size()));
    }
  }

  /// Goes on after the marker that ends the data, which must be that restart marker.
  private void restart(int number) throws DecodeException {
    long at = reader.marker();
    if (at < 0 || u8(jpeg, at + 1) != Markers.RST0 + (number & 7)) {
      throw corrupt("no restart marker %d".formatted(number & 7), reader.end());
    }
    reader.load(at + 2);
  }

  private static int offset(long bytes) throws DecodeException {
    if (bytes > Integer.MAX_VALUE) {
      throw new DecodeException(Fault.LIMIT, "jpeg: more than 2 GiB when cut into tiles");
    }
    return (int) bytes;
  }

  private void padding(@Nullable JpegOutput out) {
    for (int b = 0; b < blockCount; b++) {
      int kind = Math.min(blocks[b], 1);
      put(kind, 0, 0, 0, out);
      put(KINDS + kind, END_OF_BLOCK, 0, 0, out);
    }
  }

  private void mcu(boolean kept, @Nullable JpegOutput out) throws DecodeException {
    for (int b = 0; b < blockCount; b++) {
      int i = blocks[b];
      int kind = Math.min(i, 1);
      int value = read[i] + reader.difference(dcTables[i], MAX_DC_BITS);
      read[i] = value;
      HuffmanTable ac = acTables[i];
      if (!kept) {
        reader.count(ac, unwritten, skipped);
        continue;
      }
      dc(kind, value - written[i], out);
      written[i] = value;
      if (out == null) {
        reader.count(ac, pairs[i], counts[KINDS + kind].counts());
      } else {
        reader.copy(ac, pairs[i], codes[KINDS + kind], out);
      }
    }
  }

  private void dc(int slot, int difference, @Nullable JpegOutput out) throws DecodeException {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.abs(difference));
    if (bits > MAX_DC_BITS) {
      throw corrupt("DC coefficient out of range", firstByte);
    }
    put(slot, bits, difference < 0 ? difference + (1 << bits) - 1 : difference, bits, out);
  }

  private void put(int slot, int symbol, int raw, int bits, @Nullable JpegOutput out) {
    if (out == null) {
      counts[slot].counts()[symbol]++;
    } else {
      out.symbol(codes[slot], symbol, raw, bits);
    }
  }
}
