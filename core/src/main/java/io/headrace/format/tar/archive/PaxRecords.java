package io.headrace.format.tar.archive;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The records of a PAX extended header that say something about one member: `LENGTH KEY=VALUE\n`
/// each. Source: IEEE Std 1003.1-2024, `pax`, "pax Extended Header".
final class PaxRecords {
  /// The record that holds a sample's key where the image member's name is another.
  static final String KEY = "HEADRACE.key";

  private static final MemorySegment PATH = ascii("path");
  private static final MemorySegment SIZE = ascii("size");
  private static final MemorySegment SAMPLE_KEY = ascii(KEY);
  private static final MemorySegment SPARSE = ascii("GNU.sparse.");
  private static final MemorySegment SPARSE_NAME = ascii("GNU.sparse.name");

  private static final int MAX_DIGITS = 18;

  /// Where values lie; a length of 0 means that there is none.
  private long pathStart;

  private long pathLength;
  private long keyStart;
  private long keyLength;
  private long size = -1;
  private boolean sparse;

  private static MemorySegment ascii(String text) {
    return MemorySegment.ofArray(text.getBytes(US_ASCII));
  }

  void clear() {
    pathLength = 0;
    keyLength = 0;
    size = -1;
    sparse = false;
  }

  /// Takes in the records in `length` bytes from `start` on; of a key given twice the last counts.
  ///
  /// @throws DecodeException with [Fault#CORRUPT] if these are no records
  void read(MemorySegment bytes, long start, long length) throws DecodeException {
    long end = start + length;
    long at = start;
    while (at < end) {
      if (bytes.get(JAVA_BYTE, at) == 0) {
        return; // padding that the size counts in, as old programs wrote it
      }
      long space = at;
      long record = 0;
      while (space < end && bytes.get(JAVA_BYTE, space) != ' ') {
        int digit = bytes.get(JAVA_BYTE, space) - '0';
        if (digit < 0 || digit > 9 || space - at > 9) {
          throw corrupt("no length begins a record");
        }
        record = 10 * record + digit;
        space++;
      }
      long next = at + record;
      if (next > end || next - 1 <= space || bytes.get(JAVA_BYTE, next - 1) != '\n') {
        throw corrupt("a record of %d bytes does not end in a line break".formatted(record));
      }
      long equals = space + 1;
      while (equals < next && bytes.get(JAVA_BYTE, equals) != '=') {
        equals++;
      }
      if (equals >= next) {
        throw corrupt("a record has no '='");
      }
      take(bytes, space + 1, equals, next - 1);
      at = next;
    }
  }

  private void take(MemorySegment bytes, long name, long equals, long end) throws DecodeException {
    long value = equals + 1;
    if (is(PATH, bytes, name, equals) || is(SPARSE_NAME, bytes, name, equals)) {
      pathStart = value;
      pathLength = end - value;
    } else if (is(SAMPLE_KEY, bytes, name, equals)) {
      keyStart = value;
      keyLength = end - value;
    } else if (is(SIZE, bytes, name, equals)) {
      size = number(bytes, value, end);
    }
    if (equals - name >= SPARSE.byteSize()
        && is(SPARSE, bytes, name, name + SPARSE.byteSize())
        && !is(SPARSE_NAME, bytes, name, equals)) {
      sparse = true;
    }
  }

  private static boolean is(MemorySegment word, MemorySegment bytes, long start, long end) {
    return word.byteSize() == end - start
        && MemorySegment.mismatch(word, 0, word.byteSize(), bytes, start, end) < 0;
  }

  private static long number(MemorySegment bytes, long start, long end) throws DecodeException {
    if (start == end) {
      return -1; // an empty value takes back an earlier one
    }
    long value = 0;
    for (long i = start; i < end; i++) {
      int digit = bytes.get(JAVA_BYTE, i) - '0';
      if (digit < 0 || digit > 9 || end - start > MAX_DIGITS) {
        throw corrupt("the size is not a number");
      }
      value = 10 * value + digit;
    }
    return value;
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "not a PAX header: " + what);
  }

  long pathStart() {
    return pathStart;
  }

  /// {@return bytes of the path; 0 if there is none}
  long pathLength() {
    return pathLength;
  }

  long keyStart() {
    return keyStart;
  }

  /// {@return bytes of the sample's key; 0 if there is none}
  long keyLength() {
    return keyLength;
  }

  /// {@return bytes of data, or -1}
  long size() {
    return size;
  }

  /// {@return whether the member is a sparse file}
  boolean sparse() {
    return sparse;
  }
}
