package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Elements as words of 1, 2, 4 or 8 bytes, little-endian, of any type.
final class Words {
  static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;

  private Words() {}

  /// {@return the word at a byte offset, as an unsigned number}
  static long get(MemorySegment from, long offset, int width) {
    return switch (width) {
      case 1 -> from.get(U8, offset) & 0xffL;
      case 2 -> from.get(U16, offset) & 0xffffL;
      case 4 -> from.get(U32, offset) & 0xffffffffL;
      default -> from.get(U64, offset);
    };
  }

  /// Sets the word at a byte offset to the low bytes of `word`.
  static void put(MemorySegment to, long offset, int width, long word) {
    switch (width) {
      case 1 -> to.set(U8, offset, (byte) word);
      case 2 -> to.set(U16, offset, (short) word);
      case 4 -> to.set(U32, offset, (int) word);
      default -> to.set(U64, offset, word);
    }
  }

  /// {@return how many of the words have a bit set}
  static long countNonZero(MemorySegment words, int width) {
    long count = 0;
    long bytes = words.byteSize();
    if (width == 4) {
      for (long at = 0; at < bytes; at += 4) {
        int word = words.get(U32, at);
        count += (word | -word) >>> 31;
      }
      return count;
    }
    for (long at = 0; at < bytes; at += width) {
      count += get(words, at, width) != 0 ? 1 : 0;
    }
    return count;
  }
}
