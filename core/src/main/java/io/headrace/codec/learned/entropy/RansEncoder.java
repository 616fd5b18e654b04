package io.headrace.codec.learned.entropy;

import static io.headrace.memory.LittleEndian.U32;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Codes values under given distributions with a range variant of asymmetric numeral systems.
///
/// The state has 64 bits and gives out 32 at a time; the bytes are CompressAI's. The coder works
/// backwards, so values are kept until [#finish]. A value that its distribution does not have is an
/// escape, then its distance from the table in groups of 4 bits: how many there are, counted in
/// groups as well, and they themselves, the lowest first. Source: J. Duda, "Asymmetric numeral
/// systems"; F. Giesen, "Interleaved entropy coders".
///
/// Reused from string to string. Used by one thread at a time.
public final class RansEncoder implements SymbolCoder {
  /// The state is never below this between symbols.
  static final long LOWEST = 1L << 31;

  /// Bits of a group, and its largest value.
  static final int GROUP = 4;

  static final int FULL = (1 << GROUP) - 1;

  private int[] values = new int[1024];
  private int[] rows = new int[1024];
  private int count;

  /// Words from the last to the first.
  private int[] words = new int[1024];

  private int written;
  private long state;

  /// Adds a value.
  ///
  /// @param row of the tables, its distribution
  void put(int value, int row) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
      rows = Arrays.copyOf(rows, 2 * count);
    }
    values[count] = value;
    rows[count++] = row;
  }

  @Override
  public int code(CdfTables tables, int row, float exact) {
    int value = (int) Math.rint(exact);
    put(value, row);
    return value;
  }

  /// Forgets the values that are not coded yet.
  public void clear() {
    count = 0;
  }

  /// Codes all values since the last time.
  ///
  /// @return bytes of the string, which [#write] gives
  public int finish(CdfTables tables) {
    state = LOWEST;
    written = 0;
    for (int i = count - 1; i >= 0; i--) {
      int row = rows[i];
      int symbol = values[i] - tables.offset(row);
      int escape = tables.escape(row);
      if (symbol < 0 || symbol >= escape) {
        distance(symbol < 0 ? -2 * symbol - 1 : 2 * (symbol - escape));
        symbol = escape;
      }
      push(tables.start(row, symbol), tables.frequency(row, symbol), CdfTables.PRECISION);
    }
    count = 0;
    word((int) (state >>> 32));
    word((int) state);
    return Integer.BYTES * written;
  }

  /// Writes the string that was finished last.
  public void write(MemorySegment to, long at) {
    for (int i = 0; i < written; i++) {
      to.set(U32, at + (long) Integer.BYTES * i, words[written - 1 - i]);
    }
  }

  private void distance(int distance) {
    int groups = (Integer.SIZE - Integer.numberOfLeadingZeros(distance) + GROUP - 1) / GROUP;
    for (int i = groups - 1; i >= 0; i--) {
      push((distance >>> (GROUP * i)) & FULL, 1, GROUP);
    }
    push(groups, 1, GROUP); // at most 8, so one group says how many
  }

  private void push(int start, int frequency, int bits) {
    long most = ((LOWEST >>> bits) << 32) * frequency; // 2^63 for a symbol that is certain
    if (Long.compareUnsigned(state, most) >= 0) {
      word((int) state);
      state >>>= 32;
    }
    state = ((state / frequency) << bits) + state % frequency + start;
  }

  private void word(int word) {
    if (written == words.length) {
      words = Arrays.copyOf(words, 2 * written);
    }
    words[written++] = word;
  }
}
