package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Transforms of words that make the likeness of neighbours visible in single bytes; each can be
/// undone.
///
/// Floats are first put in the order of their values, as integers: with the sign bit set, the other
/// bits are inverted. A difference d is stored as `d << 1 ^ d >> (bits - 1)`, so that small ones of
/// either sign have high bytes of zero.
final class Differences {
  /// What a word is compared with.
  enum Kind {
    /// Nothing: the words as they are.
    NONE(0),
    /// XOR with the word before.
    XOR(1),
    /// Difference to the word before.
    LEFT(2),
    /// Difference to the word a row before.
    ABOVE(3),
    /// Difference to left + above - above left.
    LORENZO(4);

    private static final Kind[] ALL = values();

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /// {@return its number in blobs}
    int number() {
      return number;
    }

    /// {@return the kind of that number, or null}
    static @Nullable Kind of(int number) {
      for (Kind kind : ALL) {
        if (kind.number == number) {
          return kind;
        }
      }
      return null;
    }
  }

  private static final int SAMPLE = 2048;
  private static final int SLICES = 3;

  private final int[][] counts = new int[8][256];

  /// {@return what leaves the least entropy in the byte planes, judged by samples}
  ///
  /// @param columns words a row, or 0 if there are no rows
  Kind choose(MemorySegment words, long count, int width, boolean floats, long columns) {
    Kind best = Kind.NONE;
    double least = Double.POSITIVE_INFINITY;
    for (Kind kind : Kind.ALL) {
      boolean rows = kind == Kind.ABOVE || kind == Kind.LORENZO;
      if (rows && (columns < 2 || count < 2 * columns)) {
        continue;
      }
      double bits = entropy(kind, words, count, width, floats, columns);
      if (bits < 0.97 * least) { // a later kind costs more
        least = bits;
        best = kind;
      }
    }
    return best;
  }

