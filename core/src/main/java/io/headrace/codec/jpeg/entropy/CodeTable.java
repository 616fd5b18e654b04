package io.headrace.codec.jpeg.entropy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A Huffman table of a JPEG (ITU-T T.81, annex C), for reading: a reusable holder, which keeps
/// what it has worked out as long as the same table comes again.
///
/// One look-up of the next bits gives a symbol's code, its extra bits and what they mean. Another
/// table, for blocks that nobody looks at, gives several symbols at once.
public final class CodeTable {
  /// Bits looked up at once of AC coefficients.
  static final int AC_LOOK = 11;

  /// Bits looked up at once of DC coefficients.
  static final int DC_LOOK = 10;

  /// Bits looked up at once while skipping.
  static final int SKIP_LOOK = 11;

  /// The most bits that a group of symbols takes.
  static final int MAX_SKIPPED = 18;

  /// Where an end of block is among skipped symbols.
  static final int SKIPPED = 1 << 15;

  /// Stands for steps of symbols that cannot be skipped: as many as leave a block from anywhere.
  /// No group makes more.
  private static final int UNSKIPPABLE = 64;

  /// Steps of an end of block: more than any coefficient's.
  static final int END = 128;

  /// Steps of an entry that does not hold a whole symbol, see [#complete]: more than any other's.
  static final int PART = 192;

  /// Longest code.
  private static final int LONGEST = 16;

  private static final int COUNTS = 16;
  private static final int MAX_SYMBOLS = 256;

  /// By the next bits: bits that a symbol takes with its extra bits (0 to 5), steps to its
  /// coefficient (8 to 15), and its value (16 to 31). Where code and extra bits are more than are
  /// looked up, no bits and [#PART] steps (0 to 15), then the bits of the code (16 to 19), its
  /// extra bits (20 to 23) and its steps (24 to 31); zeros if the code alone is longer.
  final int[] look;

  /// By the next bits, of AC coefficients: one symbol or two, whichever they hold. Bits that they
  /// take (0 to 7), steps they make (8 to 15), steps of the first (16 to 23), its bits (24 to 31),
  /// the values of the first (32 to 47) and the second (48 to 63); the same twice where there is
  /// one. Where [#look] has a part, its upper half (48 to 63) and [#PART] steps.
  final long[] pairs;

  private final int bits;
  private final boolean dc;

  /// By the next bits: bits that the symbols take (0 to 5), steps they make (8 to 14), and whether
  /// the last of them is an end of block, which makes none ([#SKIPPED], 15). No bits and
  /// [#UNSKIPPABLE] where the first code is longer, or takes too many bits.
  private char[] skip = new char[0];

  /// By the next bits: bits of a code and its extra bits (0 to 5), steps (8 to 15), bits of the
  /// code (16 to 19); 0 where it is longer than these.
  private int[] codes = new int[0];

  /// The table as it was read: counts of codes by length, then symbols.
  private final byte[] stored = new byte[COUNTS + MAX_SYMBOLS];

  private final MemorySegment kept = MemorySegment.ofArray(stored);
  private int storedBytes = -1;
  private boolean skips;

  /// By length: first code too large for it, followed by zeros to make 16 bits.
  private final int[] limit = new int[LONGEST + 1];

  /// By length: index of its first symbol, less its first code.
  private final int[] offset = new int[LONGEST + 1];

  /// @param dc whether symbols are sizes, rather than runs and sizes
  public CodeTable(boolean dc) {
    this.dc = dc;
    bits = dc ? DC_LOOK : AC_LOOK;
    look = new int[1 << bits];
    pairs = new long[dc ? 0 : 1 << bits];
  }

  /// Reads a table: sixteen counts, then the symbols.
  ///
  /// @return whether it is one of baseline JPEG
  public boolean read(MemorySegment jpeg, long at) {
    long left = jpeg.byteSize() - at;
    if (storedBytes > 0
        && left >= storedBytes
        && MemorySegment.mismatch(jpeg, at, at + storedBytes, kept, 0, storedBytes) < 0) {
      return true;
    }
    storedBytes = -1;
    skips = false;
    int total = 0;
    int code = 0;
    if (left < COUNTS) {
      return false;
    }
    MemorySegment.copy(jpeg, JAVA_BYTE, at, stored, 0, COUNTS);
    for (int length = 1; length <= LONGEST; length++) {
      int count = stored[length - 1] & 0xff;
      total += count;
      code = 2 * code + count;
      if ((count > 0 && code >= 1 << length) || total > MAX_SYMBOLS) {
        return false;
      }
    }
    int bytes = COUNTS + total;
    if (left < bytes) {
      return false;
    }
    MemorySegment.copy(jpeg, JAVA_BYTE, at + COUNTS, stored, COUNTS, total);
    for (int i = COUNTS; i < bytes; i++) {
      if (!usual(stored[i] & 0xff)) {
        return false;
      }
    }
    derive();
    storedBytes = bytes;
    return true;
  }

  /// {@return whether pixels of 8 bits make such symbols}
  private boolean usual(int symbol) {
    if (dc) {
      return symbol <= 11;
    }
    int size = symbol & 15;
    return size == 0 ? symbol == 0 || symbol == 0xf0 : size <= 10;
  }

