package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Whether an Ogg stream is whole: its last page is there in full and says that it is the last.
/// Source: RFC 3533, section 6.
final class OggStream {
  /// Bytes of a page's header before its segment table.
  private static final int HEADER = 27;

  /// Bytes of the longest page.
  private static final long LONGEST = HEADER + 255L + 255 * 255;

  private static final int END_OF_STREAM = 4;

  private OggStream() {}

  static boolean whole(MemorySegment ogg) {
    long end = ogg.byteSize();
    long stop = Math.max(0, end - 2 * LONGEST);
    for (long at = end - HEADER; at >= stop; at--) {
      if (AudioFormat.starts(ogg, at, "OggS")) {
        int segments = ogg.get(JAVA_BYTE, at + 26) & 0xff;
        long next = at + HEADER + segments;
        if (next > end) {
          return false;
        }
        for (int i = 0; i < segments; i++) {
          next += ogg.get(JAVA_BYTE, at + HEADER + i) & 0xff;
        }
        return next <= end && (ogg.get(JAVA_BYTE, at + 5) & END_OF_STREAM) != 0;
      }
    }
    return false;
  }
}
