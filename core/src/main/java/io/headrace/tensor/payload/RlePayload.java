package io.headrace.tensor.payload;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Run lengths of words. A row of tokens, each a varint (7 bits a byte, lowest first, the top bit
/// says that more follow) and words:
///
///     2 * (length - 2) + 1   one word, which stands `length` times, at least twice
///     2 * (length - 1)       `length` words as they are
public final class RlePayload implements Payload {
  /// Bytes of a length below 2^31, doubled.
  private static final int LONGEST_VARINT = 5;

  /// Where the varint just read ended.
  private long at;

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    int width = layout.width();
    long count = layout.count();
    // a token before every two words is the worst case
    MemorySegment to =
        out.ensureKeeping(at + values.byteSize() + (count + 2) + 2L * LONGEST_VARINT);
    long end = at;
    long literal = 0;
    long i = 0;
    while (i < count) {
      long word = Words.get(values, i * width, width);
      long run = i + 1;
      while (run < count && Words.get(values, run * width, width) == word) {
        run++;
      }
      if (run - i >= shortestRun(width)) {
        end = literals(values, literal, i, width, to, end);
        end = varint(to, end, 2 * (run - i - 2) + 1);
        Words.put(to, end, width, word);
        end += width;
        literal = run;
      }
      i = run;
    }
    return literals(values, literal, count, width, to, end) - at;
  }

  /// {@return the run that pays for cutting literals in two}
  private static int shortestRun(int width) {
    return width == 1 ? 4 : 3;
  }

  private static long literals(
      MemorySegment values, long from, long to, int width, MemorySegment out, long at) {
    if (from == to) {
      return at;
    }
    long end = varint(out, at, 2 * (to - from - 1));
    long bytes = (to - from) * width;
    MemorySegment.copy(values, from * width, out, end, bytes);
    return end + bytes;
  }

  private static long varint(MemorySegment to, long at, long value) {
    long left = value;
    long end = at;
    while (left > 0x7f) {
      to.set(Words.U8, end++, (byte) (left | 0x80));
      left >>>= 7;
    }
    to.set(Words.U8, end, (byte) left);
    return end + 1;
  }

  private long readVarint(MemorySegment payload) throws DecodeException {
    long value = 0;
    for (int shift = 0; shift < 7 * LONGEST_VARINT && at < payload.byteSize(); shift += 7) {
      byte b = payload.get(Words.U8, at++);
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw Payload.corrupt("rle", "length cut short at byte %d".formatted(at));
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    int width = layout.width();
    long count = layout.count();
    long i = 0;
    at = 0;
    while (at < payload.byteSize()) {
      long token = readVarint(payload);
      boolean run = (token & 1) != 0;
      long length = (token >>> 1) + (run ? 2 : 1);
      long bytes = run ? width : length * width;
      if (length > count - i || bytes > payload.byteSize() - at) {
        throw Payload.corrupt("rle", "%d words overrun at byte %d".formatted(length, at));
      }
      if (run) {
        fill(values, i, length, width, Words.get(payload, at, width));
      } else {
        MemorySegment.copy(payload, at, values, i * width, bytes);
      }
      at += bytes;
      i += length;
    }
    if (i != count) {
      throw Payload.corrupt("rle", "%d words, the shape needs %d".formatted(i, count));
    }
  }

  private static void fill(MemorySegment values, long from, long length, int width, long word) {
    if (word == 0 || width == 1) {
      values.asSlice(from * width, length * width).fill((byte) word);
      return;
    }
    for (long i = from; i < from + length; i++) {
      Words.put(values, i * width, width, word);
    }
  }
}
