package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Compressed sparse rows. Columns are the last dimension, rows all others together.
///
///     0             pointers  uint32 [rows + 1]: where each row's values begin; the last is z
///     4 (rows + 1)  columns   uint8, uint16 or uint32 [z], by columns <= 256, <= 65536 or more,
///                             rising within a row
///     .             values    words [z], those that have a bit set
public final class CsrPayload implements Payload {
  /// {@return bytes of one column number}
  static int columnWidth(long columns) {
    return columns <= 1 << 8 ? 1 : columns <= 1 << 16 ? 2 : 4;
  }

  /// {@return bytes of the payload with so many words that are not zero}
  public static long bytes(WordLayout layout, long nonZero) {
    long rows = layout.count() / layout.columns();
    return 4 * (rows + 1) + nonZero * (columnWidth(layout.columns()) + layout.width());
  }

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    int width = layout.width();
    long columns = layout.columns();
    long rows = layout.count() / columns;
    int columnWidth = columnWidth(columns);
    long nonZero = Words.countNonZero(values, width);
    long bytes = bytes(layout, nonZero);
    MemorySegment to = out.ensureKeeping(at + bytes);
    long columnAt = at + 4 * (rows + 1);
    long valueAt = columnAt + nonZero * columnWidth;
    long found = 0;
    for (long row = 0; row < rows; row++) {
      to.set(U32, at + 4 * row, (int) found);
      long start = row * columns * width;
      for (long column = 0; column < columns; column++) {
        long word = Words.get(values, start + column * width, width);
        if (word != 0) {
          Words.put(to, columnAt + found * columnWidth, columnWidth, column);
          Words.put(to, valueAt + found * width, width, word);
          found++;
        }
      }
    }
    to.set(U32, at + 4 * rows, (int) found);
    return bytes;
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    int width = layout.width();
    long columns = layout.columns();
    long rows = layout.count() / columns;
    int columnWidth = columnWidth(columns);
    long columnAt = 4 * (rows + 1);
    long nonZero = payload.byteSize() < columnAt ? -1 : Words.get(payload, 4 * rows, 4);
    if (nonZero < 0
        || nonZero > layout.count()
        || bytes(layout, nonZero) != payload.byteSize()
        || Words.get(payload, 0, 4) != 0) {
      throw Payload.corrupt("csr", "%d values in %d bytes".formatted(nonZero, payload.byteSize()));
    }
    long valueAt = columnAt + nonZero * columnWidth;
    values.fill((byte) 0);
    long from = 0;
    for (long row = 0; row < rows; row++) {
      long to = Words.get(payload, 4 * (row + 1), 4);
      if (to < from || to > nonZero) {
        throw Payload.corrupt("csr", "row %d begins at value %d".formatted(row + 1, to));
      }
      long start = row * columns;
      long least = 0;
      for (long i = from; i < to; i++) {
        long column = Words.get(payload, columnAt + i * columnWidth, columnWidth);
        if (column < least || column >= columns) {
          throw Payload.corrupt("csr", "row %d has column %d".formatted(row, column));
        }
        least = column + 1;
        Words.put(
            values,
            (start + column) * width,
            width,
            Words.get(payload, valueAt + i * width, width));
      }
      from = to;
    }
  }
}