  private double entropy(
      Kind kind, MemorySegment words, long count, int width, boolean floats, long columns) {
    for (int[] plane : counts) {
      Arrays.fill(plane, 0);
    }
    long sampled = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      long from = count <= (long) SLICES * SAMPLE ? 0 : (count - SAMPLE) * slice / (SLICES - 1);
      long to = count <= (long) SLICES * SAMPLE ? count : from + SAMPLE;
      for (long i = from; i < to; i++) {
        long coded = code(kind, words, i, width, floats, columns);
        for (int k = 0; k < width; k++) {
          counts[k][(int) (coded >>> (8 * k)) & 0xff]++;
        }
      }
      sampled += to - from;
      if (to - from == count) {
        break;
      }
    }
    double bits = 0;
    for (int k = 0; k < width; k++) {
      bits += PlaneCoder.bits(counts[k], sampled);
    }
    return bits;
  }

  private static long code(
      Kind kind, MemorySegment words, long i, int width, boolean floats, long columns) {
    long word = Words.get(words, i * width, width);
    return switch (kind) {
      case NONE -> word;
      case XOR -> i == 0 ? word : word ^ Words.get(words, (i - 1) * width, width);
      case LEFT, ABOVE, LORENZO -> {
        int bits = 8 * width;
        long difference =
            ordered(word, bits, floats) - predict(kind, words, i, width, floats, columns);
        long signed = difference << (64 - bits) >> (64 - bits);
        yield (signed << 1 ^ signed >> 63) & mask(bits);
      }
    };
  }

  private static long predict(
      Kind kind, MemorySegment words, long i, int width, boolean floats, long columns) {
    int bits = 8 * width;
    if (kind == Kind.LEFT || i < columns) {
      return i == 0 ? 0 : ordered(Words.get(words, (i - 1) * width, width), bits, floats);
    }
    long up = ordered(Words.get(words, (i - columns) * width, width), bits, floats);
    if (kind == Kind.ABOVE || i == columns) {
      return up;
    }
    long left = ordered(Words.get(words, (i - 1) * width, width), bits, floats);
    long corner = ordered(Words.get(words, (i - columns - 1) * width, width), bits, floats);
    return left + up - corner;
  }

  private static long mask(int bits) {
    return -1L >>> (64 - bits);
  }

  /// {@return the integer of a word, in the order of values if it is a float; its own inverse}
  private static long ordered(long word, int bits, boolean floats) {
    boolean negative = (word >>> (bits - 1)) != 0;
    return floats && negative ? word ^ mask(bits - 1) : word;
  }

  /// Transforms.
  static void apply(
      Kind kind,
      MemorySegment words,
      long count,
      int width,
      boolean floats,
      long columns,
      MemorySegment coded) {
    if (width == 4 && kind != Kind.NONE && kind != Kind.XOR) {
      apply4(kind, words, count, floats ? -1 : 0, kind == Kind.LEFT ? count : columns, coded);
      return;
    }
    for (long i = 0; i < count; i++) {
      Words.put(coded, i * width, width, code(kind, words, i, width, floats, columns));
    }
  }

  /// [#code] for words of four bytes, with what is to the left and above left at hand.
  ///
  /// @param floats all bits set for floats, else none
  private static void apply4(
      Kind kind, MemorySegment words, long count, int floats, long columns, MemorySegment coded) {
    int left = 0;
    for (long i = 0; i < Math.min(columns, count); i++) {
      int number = ordered(words.get(U32, 4 * i), floats);
      coded.set(U32, 4 * i, zigzag(number - left));
      left = number;
    }
    int corner = 0;
    boolean lorenzo = kind == Kind.LORENZO;
    left = 0;
    for (long i = columns; i < count; i++) {
      int up = ordered(words.get(U32, 4 * (i - columns)), floats);
      int number = ordered(words.get(U32, 4 * i), floats);
      int slope = lorenzo && i > columns ? left - corner : 0;
      coded.set(U32, 4 * i, zigzag(number - up - slope));
      left = number;
      corner = up;
    }
  }

  private static int ordered(int word, int floats) {
    return word ^ ((word >> 31) & floats) >>> 1;
  }

  private static int zigzag(int difference) {
    return difference << 1 ^ difference >> 31;
  }

  /// Undoes [#apply], in place.
  static void undo(
      Kind kind, MemorySegment words, long count, int width, boolean floats, long columns) {
    switch (kind) {
      case NONE -> {}
      case XOR -> {
        long last = 0;
        for (long i = 0; i < count; i++) {
          last ^= Words.get(words, i * width, width);
          Words.put(words, i * width, width, last);
        }
      }
      case LEFT, ABOVE, LORENZO -> {
        if (width == 4) {
          undo4(kind, words, count, floats, kind == Kind.LEFT ? count : columns);
        } else {
          undoAny(kind, words, count, width, floats, columns);
        }
      }
    }
  }

  private static void undoAny(
      Kind kind, MemorySegment words, long count, int width, boolean floats, long columns) {
    int bits = 8 * width;
    for (long i = 0; i < count; i++) {
      long coded = Words.get(words, i * width, width);
      long difference = coded >>> 1 ^ -(coded & 1);
      long number = (predict(kind, words, i, width, floats, columns) + difference) & mask(bits);
      Words.put(words, i * width, width, ordered(number, bits, floats));
    }
  }

  private static void undo4(
      Kind kind, MemorySegment words, long count, boolean floats, long columns) {
    int left = 0;
    for (long i = 0; i < Math.min(columns, count); i++) {
      int coded = words.get(U32, 4 * i);
      left += coded >>> 1 ^ -(coded & 1);
      words.set(U32, 4 * i, left);
    }
    if (kind == Kind.LORENZO) {
      // x - up is a running sum along the row, and over its end
      int slope = 0;
      for (long i = columns; i < count; i++) {
        int coded = words.get(U32, 4 * i);
        slope += coded >>> 1 ^ -(coded & 1);
        words.set(U32, 4 * i, words.get(U32, 4 * (i - columns)) + slope);
      }
    } else {
      for (long i = columns; i < count; i++) {
        int coded = words.get(U32, 4 * i);
        int difference = coded >>> 1 ^ -(coded & 1);
        words.set(U32, 4 * i, words.get(U32, 4 * (i - columns)) + difference);
      }
    }
    if (floats) {
      for (long at = 0; at < 4 * count; at += 4) {
        words.set(U32, at, ordered(words.get(U32, at), -1));
      }
    }
  }
}
