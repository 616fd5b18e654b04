package io.headrace.natives;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// What every binding needs around a call into C.
public final class Downcalls {
  private static final long LONGEST_STRING = 4096;

  private Downcalls() {}

  /// Throws what a method handle threw: unchecked as it is, anything else as an [AssertionError],
  /// because C throws nothing.
  ///
  /// @return never; so that callers can write `throw rethrow(t)`
  public static RuntimeException rethrow(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(t);
    }
  }

  /// {@return a copy of the C string at `address`, at most 4,096 bytes; empty if it is `NULL`}
  @SuppressWarnings("restricted") // a door to C
  public static String string(MemorySegment address) {
    if (address.equals(MemorySegment.NULL)) {
      return "";
    }
    MemorySegment text = address.reinterpret(LONGEST_STRING);
    int length = 0;
    while (length < LONGEST_STRING && text.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return new String(text.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /// {@return whether the C string at `address` contains `words`}
  ///
  /// @param words not empty, without zeros
  @SuppressWarnings("restricted") // a door to C
  public static boolean contains(MemorySegment address, byte[] words) {
    if (address.equals(MemorySegment.NULL)) {
      return false;
    }
    MemorySegment text = address.reinterpret(LONGEST_STRING);
    for (int start = 0; start < LONGEST_STRING && text.get(JAVA_BYTE, start) != 0; start++) {
      int n = 0;
      while (start + n < LONGEST_STRING && text.get(JAVA_BYTE, start + n) == words[n]) {
        if (++n == words.length) {
          return true;
        }
      }
    }
    return false;
  }
}
