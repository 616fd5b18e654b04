package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.jpeg.coefficients.Markers.corrupt;
import static io.headrace.codec.jpeg.coefficients.Markers.u16;
import static io.headrace.codec.jpeg.coefficients.Markers.u8;

import io.headrace.codec.jpeg.StandardTables;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// What DQT, DHT and DRI segments have defined so far (ITU-T T.81, B.2.4).
final class EntropyTables {
  private static final int SLOTS = 4;

  /// Bits of the largest DC difference that libjpeg takes.
  private static final int MAX_DC_BITS = 15;

  private final int[][] quantisation = new int[SLOTS][Blocks.SIZE];
  private final HuffmanTable[] dc = new HuffmanTable[SLOTS];
  private final HuffmanTable[] ac = new HuffmanTable[SLOTS];
  private int quantisationDefined;
  private int restartInterval;

  EntropyTables() {
    for (int i = 0; i < SLOTS; i++) {
      dc[i] = new HuffmanTable();
      ac[i] = new HuffmanTable();
    }
  }

  void clear() {
    quantisationDefined = 0;
    restartInterval = 0;
    for (int i = 0; i < SLOTS; i++) {
      dc[i].clear();
      ac[i].clear();
    }
  }

  void readQuantisation(MemorySegment jpeg, long start, long end) throws DecodeException {
    long at = start;
    while (at < end) {
      int head = u8(jpeg, at++);
      int wide = head >> 4;
      int slot = head & 15;
      if (wide > 1 || slot >= SLOTS || end - at < (long) Blocks.SIZE << wide) {
        throw corrupt("quantisation table header %02x".formatted(head), at - 1);
      }
      for (int k = 0; k < Blocks.SIZE; k++) {
        quantisation[slot][k] = wide == 0 ? u8(jpeg, at) : u16(jpeg, at);
        at += 1 + wide;
      }
      quantisationDefined |= 1 << slot;
    }
  }

  void readHuffman(MemorySegment jpeg, long start, long end) throws DecodeException {
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
  static void checkConditioning(MemorySegment jpeg, long start, long end) throws DecodeException {
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

  void readRestartInterval(MemorySegment jpeg, long start, long end) throws DecodeException {
    if (end - start != 2) {
      throw corrupt("restart interval of %d bytes".formatted(end - start), start);
    }
    restartInterval = u16(jpeg, start);
  }

  /// Makes sure that the tables of a scan are there. Motion JPEG frames leave out Huffman tables
  /// that are the standard's: in a sequential picture libjpeg-turbo then takes those, and so do
  /// we.
  void require(JpegCoefficients picture, ScanHeader scan, long at) throws DecodeException {
    boolean sequential = !picture.progressive();
    for (int i = 0; i < scan.count(); i++) {
      JpegComponent component = picture.component(scan.component(i));
      int slot = component.quantisationSlot();
      if (!component.latched() && (slot >= SLOTS || (quantisationDefined >> slot & 1) == 0)) {
        throw corrupt("quantisation table %d is not defined".formatted(slot), at);
      }
      component.latch(quantisation[Math.min(slot, SLOTS - 1)]);
      if (sequential || (scan.first() == 0 && scan.high() == 0)) {
        requireHuffman(dc, 0, scan.dcTable(i), sequential, at);
      }
      if (sequential || scan.first() > 0) {
        requireHuffman(ac, 1, scan.acTable(i), sequential, at);
      }
    }
  }

  private static void requireHuffman(
      HuffmanTable[] tables, int kind, int slot, boolean sequential, long at)
      throws DecodeException {
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

  HuffmanTable dc(int slot) {
    return dc[slot];
  }

  HuffmanTable ac(int slot) {
    return ac[slot];
  }

  /// {@return MCUs between restart markers; 0 if there are none}
  int restartInterval() {
    return restartInterval;
  }
}
