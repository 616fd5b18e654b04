package io.headrace.sound.framing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// The letters that say what bytes are.
public final class Magic {
  private Magic() {}

  /// {@return whether the Latin-1 characters of `letters` lie at `at`; a dot stands for any byte}
  public static boolean at(MemorySegment bytes, long at, String letters) {
    if (bytes.byteSize() - at < letters.length()) {
      return false;
    }
    for (int i = 0; i < letters.length(); i++) {
      char c = letters.charAt(i);
      if (c != '.' && (bytes.get(JAVA_BYTE, at + i) & 0xff) != c) {
        return false;
      }
    }
    return true;
  }
}
