package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.jpeg.entropy.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.RESOLVED;
import static io.headrace.codec.jpeg.entropy.SymbolBits.END;

import java.util.Arrays;

/// What one look at the next bits finds where AC symbols are counted or written in another code:
/// one symbol with its extra bits, or two. A reusable holder.
public final class SymbolPairs {
  /// More bits are not written at once.
  private static final int MAX_WRITTEN = 32;

  /// By the next bits: bits that the symbols take (0 to 7), steps they make in the zigzag (8 to
  /// 15), the symbols (16 to 23 and 24 to 31), and whether there is a second one (32). 0 if the
  /// first one takes more bits, or is none.
  private final long[] symbols = new long[1 << LOOK];

  /// By the next bits: bits that the symbols take (0 to 7), their steps (8 to 15), the number of
  /// bits that say the same in the other code (16 to 23), and these (32 to 63).
  final long[] written = new long[1 << LOOK];

  /// By the next bits: how often they were looked at.
  final int[] looks = new int[1 << LOOK];

  /// Takes the code that symbols are read in.
  public void read(HuffmanTable table) {
    Arrays.fill(looks, 0);
    for (int ahead = 0; ahead < symbols.length; ahead++) {
      long first = symbol(table.look[ahead]);
      long second = first == 0 || steps(first) >= END ? 0 : second(table, ahead, first);
      symbols[ahead] = second == 0 ? first : first + second;
    }
  }

  /// {@return what a second symbol adds to the first; 0 if there is none}
  private static long second(HuffmanTable table, int ahead, long first) {
    int taken = (int) first & 255;
    long second = symbol(table.look[(ahead << taken) & ((1 << LOOK) - 1)]);
    return second == 0 || taken + (second & 255) > LOOK
        ? 0
        : (second & 0xffff) | (second & 0xff_0000) << 8 | 1L << 32;
  }

  private static long symbol(int entry) {
    int symbol = (entry >>> 8) & 255;
    int size = symbol & 15;
    boolean extra = size > 0;
    if (entry == 0
        || (extra && (entry & RESOLVED) == 0)
        || (!extra && symbol != 0 && symbol != HuffmanCode.SIXTEEN_ZEROS)) {
      return 0;
    }
    int steps = symbol == 0 ? END : (symbol >> 4) + 1;
    return (entry & 31) | steps << 8 | symbol << 16;
  }

  private static int steps(long entry) {
    return (int) (entry >>> 8) & 255;
  }

  /// {@return bits taken (0 to 7) and steps (8 to 15) by the next bits}
  long[] symbols() {
    return symbols;
  }

  /// Counts each symbol as often as it was looked at.
  public void addTo(int[] counts) {
    for (int ahead = 0; ahead < looks.length; ahead++) {
      int times = looks[ahead];
      if (times > 0) {
        long entry = symbols[ahead];
        counts[(int) (entry >>> 16) & 255] += times;
        counts[(int) (entry >>> 24) & 255] += (int) (entry >>> 32) * times;
      }
    }
  }

  /// Takes the code that they are written in.
  public void write(HuffmanTable table, HuffmanCode code) {
    for (int ahead = 0; ahead < symbols.length; ahead++) {
      long entry = symbols[ahead];
      long out = 0;
      int length = 0;
      int place = ahead << (32 - LOOK);
      int taken = 0;
      int steps = 0;
      for (int i = 0; i <= entry >>> 32 && entry != 0; i++) {
        int symbol = (int) (entry >>> (16 + 8 * i)) & 255;
        int to = code.codes[symbol];
        int size = symbol & 15;
        int bits = table.look[place >>> (32 - LOOK)] & 31;
        int more = (to & 31) + size;
        if (to == 0 || length + more > MAX_WRITTEN) {
          break;
        }
        long extra = ((long) place << 32) << (bits - size) >>> 1 >>> (63 - size);
        out = (out << more) | (long) (to >>> 5) << size | extra;
        length += more;
        taken += bits;
        steps += symbol == 0 ? END : (symbol >> 4) + 1;
        place <<= bits;
      }
      written[ahead] = taken | steps << 8 | length << 16 | out << 32;
    }
  }
}
