package io.headrace.codec.jpeg.entropy;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// What one scan says, before it is known which codes say it: symbols with their extra bits, and
/// how often each symbol occurs.
///
/// A token is an int: extra bits (0 to 15), their number (16 to 20), symbol (21 to 28), slot (29
/// to 31). Slots 0 and 1 are DC tables, 2 and 3 AC tables.
public final class Tokens implements AutoCloseable {
  /// Huffman tables that one scan may use.
  public static final int SLOTS = 4;

  /// Slot of bits without a symbol.
  static final int RAW = 4;

  /// Most tokens of one block, with the end of a run before it.
  private static final int OF_BLOCK = 80;

  /// Tokens that are at hand at once.
  private static final int STRETCH = 1 << 13;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final int[] counts = new int[SLOTS * 256];
  private final int[] codes = new int[(SLOTS + 1) * 256];
  private final Block block;
  private MemorySegment memory = MemorySegment.NULL;

  /// The last tokens, which are not in [#memory] yet; those that are read, when all are.
  private final int[] stretch = new int[STRETCH];

  private int waiting;

  /// Tokens in [#memory].
  private long stored;

  public Tokens(MemoryBudget budget) {
    block = new Block(budget);
  }

  public void clear() {
    stored = 0;
    waiting = 0;
    Arrays.fill(counts, 0);
  }

  /// Makes room for the tokens of that many blocks, which are those of an MCU at most.
  public void room(int blocks) throws DecodeException {
    if (waiting + blocks * OF_BLOCK > STRETCH) {
      store();
    }
  }

  private void store() throws DecodeException {
    memory = block.ensureKeeping(4 * (stored + waiting));
    MemorySegment.copy(stretch, 0, memory, INT, 4 * stored, waiting);
    stored += waiting;
    waiting = 0;
  }

  private void append(int token) {
    stretch[waiting++] = token;
  }

  public void symbol(int slot, int symbol, int bits, int count) {
    counts[(slot << 8) | symbol]++;
    append((slot << 29) | (symbol << 21) | (count << 16) | bits);
  }

  /// Appends the symbols of a block's coefficients but the first, each with the zeros before it.
  ///
  /// @return index of the last one, or 0
  public int coefficients(int slot, BlockRow row, int block) {
    int[] to = stretch;
    int n = waiting;
    int before = 0;
    int i = row.starts[block];
    for (long left = row.masks[block] & ~1L; left != 0; left &= left - 1) {
      int k = Long.numberOfTrailingZeros(left);
      int value = row.values[++i];
      int run = k - before - 1;
      before = k;
      for (; run > 15; run -= 16) {
        counts[slot << 8 | HuffmanCode.SIXTEEN_ZEROS]++;
        to[n++] = slot << 29 | HuffmanCode.SIXTEEN_ZEROS << 21;
      }
      int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
      int symbol = slot << 8 | run << 4 | size;
      counts[symbol]++;
      to[n++] = symbol << 21 | size << 16 | ((value + (value >> 31)) & ((1 << size) - 1));
    }
    waiting = n;
    return before;
  }

  /// Appends the symbols of coefficients that a scan brings of a block where others are known
  /// (ITU-T T.81, G.1.2.3), each with the next bits of known ones that stand before it.
  ///
  /// @param first coefficient of the scan
  /// @param known bit k for the k-th of the zigzag
  /// @param fresh those that it brings
  /// @param negative those below 0
  /// @param next bits of all known ones, the last one lowest
  /// @return how many of these are left
  public int refined(int slot, int first, long known, long fresh, long negative, long next) {
    int rest = Long.bitCount(known);
    long to = -1L << first;
    for (long left = fresh; left != 0; left &= left - 1) {
      long bit = left & -left;
      int run = Long.bitCount(to & ~known & (bit - 1));
      for (; run > 15; run -= 16) {
        long zeros = to & ~known;
        for (int i = 0; i < 15; i++) {
          zeros &= zeros - 1;
        }
        long sixteenth = zeros & -zeros;
        int more = Long.bitCount(to & known & (sixteenth - 1));
        rest -= more;
        refined(slot, HuffmanCode.SIXTEEN_ZEROS, 0, 0, next >>> rest, more);
        to = -sixteenth << 1;
      }
      int more = Long.bitCount(to & known & (bit - 1));
      rest -= more;
      refined(slot, run << 4 | 1, (negative & bit) == 0 ? 1 : 0, 1, next >>> rest, more);
      to = -bit << 1;
    }
    return rest;
  }

  private void refined(int slot, int symbol, int extra, int count, long next, int more) {
    int bits = (int) next & ((1 << more) - 1);
    if (count + more <= 16) {
      symbol(slot, symbol, extra << more | bits, count + more);
    } else {
      symbol(slot, symbol, extra, count);
      raw(next, more);
    }
  }

  /// Keeps a place for a symbol that [#fill] gives.
  ///
  /// @return the place
  public long place() {
    append(RAW << 29);
    return stored + waiting - 1;
  }

  public void fill(long place, int slot, int symbol, int bits, int count) {
    counts[(slot << 8) | symbol]++;
    int token = (slot << 29) | (symbol << 21) | (count << 16) | bits;
    if (place < stored) {
      memory.set(INT, 4 * place, token);
    } else {
      stretch[(int) (place - stored)] = token;
    }
  }

  /// Appends one bit to those that stand last, if there is room beside them.
  public void bit(int bit) {
    int last = waiting == 0 ? 0 : stretch[waiting - 1];
    int count = count(last);
    if (slot(last) == RAW && count > 0 && count < 16) {
      last = (RAW << 29) | ((count + 1) << 16) | (bits(last) << 1) | bit;
      stretch[waiting - 1] = last;
    } else {
      append((RAW << 29) | (1 << 16) | bit);
    }
  }

  /// Appends the lowest `count` of these bits.
  public void raw(long bits, int count) {
    for (int left = count; left > 0; ) {
      int n = Math.min(left, 16);
      left -= n;
      append((RAW << 29) | (n << 16) | ((int) (bits >>> left) & ((1 << n) - 1)));
    }
  }

  /// Goes to the first token.
  ///
  /// @return how many there are
  long begin() throws DecodeException {
    store();
    return stored;
  }

  /// Gets some tokens.
  ///
  /// @return how many lie in [#stretch] now
  int next(long from) {
    int count = (int) Math.min(STRETCH, stored - from);
    MemorySegment.copy(memory, INT, 4 * from, stretch, 0, count);
    return count;
  }

  /// {@return the tokens that are at hand}
  int[] stretch() {
    return stretch;
  }

  /// {@return codes by slot and symbol, which are the highest bits of a token: length in bits 0 to
  ///     4, code above, as [HuffmanCode] has them; 0 for bits without a symbol}
  int[] codes(HuffmanCode[] bySlot) {
    for (int slot = 0; slot < SLOTS; slot++) {
      System.arraycopy(bySlot[slot].codes, 0, codes, 256 * slot, 256);
    }
    return codes;
  }

  /// {@return times that the slot's symbol occurs}
  int occurrences(int slot, int symbol) {
    return counts[(slot << 8) | symbol];
  }

  static int slot(int token) {
    return token >>> 29;
  }

  public static int symbol(int token) {
    return (token >>> 21) & 255;
  }

  static int count(int token) {
    return (token >>> 16) & 31;
  }

  static int bits(int token) {
    return token & 0xffff;
  }

  @Override
  public void close() {
    block.close();
  }
}
