package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.jpeg.Markers.corrupt;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

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

  /// By length: first code too large for it, followed by zeros to make 16 bits.
  private final int[] limit = new int[LONGEST + 1];

  /// By length: index of its first symbol, less its first code.
  private final int[] offset = new int[LONGEST + 1];

  private final byte[] counts = new byte[LONGEST + 1];
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
    MemorySegment.copy(bytes, JAVA_BYTE, at, counts, 1, LONGEST);
    int total = 0;
    int code = 0;
    sound = true;
    for (int length = 1; length <= LONGEST; length++) {
      int count = counts[length] & 0xff;
      code <<= 1;
      offset[length] = total - code;
      code += count;
      total += count;
      if (total > symbols.length || total > end - from) {
        throw corrupt("Huffman table with too many codes of %d bits".formatted(length), at);
      }
      sound &= count == 0 || code < 1 << length;
      limit[length] = code << (LONGEST - length);
    }
    MemorySegment.copy(bytes, JAVA_BYTE, from, symbols, 0, total);
    mostSymbol = 0;
    for (int i = 0; i < total; i++) {
      mostSymbol = Math.max(mostSymbol, symbols[i] & 0xff);
    }
    if (sound) {
      fill();
    }
    defined = true;
    return from + total;
  }

  private void fill() {
    int at = 0;
    int symbol = 0;
    for (int length = 1; length <= LOOK; length++) {
      for (int i = counts[length] & 0xff; i > 0; i--) {
        at = fill(at, length, symbols[symbol++] & 0xff);
      }
    }
    Arrays.fill(look, at, look.length, 0);
  }

  /// Fills the entries that begin with a code.
  ///
  /// @return index after them
  private int fill(int at, int length, int symbol) {
    int end = at + (1 << (LOOK - length));
    int size = symbol & 15;
    int left = LOOK - length - size;
    if (size == 0 || left < 0) {
      Arrays.fill(look, at, end, length | (symbol << 8));
      return end;
    }
    int entry = (length + size) | RESOLVED | (symbol << 8);
    for (int extra = 0; extra < 1 << size; extra++) {
      int place = at + (extra << left);
      Arrays.fill(look, place, place + (1 << left), entry | (extend(extra, size) << 16));
    }
    return end;
  }

  /// {@return the code that `bits`, 16 of them, begin with: its length and, from bit 8, its
  ///     symbol; 0 if there is none}
  public int find(int bits) {
    for (int length = 1; length <= LONGEST; length++) {
      if (bits < limit[length]) {
        int symbol = symbols[(bits >>> (LONGEST - length)) + offset[length]] & 0xff;
        return length | (symbol << 8);
      }
    }
    return 0;
  }

  /// {@return the number that `size` extra bits mean (T.81, F.2.2.1, EXTEND)}
  public static int extend(int extra, int size) {
    return extra < 1 << (size - 1) ? extra - (1 << size) + 1 : extra;
  }
}
