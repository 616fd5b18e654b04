package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.StandardTables;
import java.lang.foreign.MemorySegment;

/// What the blocks of a usual baseline JPEG are read with: 8 bits, grey or luminance and two of
/// chrominance, one scan, and the end marker last. A reusable holder.
public final class PlainScan {
  private static final int MAX_COMPONENTS = 3;

  private final CodeTable[] dcTables = new CodeTable[4];
  private final CodeTable[] acTables = new CodeTable[4];

  // By component:
  public final CodeTable[] dc = new CodeTable[MAX_COMPONENTS];
  public final CodeTable[] ac = new CodeTable[MAX_COMPONENTS];

  /// Factors in the order of the zigzag.
  public final int[][] quantisation = new int[MAX_COMPONENTS][64];

  /// Blocks of an MCU, across and down.
  public final int[] columns = new int[MAX_COMPONENTS];

  public final int[] rows = new int[MAX_COMPONENTS];

  private int components;
  private long start;

  public PlainScan() {
    for (int i = 0; i < 4; i++) {
      dcTables[i] = new CodeTable(true);
      acTables[i] = new CodeTable(false);
    }
  }

  /// Reads the tables.
  ///
  /// @param header as read from the JPEG
  /// @return whether it is such a JPEG
  public boolean read(MemorySegment jpeg, JpegHeader header) {
    if (!header.inPlanes()
        || header.progressive()
        || header.arithmetic()
        || header.multipleScans()
        || header.bitDepth() != 8
        || u16(jpeg, jpeg.byteSize() - 2) != 0xffd9) {
      return false;
    }
    components = header.components();
    long at = header.firstScan() + 4;
    if (u8(jpeg, at) != components || u16(jpeg, at - 2) != 6 + 2 * components) {
      return false;
    }
    start = at + 4 + 2L * components;
    for (int i = 0; i < components; i++) {
      int slots = u8(jpeg, at + 2 + 2L * i);
      int dcSlot = slots >> 4;
      int acSlot = slots & 15;
      if (u8(jpeg, at + 1 + 2L * i) != header.id(i) || dcSlot > 3 || acSlot > 3) {
        return false;
      }
      if (!table(0, dcSlot, dcTables[dcSlot], jpeg, header)
          || !table(1, acSlot, acTables[acSlot], jpeg, header)
          || !header.copyQuantisation(i, quantisation[i])) {
        return false;
      }
      dc[i] = dcTables[dcSlot];
      ac[i] = acTables[acSlot];
      columns[i] = header.horizontalFactor(i);
      rows[i] = header.verticalFactor(i);
    }
    return u8(jpeg, start - 3) == 0 && u8(jpeg, start - 2) == 63;
  }

  /// Reads a table: where the file leaves it out, the standard's.
  private static boolean table(
      int kind, int slot, CodeTable table, MemorySegment jpeg, JpegHeader header) {
    long at = header.huffmanTable(kind, slot);
    return at > 0
        ? table.read(jpeg, at)
        : slot < 2 && table.read(StandardTables.table(kind, slot), 0);
  }

  /// {@return 1 or 3}
  public int components() {
    return components;
  }

  /// {@return offset of the coded data}
  public long start() {
    return start;
  }
}
