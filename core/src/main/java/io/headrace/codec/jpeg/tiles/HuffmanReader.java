package io.headrace.codec.jpeg.tiles;

import static io.headrace.codec.jpeg.tiles.Markers.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.StandardTables;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reads Huffman-coded bits of a JPEG scan (ITU-T T.81, F.2.2), with the codes of its DHT segments.
///
/// Codes up to 9 bits long take one look-up, longer ones a comparison for each further bit. Behind
/// a marker zeros are read; [#check] tells.
final class HuffmanReader {
  private static final int LOOK = 9;
  private static final int LONGEST = 16;
  private static final int TABLES = 8;

  /// Length << 8 | symbol of the code that the next bits start with; 0 if it is longer.
  private final short[][] look = new short[TABLES][1 << LOOK];

  /// First number that is no code of each length, left-aligned to 16 bits; grows with the length.
  private final int[][] limit = new int[TABLES][LONGEST + 2];

  /// What to add to a code of each length to get its place in [#symbols].
  private final int[][] shift = new int[TABLES][LONGEST + 1];

  private final byte[][] symbols = new byte[TABLES][256];
  private final boolean[] defined = new boolean[TABLES];

  private MemorySegment jpeg = MemorySegment.NULL;
  private int at;
  private int end;

  /// Bits read ahead, at the top; and their number.
  private long bits;

  private int count;

  /// How many of them were made up.
  private int invented;

  /// Forgets all codes and takes up `jpeg`.
  void reset(MemorySegment jpeg) {
    this.jpeg = jpeg;
    end = (int) jpeg.byteSize();
    Arrays.fill(defined, false);
  }

  /// Starts reading coded data.
  void seek(int offset) {
    at = offset;
    bits = 0;
    count = 0;
    invented = 0;
  }

  /// Reads the content of a DHT segment.
  void define(long start, long stop) throws DecodeException {
    long p = start;
    while (p < stop) {
      int head = u8(jpeg, p);
      int total = 0;
      for (int i = 1; i <= LONGEST && p + i < stop; i++) {
        total += u8(jpeg, p + i);
      }
      if ((head & 0xec) != 0 || total > 256 || p + 17 + total > stop) {
        throw corrupt("Huffman table %02x of %d codes".formatted(head, total));
      }
      define(table(head >> 4, head & 3), jpeg, p + 1, total);
      p += 17 + total;
    }
  }

  private void define(int table, MemorySegment from, long lengths, int total)
      throws DecodeException {
    short[] first = look[table];
    Arrays.fill(first, (short) 0);
    int code = 0;
    int symbol = 0;
    for (int length = 1; length <= LONGEST; length++) {
      code <<= 1;
      shift[table][length] = symbol - code;
      int codes = u8(from, lengths + length - 1);
      if (code + codes > 1 << length) {
        throw corrupt("Huffman table with %d codes of %d bits".formatted(codes, length));
      }
      for (int i = 0; i < codes; i++) {
        byte value = from.get(JAVA_BYTE, lengths + LONGEST + symbol);
        symbols[table][symbol++] = value;
        if (length <= LOOK) {
          int start = code << (LOOK - length);
          short entry = (short) ((length << 8) | (value & 0xff));
          Arrays.fill(first, start, start + (1 << (LOOK - length)), entry);
        }
        code++;
      }
      limit[table][length] = code << (LONGEST - length);
    }
    limit[table][LONGEST + 1] = Integer.MAX_VALUE;
    Arrays.fill(symbols[table], total, 256, (byte) 0);
    defined[table] = true;
  }

  /// {@return the number of a table}
  ///
  /// @param kind 0 for DC, 1 for AC
  /// @param id 0 to 3
  static int table(int kind, int id) {
    return 4 * kind + id;
  }

  /// Makes sure that a table is there: where the file leaves it out, the standard's.
  void require(int table) throws DecodeException {
    int slot = table & 3;
    if (!defined[table] && slot < 2) {
      MemorySegment standard = StandardTables.table(table >> 2, slot);
      define(table, standard, 0, (int) standard.byteSize() - LONGEST);
    }
    if (!defined[table]) {
      throw corrupt("scan uses Huffman table %d, which is not defined".formatted(table));
    }
  }

  /// {@return the next symbol}
  int symbol(int table) throws DecodeException {
    if (count < LONGEST) {
      fill();
    }
    int entry = look[table][(int) (bits >>> (64 - LOOK))];
    int length = entry >> 8;
    if (length == 0) {
      return longSymbol(table);
    }
    bits <<= length;
    count -= length;
    return entry & 0xff;
  }

  private int longSymbol(int table) throws DecodeException {
    int ahead = (int) (bits >>> 48);
    int[] limits = limit[table];
    int length = LOOK + 1;
    while (ahead >= limits[length]) {
      length++;
    }
    if (length > LONGEST) {
      throw corrupt("no Huffman code starts with %04x".formatted(ahead));
    }
    bits <<= length;
    count -= length;
    return symbols[table][(ahead >> (LONGEST - length)) + shift[table][length]] & 0xff;
  }

  /// {@return the next `length` bits, 0 to 16}
  int take(int length) {
    if (count < length) {
      fill();
    }
    int value = (int) (bits >>> 1 >>> (63 - length)); // a shift by 64 would be none
    bits <<= length;
    count -= length;
    return value;
  }

  private void fill() {
    while (count <= 56) {
      int value = at < end ? u8(jpeg, at) : 0xff;
      if (value == 0xff && (at + 1 >= end || u8(jpeg, at + 1) != 0)) {
        invented += 8; // a marker, or the end
        count += 8;
        continue;
      }
      at += value == 0xff ? 2 : 1;
      bits |= (long) value << (56 - count);
      count += 8;
    }
  }

  /// @throws DecodeException with [Fault#TRUNCATED] if bits were read that are not there
  void check() throws DecodeException {
    if (count < invented) {
      throw new DecodeException(
          Fault.TRUNCATED, "jpeg: coded data ends early, at byte %d".formatted(at));
    }
  }

  /// Goes on behind the next marker, which must be that restart marker.
  void restart(int number) throws DecodeException {
    check();
    int marker = Markers.find(jpeg, at, end);
    while (marker + 1 < end && u8(jpeg, marker + 1) == 0xff) {
      marker++;
    }
    if (marker + 1 >= end || u8(jpeg, marker + 1) != Markers.RST0 + (number & 7)) {
      throw corrupt("no restart marker %d at byte %d".formatted(number & 7, marker));
    }
    seek(marker + 2);
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "jpeg: " + what);
  }
}
