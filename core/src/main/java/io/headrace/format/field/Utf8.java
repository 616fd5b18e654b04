package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Tells text from other bytes. Source of the table: Unicode 15, table 3-7.
final class Utf8 {
  private Utf8() {}

  /// {@return whether bytes are UTF-8 without control characters other than tabs and line ends}
  static boolean is(MemorySegment bytes) {
    long end = bytes.byteSize();
    long i = 0;
    while (i < end) {
      int b = bytes.get(JAVA_BYTE, i) & 0xff;
      if (b < 0x80) {
        if (b < ' ' && b != '\t' && b != '\n' && b != '\r') {
          return false;
        }
        i++;
        continue;
      }
      int more = b < 0xc2 || b > 0xf4 ? 0 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
      if (more == 0 || i + more >= end) {
        return false;
      }
      int second = bytes.get(JAVA_BYTE, i + 1) & 0xff;
      int least = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
      int most = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
      if (second < least || second > most) {
        return false;
      }
      for (int k = 2; k <= more; k++) {
        if ((bytes.get(JAVA_BYTE, i + k) & 0xc0) != 0x80) {
          return false;
        }
      }
      i += more + 1;
    }
    return true;
  }
}