  private void derive() {
    int code = 0;
    int symbol = 0;
    int at = 0;
    for (int length = 1; length <= LONGEST; length++) {
      code <<= 1;
      offset[length] = symbol - code;
      int count = stored[length - 1] & 0xff;
      for (int i = 0; i < count && length <= bits; i++) {
        at = enter(at, length, stored[COUNTS + symbol + i] & 0xff);
      }
      code += count;
      symbol += count;
      limit[length] = code << (LONGEST - length);
    }
    Arrays.fill(look, at, look.length, PART << 8);
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = pair(i);
    }
  }

  private long pair(int ahead) {
    int first = look[ahead];
    int length = first & 63;
    int steps = (first >>> 8) & 255;
    if (steps < END) {
      int second = look[(ahead << length) & ((1 << AC_LOOK) - 1)];
      int more = (second >>> 8) & 255;
      if (more < PART && length + (second & 63) <= AC_LOOK) {
        int both =
            (length + (second & 63)) | ((steps + more) << 8) | (steps << 16) | (length << 24);
        return both | (first >>> 16 & 0xffffL) << 32 | (long) (second >> 16) << 48;
      }
    }
    int alone = length | (steps << 8) | (steps << 16) | (length << 24);
    return (alone & 0xffff_ffffL)
        | (steps < PART ? (first >>> 16 & 0xffffL) << 32 : 0)
        | (long) (first >> 16) << 48;
  }

  private int steps(int symbol) {
    return dc ? 1 : symbol == 0 ? END : (symbol >> 4) + 1;
  }

  /// Fills the entries that begin with a code.
  ///
  /// @return index after them
  private int enter(int at, int length, int symbol) {
    int size = symbol & 15;
    int steps = steps(symbol);
    int left = bits - length - size;
    int end = at + (1 << (bits - length));
    if (left < 0) {
      Arrays.fill(look, at, end, (PART << 8) | (length << 16) | (size << 20) | (steps << 24));
      return end;
    }
    int next = at;
    for (int extra = 0; extra < 1 << size; extra++) {
      int entry = (length + size) | (steps << 8) | (value(extra, size) << 16);
      for (int i = 0; i < 1 << left; i++) {
        look[next++] = entry;
      }
    }
    return end;
  }

  /// {@return the number that extra bits mean (T.81, F.2.2.1, EXTEND)}
  private static int value(int extra, int size) {
    return size == 0 || extra >= 1 << (size - 1) ? extra : extra - (1 << size) + 1;
  }

  /// {@return the entry that a symbol of more bits than are looked up would have; 0 if there is no
  ///     such code}
  ///
  /// @param part the entry that was looked up
  /// @param ahead at least the next [#LONGEST] + 11 bits, the first highest
  int complete(int part, long ahead) {
    int length = (part >>> 16) & 15;
    if (length == 0) {
      return find(ahead);
    }
    int size = (part >>> 20) & 15;
    int extra = (int) ((ahead << length) >>> (64 - size));
    return (length + size) | (part >>> 16 & 0xff00) | (value(extra, size) << 16);
  }

  /// {@return the entry that any symbol would have; 0 if there is no such code}
  int find(long ahead) {
    int next = (int) (ahead >>> (64 - LONGEST));
    for (int length = 1; length <= LONGEST; length++) {
      if (next < limit[length]) {
        int symbol = stored[COUNTS + (next >>> (LONGEST - length)) + offset[length]] & 0xff;
        int size = symbol & 15;
        int extra = (int) ((ahead << length) >>> 32) >>> 1 >>> (31 - size);
        return (length + size) | (steps(symbol) << 8) | (value(extra, size) << 16);
      }
    }
    return 0;
  }

  /// {@return the table for skipping, made when first asked for}
  public char[] skip() {
    if (!skips) {
      if (skip.length == 0) {
        skip = new char[1 << SKIP_LOOK];
        codes = new int[1 << SKIP_LOOK];
      }
      deriveCodes();
      for (int i = 0; i < skip.length; i++) {
        skip[i] = (char) group(i);
      }
      skips = true;
    }
    return skip;
  }

  private void deriveCodes() {
    int symbol = COUNTS;
    int at = 0;
    for (int length = 1; length <= SKIP_LOOK; length++) {
      for (int i = stored[length - 1] & 0xff; i > 0; i--) {
        int value = stored[symbol++] & 0xff;
        int end = at + (1 << (SKIP_LOOK - length));
        int entry = (length + (value & 15)) | (steps(value) << 8) | (length << 16);
        Arrays.fill(codes, at, end, entry);
        at = end;
      }
    }
    Arrays.fill(codes, at, codes.length, 0);
  }

  /// {@return the symbols whose codes [#SKIP_LOOK] bits hold, up to an end of block: what extra
  ///     bits the last one has does not matter}
  private int group(int ahead) {
    int used = 0;
    int steps = 0;
    while (used < SKIP_LOOK) {
      int entry = codes[(ahead << used) & ((1 << SKIP_LOOK) - 1)];
      int more = (entry >>> 8) & 255;
      if (entry == 0
          || used + (entry >>> 16) > SKIP_LOOK
          || used + (entry & 63) > MAX_SKIPPED
          || (more < END && steps + more > UNSKIPPABLE)) {
        break;
      }
      used += entry & 63;
      if (more == END) {
        return used | (steps << 8) | SKIPPED;
      }
      steps += more;
    }
    return used == 0 ? UNSKIPPABLE << 8 : used | (steps << 8);
  }
}
