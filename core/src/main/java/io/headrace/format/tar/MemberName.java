package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// What WebDataset makes of a member's name: `dir/stem.extension`, where the extension begins
/// after the first dot of the base name. Source: `base_plus_ext` and `tar_file_iterator` in
/// `webdataset/tariterators.py`, and `docs` there on naming.
final class MemberName {
  private MemberName() {}

  /// {@return a hash of some of a name, equal for letters of either case}
  static long hash(MemorySegment memory, long start, long bytes) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (long i = start; i < start + bytes; i++) {
      hash = (hash ^ lower(memory.get(JAVA_BYTE, i))) * 0x100000001b3L;
    }
    return hash;
  }

  /// {@return bytes of the key: the path up to the first dot of the base name; or -1 if the name
  /// gives none, because the base name has no dot or begins with it, or the path begins with a
  /// component `__x__`, which is metadata}
  static int stemLength(MemorySegment bytes, long start, long length) {
    if (isMeta(bytes, start, length)) {
      return -1;
    }
    long base = start;
    for (long i = start; i < start + length; i++) {
      if (bytes.get(JAVA_BYTE, i) == '/') {
        base = i + 1;
      }
    }
    for (long i = base; i < start + length; i++) {
      if (bytes.get(JAVA_BYTE, i) == '.') {
        return i == base ? -1 : (int) (i - start);
      }
    }
    return -1;
  }

  /// {@return whether the first component begins and ends in two underscores}
  private static boolean isMeta(MemorySegment bytes, long start, long length) {
    long end = start;
    while (end < start + length && bytes.get(JAVA_BYTE, end) != '/') {
      end++;
    }
    return end - start >= 4
        && bytes.get(JAVA_BYTE, start) == '_'
        && bytes.get(JAVA_BYTE, start + 1) == '_'
        && bytes.get(JAVA_BYTE, end - 2) == '_'
        && bytes.get(JAVA_BYTE, end - 1) == '_';
  }

  /// {@return whether a text is `word`, upper and lower case of ASCII letters being the same}
  ///
  /// @param word in lower case
  static boolean is(String word, MemorySegment bytes, long start, long length) {
    if (word.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (lower(bytes.get(JAVA_BYTE, start + i)) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// {@return whether two texts are the same but for the case of ASCII letters}
  static boolean same(MemorySegment bytes, long one, long other, long length) {
    for (long i = 0; i < length; i++) {
      if (lower(bytes.get(JAVA_BYTE, one + i)) != lower(bytes.get(JAVA_BYTE, other + i))) {
        return false;
      }
    }
    return true;
  }

  /// Turns the ASCII letters of a text into lower case.
  static void lower(MemorySegment bytes, long start, long length) {
    for (long i = start; i < start + length; i++) {
      bytes.set(JAVA_BYTE, i, (byte) lower(bytes.get(JAVA_BYTE, i)));
    }
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
  }
}
