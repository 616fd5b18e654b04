package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// A Huffman table for reading (ITU-T T.81, annex C and F.2.2.3): a reusable holder.
///
/// One look-up of the next bits gives the symbol of a short code, and where its extra bits are
/// among them its value too.
public final class HuffmanTable {
  /// Bits that are looked up at once.
  public static final int LOOK = 10;

  /// Longest code.
  public static final int LONGEST = 16;

  /// Set in an entry whose value is known.
  public static final int RESOLVED = 1 << 5;

  /// By the next bits: bits consumed (0 to 4), [#RESOLVED], symbol (8 to 15), value (16 to 31). 0
  /// where the code is longer than [#LOOK] bits or there is none.
  public final int[] look = new int[1 << LOOK];

  /// By length: first code too large for it, with zeros behind to make 16 bits.
  private final int[] limit = new int[LONGEST + 1];

  /// By length: index of its first symbol, less its first code.
  private final int[] offset = new int[LONGEST + 1];

  private final byte[] symbols = new byte[256];
  private boolean defined;

  /// Whether there are as many codes as can be: none of all ones (T.81, annex C).
  private boolean sound;

  private int mostSymbol;

  void clear() {
    defined = false;
  }

  boolean defined() {
    return defined;
  }

  /// {@return whether its codes are possible: it may be there, but not be used, if not}
  boolean sound() {
    return sound;
  }

  /// {@return the largest symbol}
  int mostSymbol() {
    return mostSymbol;
  }

  /// Reads one table of a DHT segment: sixteen counts, then the symbols.
  ///
  /// @return offset just after it
  long read(MemorySegment bytes, long at, long end) throws DecodeException {
    if (end - at < LONGEST) {
      throw corrupt("Huffman table of %d bytes".formatted(end - at), at);
    }
    long from = at + LONGEST;
    int total = 0;
    int code = 0;
    sound = true;
    mostSymbol = 0;
    for (int length = 1; length <= LONGEST; length++) {
      int count = u8(bytes, at + length - 1);
      code <<= 1;
      offset[length] = total - code;
      code += count;
      total += count;
      if (total > 256 || total > end - from) {
        throw corrupt("Huffman table with too many codes of %d bits".formatted(length), at);
      }
      sound &= count == 0 || code < 1 << length;
      limit[length] = code << (LONGEST - length);
    }
    for (int i = 0; i < total; i++) {
      symbols[i] = (byte) u8(bytes, from + i);
      mostSymbol = Math.max(mostSymbol, symbols[i] & 0xff);
    }
    if (sound) {
      fill();
    }
    defined = true;
    return from + total;
  }

  private void fill() {
    for (int i = 0; i < look.length; i++) {
      int entry = find(i << (LONGEST - LOOK), LOOK);
      int length = entry & 31;
      int size = (entry >>> 8) & 15;
      if (size > 0 && length + size <= LOOK) {
        int extra = (i >>> (LOOK - length - size)) & ((1 << size) - 1);
        entry = (entry + size) | RESOLVED | (extend(extra, size) << 16);
      }
      look[i] = entry;
    }
  }

  /// {@return the code that `bits`, 16 of them, begin with: its length and, from bit 8, its
  ///     symbol; 0 if there is none of at most `longest` bits}
  private int find(int bits, int longest) {
    for (int length = 1; length <= longest; length++) {
      if (bits < limit[length]) {
        int symbol = symbols[(bits >>> (LONGEST - length)) + offset[length]] & 0xff;
        return length | (symbol << 8);
      }
    }
    return 0;
  }

  /// {@return the same for a code of any length}
  public int find(int bits) {
    return find(bits, LONGEST);
  }

  /// {@return the number that `size` extra bits mean (T.81, F.2.2.1, EXTEND)}
  public static int extend(int extra, int size) {
    return extra < 1 << (size - 1) ? extra - (1 << size) + 1 : extra;
  }
}
