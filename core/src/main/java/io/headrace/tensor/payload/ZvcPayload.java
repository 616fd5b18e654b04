package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Zero value compression: which words are zero, then the others.
///
///     0               mask   ceil(n / 8) bytes; bit i % 8 of byte i / 8 says that word i is not 0
///     ceil(n / 8)     words  that are not 0, in order
///
/// A word is zero if all its bits are: -0.0 is kept. Source: zero value compression as in Rhu et
/// al., "Compressing DMA Engine", HPCA 2018.
public final class ZvcPayload implements Payload {
  /// Bytes that may be written, and written again, after the last word.
  private static final int SLACK = 8;

  @Override
  public long encode(MemorySegment values, WordLayout layout, Block out, long at)
      throws DecodeException {
    long count = layout.count();
    int width = layout.width();
    long mask = maskBytes(count);
    MemorySegment to = out.ensureKeeping(at + mask + values.byteSize() + SLACK);
    return mask + pack(values, count, width, to, at, at + mask);
  }

  public static long maskBytes(long count) {
    return (count + 7) / 8;
  }

  /// Packs the words that are not zero.
  ///
  /// @param mask where the mask goes
  /// @param words where the words go; 8 bytes after the last may be overwritten
  /// @return bytes of the words
  static long pack(
      MemorySegment values, long count, int width, MemorySegment to, long mask, long words) {
    long at = words;
    for (long i = 0; i < count; i += 8) {
      int bits = 0;
      int group = (int) Math.min(8, count - i);
      if (width == 4) {
        for (int k = 0; k < group; k++) {
          int word = values.get(U32, 4 * (i + k));
          int set = (word | -word) >>> 31;
          to.set(U32, at, word);
          at += 4L * set;
          bits |= set << k;
        }
      } else {
        for (int k = 0; k < group; k++) {
          long word = Words.get(values, (i + k) * width, width);
          int set = word == 0 ? 0 : 1;
          Words.put(to, at, width, word);
          at += (long) width * set;
          bits |= set << k;
        }
      }
      to.set(Words.U8, mask + i / 8, (byte) bits);
    }
    return at - words;
  }

  @Override
  public void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException {
    long count = layout.count();
    long mask = maskBytes(count);
    if (payload.byteSize() < mask) {
      throw Payload.corrupt("zvc", "mask of %d bytes cut short".formatted(mask));
    }
    unpack("zvc", payload.asSlice(0, mask), payload.asSlice(mask), count, layout.width(), values);
  }

  /// Undoes [#pack].
  ///
  /// @param words exactly those that the mask announces
  static void unpack(
      String codec,
      MemorySegment mask,
      MemorySegment words,
      long count,
      int width,
      MemorySegment values)
      throws DecodeException {
    long set = 0;
    for (long i = 0; i < mask.byteSize(); i++) {
      set += Integer.bitCount(mask.get(Words.U8, i) & 0xff);
    }
    boolean padded = count % 8 != 0 && (mask.get(Words.U8, count / 8) & 0xff) >>> (count % 8) != 0;
    if (padded || words.byteSize() != set * width) {
      throw Payload.corrupt(
          codec, "mask announces %d words, %d bytes follow".formatted(set, words.byteSize()));
    }
    long at = 0;
    for (long i = 0; i < count; i += 8) {
      int bits = mask.get(Words.U8, i / 8) & 0xff;
      int group = (int) Math.min(8, count - i);
      if (bits == 0) {
        values.asSlice(i * width, (long) group * width).fill((byte) 0);
      } else if (bits == 0xff) {
        MemorySegment.copy(words, at, values, i * width, 8L * width);
        at += 8L * width;
      } else {
        for (int k = 0; k < group; k++) {
          boolean present = (bits >>> k & 1) != 0;
          Words.put(values, (i + k) * width, width, present ? Words.get(words, at, width) : 0);
          at += present ? width : 0;
        }
      }
    }
  }
}
