package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;

import io.headrace.codec.jpeg.StandardTables;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// What DQT, DHT and DRI segments have defined so far (ITU-T T.81, B.2.4).
public final class EntropyTables {
  private static final int SLOTS = 4;

  /// Factors of a quantisation table.
  private static final int SIZE = 64;

  /// Bits of the largest DC difference that libjpeg takes.
  private static final int MAX_DC_BITS = 15;

  private final int[][] quantisation = new int[SLOTS][SIZE];
  private final HuffmanTable[] dc = new HuffmanTable[SLOTS];
  private final HuffmanTable[] ac = new HuffmanTable[SLOTS];
  private int quantisationDefined;
  private int restartInterval;

  public EntropyTables() {
    for (int i = 0; i < SLOTS; i++) {
      dc[i] = new HuffmanTable();
      ac[i] = new HuffmanTable();
    }
  }

  public void clear() {
    quantisationDefined = 0;
    restartInterval = 0;
    for (int i = 0; i < SLOTS; i++) {
      dc[i].clear();
      ac[i].clear();
    }
  }

  public void readQuantisation(MemorySegment jpeg, long start, long end) throws DecodeException {
    long at = start;
    while (at < end) {
      int head = u8(jpeg, at++);
      int wide = head >> 4;
      int slot = head & 15;
      if (wide > 1 || slot >= SLOTS || end - at < (long) SIZE << wide) {
        throw corrupt("quantisation table header %02x".formatted(head), at - 1);
      }
      for (int k = 0; k < SIZE; k++) {
        quantisation[slot][k] = wide == 0 ? u8(jpeg, at) : u16(jpeg, at);
        at += 1 + wide;
      }
      quantisationDefined |= 1 << slot;
    }
  }

  public void readHuffman(MemorySegment jpeg, long start, long end) throws DecodeException {
    long at = start;
    while (at < end) {
      int head = u8(jpeg, at++);
      if (head >> 4 > 1 || (head & 15) >= SLOTS) {
        throw corrupt("Huffman table header %02x".formatted(head), at - 1);
      }
      at = (head >> 4 == 0 ? dc : ac)[head & 15].read(jpeg, at, end);
    }
  }

  /// Checks a segment of arithmetic coding, which says nothing to Huffman codes, as libjpeg does:
  /// pairs of an index, 0 to 31, and of a value, whose lower half is at most its upper for DC.
  public static void checkConditioning(MemorySegment jpeg, long start, long end)
      throws DecodeException {
    boolean sound = (end - start) % 2 == 0;
    for (long at = start; sound && at < end; at += 2) {
      int index = u8(jpeg, at);
      int value = u8(jpeg, at + 1);
      sound = index < 16 ? (value & 15) <= value >> 4 : index < 32;
    }
    if (!sound) {
      throw corrupt("arithmetic conditioning out of range", start);
    }
  }

  public void readRestartInterval(MemorySegment jpeg, long start, long end) throws DecodeException {
    if (end - start != 2) {
      throw corrupt("restart interval of %d bytes".formatted(end - start), start);
    }
    restartInterval = u16(jpeg, start);
  }

  /// Makes sure that a quantisation table is there.
  ///
  /// @param slot as the file numbers it
  /// @param at where it is used
  public void requireQuantisation(int slot, long at) throws DecodeException {
    if (slot >= SLOTS || (quantisationDefined >> slot & 1) == 0) {
      throw corrupt("quantisation table %d is not defined".formatted(slot), at);
    }
  }

  /// Makes sure that a Huffman table is there. Motion JPEG frames leave out those that are the
  /// standard's: in a sequential picture libjpeg-turbo then takes them, and so do we.
  ///
  /// @param kind 0 for DC, 1 for AC
  /// @param at where it is used
  public void requireHuffman(int kind, int slot, boolean sequential, long at)
      throws DecodeException {
    HuffmanTable[] tables = kind == 0 ? dc : ac;
    if (!tables[slot].defined()) {
      if (!sequential || slot > 1) {
        throw corrupt(
            "%s Huffman table %d is not defined".formatted(kind == 0 ? "DC" : "AC", slot), at);
      }
      MemorySegment standard = StandardTables.table(kind, slot);
      tables[slot].read(standard, 0, standard.byteSize());
    }
    if (!tables[slot].sound() || (kind == 0 && tables[slot].mostSymbol() > MAX_DC_BITS)) {
      throw corrupt(
          "%s Huffman table %d is not one of a JPEG".formatted(kind == 0 ? "DC" : "AC", slot), at);
    }
  }

  /// {@return factors in the order of the zigzag, overwritten when the slot is defined again}
  public int[] quantisation(int slot) {
    return quantisation[slot];
  }

  public HuffmanTable dc(int slot) {
    return dc[slot];
  }

  public HuffmanTable ac(int slot) {
    return ac[slot];
  }

  /// {@return MCUs between restart markers; 0 if there are none}
  public int restartInterval() {
    return restartInterval;
  }
}
