package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Numbers written as text, as JSON writes them: one, or a list, or lists of lists of one length.
/// `true` and `false` are numbers too, and so are `NaN` and `Infinity`, with or without quotes, as
/// Python and the tar container write them. Reusable; confined to one thread.
final class Numbers {
  /// The most axes of a list of lists.
  static final int MAX_AXES = 8;

  /// Powers of ten that a double holds exactly.
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long EXACT = 1L << 53;

  private MemorySegment text = MemorySegment.NULL;
  private long at;
  private long end;
  private long[] longs = new long[16];
  private double[] doubles = new double[16];
  private int count;
  private int axes;
  private final int[] shape = new int[MAX_AXES];
  private boolean fractions;
  private boolean truths;
  private boolean others;

  /// Reads a text.
  ///
  /// @return whether it is nothing but numbers in a regular shape
  boolean read(MemorySegment memory, long start, long length) {
    text = memory;
    at = start;
    end = start + length;
    count = 0;
    axes = -1;
    Arrays.fill(shape, -1);
    fractions = false;
    truths = false;
    others = false;
    skipBlanks();
    boolean regular = at < end && value(0);
    skipBlanks();
    return regular && at == end && !(truths && others);
  }

  /// {@return how many there are}
  int count() {
    return count;
  }

  /// {@return number of axes: 0 for a single number}
  int axes() {
    return Math.max(0, axes);
  }

  /// {@return the extent of an axis}
  int extent(int axis) {
    return Math.max(0, shape[axis]);
  }

  /// {@return the type that holds them all: bool, int64 or float64}
  FieldType type() {
    return truths ? FieldType.BOOL : fractions ? FieldType.FLOAT64 : FieldType.INT64;
  }

  /// {@return one of them, where all are whole}
  long whole(int index) {
    return longs[index];
  }

  /// {@return one of them}
  double decimal(int index) {
    return doubles[index];
  }

  private boolean value(int depth) {
    if (at == end) {
      return false;
    }
    if (text.get(JAVA_BYTE, at) != '[') {
      if (axes >= 0 && axes != depth) {
        return false;
      }
      axes = depth;
      return number();
    }
    at++;
    if (depth == MAX_AXES || (axes >= 0 && depth >= axes)) {
      return false;
    }
    int members = 0;
    skipBlanks();
    if (at < end && text.get(JAVA_BYTE, at) == ']') {
      at++;
      if (axes < 0) {
        axes = depth + 1; // an empty list
      }
      return axes == depth + 1 && fits(depth, 0);
    }
    while (true) {
      if (!value(depth + 1)) {
        return false;
      }
      members++;
      skipBlanks();
      if (at == end) {
        return false;
      }
      byte next = text.get(JAVA_BYTE, at++);
      if (next == ']') {
        return fits(depth, members);
      }
      if (next != ',') {
        return false;
      }
      skipBlanks();
    }
  }

  /// {@return whether a list is as long as those beside it}
  private boolean fits(int axis, int members) {
    if (shape[axis] < 0) {
      shape[axis] = members;
    }
    return shape[axis] == members;
  }

  private boolean number() {
    byte first = text.get(JAVA_BYTE, at);
    if (first == 't' || first == 'f') {
      truths = true;
      return word(first == 't' ? "true" : "false") && add(first == 't' ? 1 : 0);
    }
    others = true;
    if (first == '"' || first == 'N' || first == 'I') {
      return special();
    }
    long start = at;
    boolean negative = first == '-';
    if (negative || first == '+') {
      at++;
    }
    long digits = 0;
    long mantissa = 0;
    int scale = 0;
    boolean wide = false;
    boolean decimal = false;
    while (at < end) {
      byte b = text.get(JAVA_BYTE, at);
      if (b >= '0' && b <= '9') {
        digits++;
        wide |= mantissa > (Long.MAX_VALUE - 9) / 10;
        mantissa = wide ? mantissa : 10 * mantissa + (b - '0');
        scale += decimal ? 1 : 0;
      } else if (b == '.' && !decimal) {
        decimal = true;
      } else {
        break;
      }
      at++;
    }
    if (digits == 0) {
      if (at < end && text.get(JAVA_BYTE, at) == 'I') {
        return special() && negate(negative);
      }
      return false;
    }
    boolean power = at < end && (text.get(JAVA_BYTE, at) | 0x20) == 'e';
    if (!decimal && !power && !wide) {
      return add(negative ? -mantissa : mantissa);
    }
    if (power) {
      at++;
      while (at < end && isPower(text.get(JAVA_BYTE, at))) {
        at++;
      }
    }
    fractions = true;
    if (!power && !wide && mantissa < EXACT && scale < TENS.length) {
      double value = mantissa / TENS[scale]; // both exact, so rounded right
      return addDecimal(negative ? -value : value);
    }
    try {
      byte[] bytes = text.asSlice(start, at - start).toArray(JAVA_BYTE);
      return addDecimal(Double.parseDouble(new String(bytes, StandardCharsets.US_ASCII)));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isPower(byte b) {
    return (b >= '0' && b <= '9') || b == '-' || b == '+';
  }

  private boolean negate(boolean negative) {
    doubles[count - 1] = negative ? -doubles[count - 1] : doubles[count - 1];
    return true;
  }

  private boolean special() {
    boolean quoted = text.get(JAVA_BYTE, at) == '"';
    at += quoted ? 1 : 0;
    boolean negative = quoted && at < end && text.get(JAVA_BYTE, at) == '-';
    at += negative ? 1 : 0;
    double value;
    if (word("NaN")) {
      value = Double.NaN;
    } else if (word("Infinity")) {
      value = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    } else {
      return false;
    }
    fractions = true;
    return addDecimal(value) && (!quoted || word("\""));
  }

  private boolean word(String word) {
    if (end - at < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (text.get(JAVA_BYTE, at + i) != word.charAt(i)) {
        return false;
      }
    }
    at += word.length();
    return true;
  }

  private boolean add(long value) {
    grow();
    longs[count] = value;
    doubles[count++] = value;
    return true;
  }

  private boolean addDecimal(double value) {
    grow();
    doubles[count++] = value;
    return true;
  }

  private void grow() {
    if (count == longs.length) {
      longs = Arrays.copyOf(longs, 2 * count);
      doubles = Arrays.copyOf(doubles, 2 * count);
    }
  }

  private void skipBlanks() {
    while (at < end) {
      byte b = text.get(JAVA_BYTE, at);
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return;
      }
      at++;
    }
  }
}
