package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Set;

/// How much sound a WAV file says it has, and how much there is. Sources: RIFF (Microsoft and IBM,
/// 1991), RF64 (EBU Tech 3306).
final class RiffStream {
  private static final ValueLayout.OfInt U32 =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Sizes from here on come from programs that write to a pipe: they mean "to the end".
  private static final long UNKNOWN = 0x7ffff000L;

  /// Codings that libsndfile reads: PCM, MS ADPCM, floating point, A-law, mu-law, IMA ADPCM, GSM.
  private static final Set<Integer> READ = Set.of(1, 2, 3, 6, 7, 0x11, 0x31);

  private static final int EXTENSIBLE = 0xfffe;

  private RiffStream() {}

  /// {@return number of a coding that libsndfile does not read, -1 if it is one that it does or
  ///     there is no format chunk}
  static int unreadCoding(MemorySegment wav) {
    long end = wav.byteSize();
    long at = 12;
    while (end - at >= 8 + 16) {
      long size = wav.get(U32, at + 4) & 0xffffffffL;
      if (AudioFormat.starts(wav, at, "fmt ")) {
        int coding = wav.get(U32, at + 8) & 0xffff;
        if (coding == EXTENSIBLE && end - at >= 8 + 26) {
          coding = wav.get(U32, at + 8 + 24) & 0xffff; // the first bytes of its GUID
        }
        return READ.contains(coding) ? -1 : coding;
      }
      at += 8 + size + (size & 1);
    }
    return -1;
  }

  /// {@return whether the file is shorter than it says}
  static boolean cut(MemorySegment wav) {
    return wav.byteSize() < 12 || (wav.get(U32, 4) & 0xffffffffL) > wav.byteSize() - 8;
  }

  /// {@return bytes of samples that the data chunk says it has beyond the end of `wav`, 0 if it is
  ///     whole, -1 if there is no data chunk}
  static long missing(MemorySegment wav) {
    long end = wav.byteSize();
    long longSize = -1; // of the data chunk, from a `ds64` chunk
    long at = 12;
    while (end - at >= 8) {
      long size = wav.get(U32, at + 4) & 0xffffffffL;
      if (AudioFormat.starts(wav, at, "ds64") && end - at >= 8 + 16) {
        longSize = wav.get(U64, at + 16);
      }
      if (AudioFormat.starts(wav, at, "data")) {
        if (size == 0xffffffffL && longSize >= 0) {
          size = longSize;
        } else if (size >= UNKNOWN) {
          return 0;
        }
        return Math.max(0, size - (end - at - 8));
      }
      at += 8 + size + (size & 1);
    }
    return -1;
  }
}
