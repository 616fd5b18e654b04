package io.headrace.codec.learned.entropy;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// Reads what [RansEncoder] wrote, value by value, so that the distribution of one may depend on
/// the values before it. Reused from string to string. Used by one thread at a time.
public final class RansDecoder implements SymbolCoder {
  private MemorySegment bytes = MemorySegment.NULL;
  private long at;
  private long end;
  private long state;

  /// Starts with a string.
  ///
  /// @param start of the string in the bytes, and its length
  /// @throws DecodeException with [Fault#TRUNCATED] if it has not even a state
  public void open(MemorySegment bytes, long start, long length) throws DecodeException {
    this.bytes = bytes;
    at = start;
    end = start + length;
    state = word();
    state |= word() << 32;
  }

  @Override
  public int code(CdfTables tables, int row, float exact) throws DecodeException {
    return next(tables, row);
  }

  /// {@return the next value}
  ///
  /// @param row of the tables, its distribution
  /// @throws DecodeException with [Fault#TRUNCATED] if the string ends before, [Fault#CORRUPT] if
  ///     the value has more than 32 bits
  int next(CdfTables tables, int row) throws DecodeException {
    int number = (int) (state & (1 << CdfTables.PRECISION) - 1);
    int symbol = tables.symbol(row, number);
    state =
        tables.frequency(row, symbol) * (state >>> CdfTables.PRECISION)
            + number
            - tables.start(row, symbol);
    refill();
    int escape = tables.escape(row);
    return tables.offset(row) + (symbol == escape ? distant(escape) : symbol);
  }

  private int distant(int escape) throws DecodeException {
    int groups = group();
    if (groups > Integer.SIZE / RansEncoder.GROUP) {
      throw new DecodeException(
          Fault.CORRUPT,
          "learned: a value of %d bits before byte %d, expected at most %d"
              .formatted(RansEncoder.GROUP * groups, at, Integer.SIZE));
    }
    int distance = 0;
    for (int i = 0; i < groups; i++) {
      distance |= group() << (RansEncoder.GROUP * i);
    }
    return (distance & 1) == 1 ? -(distance >>> 1) - 1 : (distance >>> 1) + escape;
  }

  private int group() throws DecodeException {
    int group = (int) state & RansEncoder.FULL;
    state >>>= RansEncoder.GROUP;
    refill();
    return group;
  }

  private void refill() throws DecodeException {
    if (state < RansEncoder.LOWEST) {
      state = (state << 32) | word();
    }
  }

  private long word() throws DecodeException {
    if (end - at < Integer.BYTES) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "learned: a string ends at byte %d, before its last value".formatted(end));
    }
    int word = bytes.get(U32, at);
    at += Integer.BYTES;
    return Integer.toUnsignedLong(word);
  }
}
