package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.jpeg.tiles.Markers.u16;
import static io.headrace.codec.jpeg.tiles.Markers.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
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
  private static final int MAX_BLOCKS = 10;

  /// Largest number of bits of a DC difference in baseline (T.81, F.1.2.1.2).
  private static final int MAX_DC_BITS = 11;

  private static final int END_OF_BLOCK = 0;
  private static final int SIXTEEN_ZEROS = 0xf0;

  private final HuffmanReader reader = new HuffmanReader();
  private final BitWriter writer = new BitWriter();
  private final HuffmanCode[] dc = {new HuffmanCode(), new HuffmanCode()};
  private final HuffmanCode[] ac = {new HuffmanCode(), new HuffmanCode()};
  private final int[] ids = new int[MAX];
  private final int[] scanIds = new int[MAX];
  private final int[] dcTable = new int[MAX];
  private final int[] acTable = new int[MAX];

  /// Component of each block of an MCU.
  private final int[] blocks = new int[MAX_BLOCKS];

  private MemorySegment jpeg = MemorySegment.NULL;
  private JpegHeader header = new JpegHeader();

  /// DC of each component's last block, as read and as written.
  private final int[] read = new int[MAX];
  private final int[] written = new int[MAX];
  private int blockCount;
  private int components;
  private int firstByte;
  private int inInterval;
  private int inColumns;
  private int outColumns;
  private int rows;
  private boolean writing;

  /// Takes up a JPEG whose header was read.
  void reset(MemorySegment jpeg, JpegHeader header) {
    reader.reset(jpeg);
    this.jpeg = jpeg;
    this.header = header;
    components = header.components();
    inInterval = header.restartInterval();
  }

  void define(long start, long end) throws DecodeException {
    reader.define(start, end);
  }

  /// Reads which components the frame has.
  void frame(long start) {
    for (int i = 0; i < components; i++) {
      ids[i] = u8(jpeg, start + 6 + 3L * i);
    }
  }

  /// Reads the scan header, and lays out the blocks of an MCU in its order.
  void scan(long start, long end) throws DecodeException {
    if (end - start != 4 + 2L * components) {
      throw corrupt("scan header of %d bytes".formatted(end - start + 2));
    }
    firstByte = (int) end;
    blockCount = 0;
    int seen = 0;
    for (int i = 0; i < components; i++) {
      scanIds[i] = u8(jpeg, start + 1 + 2L * i);
      int tables = u8(jpeg, start + 2 + 2L * i);
      int component = component(scanIds[i]);
      if (component < 0 || ((seen >> component) & 1) == 1 || (tables & 0xcc) != 0) {
        throw corrupt("scan of component %d with tables %02x".formatted(scanIds[i], tables));
      }
      seen |= 1 << component;
      dcTable[i] = HuffmanReader.table(0, tables >> 4);
      acTable[i] = HuffmanReader.table(1, tables & 15);
      reader.require(dcTable[i]);
      reader.require(acTable[i]);
      int count =
          components == 1
              ? 1
              : header.horizontalFactor(component) * header.verticalFactor(component);
      if (blockCount + count > MAX_BLOCKS) {
        throw corrupt("MCUs of more than 10 blocks");
      }
      for (int b = 0; b < count; b++) {
        blocks[blockCount++] = i;
      }
    }
  }

  private int component(int id) {
    for (int i = 0; i < components; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
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
    for (int i = 0; i < 2; i++) {
      dc[i].clear();
      ac[i].clear();
    }
    writing = false;
    run(interval, null, null);
    for (int i = 0; i < Math.min(components, 2); i++) {
      dc[i].make();
      ac[i].make();
    }
  }

  long writeTables(MemorySegment to, long at) {
    u16(to, at, 0xff00 | Markers.DHT);
    long end = at + 4;
    for (int i = 0; i < Math.min(components, 2); i++) {
      end += dc[i].write(to, end, i);
      end += ac[i].write(to, end, 0x10 | i);
    }
    u16(to, at + 2, (int) (end - at - 2));
    return end;
  }

  long writeScanHeader(MemorySegment to, long at) {
    u16(to, at, 0xff00 | Markers.SOS);
    u16(to, at + 2, 6 + 2 * components);
    to.set(JAVA_BYTE, at + 4, (byte) components);
    long p = at + 5;
    for (int i = 0; i < components; i++) {
      to.set(JAVA_BYTE, p++, (byte) scanIds[i]);
      to.set(JAVA_BYTE, p++, (byte) (i == 0 ? 0 : 0x11));
    }
    to.set(JAVA_BYTE, p, (byte) 0);
    to.set(JAVA_BYTE, p + 1, (byte) 63); // all coefficients, in full precision
    to.set(JAVA_BYTE, p + 2, (byte) 0);
    return p + 3;
  }

  /// Writes the coded data.
  ///
  /// @param start offset in `out` behind the scan header
  /// @param tiles takes the offsets of the segments, if there are restarts
  /// @return bytes in `out` when done
  long write(int interval, Block out, long start, TileTable tiles) throws DecodeException {
    writing = true;
    writer.begin(out, start);
    tiles.add(offset(start));
    return run(interval, out, tiles);
  }

  private long run(int interval, @Nullable Block out, @Nullable TileTable tiles)
      throws DecodeException {
    reader.seek(firstByte);
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
          writer.room(out);
        }
        if (column < outColumns && interval > 0 && done == interval) {
          if (out != null && tiles != null) {
            tiles.add(offset(writer.marker(Markers.RST0 + (restarts & 7))));
          }
          restarts++;
          done = 0;
          Arrays.fill(written, 0);
        }
        if (column < inColumns) {
          if (inInterval > 0 && in == inInterval) {
            reader.restart(inRestarts++);
            in = 0;
            Arrays.fill(read, 0);
          }
          mcu(column < outColumns);
          reader.check();
          in++;
        } else {
          padding();
        }
        done += column < outColumns ? 1 : 0;
      }
    }
    if (out == null || tiles == null) {
      return 0;
    }
    writer.room(out);
    long end = writer.marker(Markers.EOI);
    tiles.add(offset(end));
    return end;
  }

  private static int offset(long bytes) throws DecodeException {
    if (bytes > Integer.MAX_VALUE) {
      throw new DecodeException(Fault.LIMIT, "jpeg: more than 2 GiB when cut into tiles");
    }
    return (int) bytes;
  }

  private void padding() {
    for (int b = 0; b < blockCount; b++) {
      int kind = Math.min(blocks[b], 1);
      put(dc[kind], 0, 0, 0);
      put(ac[kind], END_OF_BLOCK, 0, 0);
    }
  }

  private void mcu(boolean kept) throws DecodeException {
    for (int b = 0; b < blockCount; b++) {
      int i = blocks[b];
      int kind = Math.min(i, 1);
      int bits = reader.symbol(dcTable[i]);
      if (bits > MAX_DC_BITS) {
        throw corrupt("DC difference of %d bits".formatted(bits));
      }
      int raw = reader.take(bits);
      read[i] += bits > 0 && (raw >> (bits - 1)) == 0 ? raw - (1 << bits) + 1 : raw;
      if (kept) {
        dc(dc[kind], read[i] - written[i]);
        written[i] = read[i];
      }
      ac(acTable[i], kept ? ac[kind] : null);
    }
  }

  private void dc(HuffmanCode code, int difference) throws DecodeException {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.abs(difference));
    if (bits > MAX_DC_BITS) {
      throw corrupt("DC coefficient out of range");
    }
    int raw = difference < 0 ? difference + (1 << bits) - 1 : difference;
    put(code, bits, raw, bits);
  }

  private void ac(int table, @Nullable HuffmanCode code) throws DecodeException {
    int k = 1;
    while (k < 64) {
      int symbol = reader.symbol(table);
      int bits = symbol & 15;
      k += (symbol >> 4) + 1;
      if (symbol == END_OF_BLOCK) {
        k = 64;
      } else if (k > 64 || (bits == 0 && symbol != SIXTEEN_ZEROS)) {
        throw corrupt("AC symbol %02x before coefficient %d".formatted(symbol, k));
      }
      int raw = reader.take(bits);
      if (code != null) {
        put(code, symbol, raw, bits);
      }
    }
  }

  private void put(HuffmanCode code, int symbol, int raw, int bits) {
    if (writing) {
      writer.put((code.code(symbol) << bits) | raw, code.length(symbol) + bits);
    } else {
      code.count(symbol);
    }
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "jpeg: " + what);
  }
}
