package io.headrace.codec.jpeg.coefficients;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// Second bytes of markers (ITU-T T.81, table B.1), numbers in their byte order, and what is said
/// where they are wrong.
final class Markers {
  static final int SOF0 = 0xc0;
  static final int SOF1 = 0xc1;
  static final int SOF2 = 0xc2;
  static final int DHT = 0xc4;
  static final int RST0 = 0xd0;
  static final int SOI = 0xd8;
  static final int EOI = 0xd9;
  static final int SOS = 0xda;
  static final int DQT = 0xdb;
  static final int DRI = 0xdd;
  static final int APP0 = 0xe0;
  static final int APP1 = 0xe1;
  static final int APP2 = 0xe2;
  static final int APP14 = 0xee;
  static final int APP15 = 0xef;
  static final int COM = 0xfe;
  static final int DAC = 0xcc;
  private static final int JPG = 0xc8;
  private static final int DNL = 0xdc;
  private static final int TEM = 0x01;

  private Markers() {}

  static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  static int u16(MemorySegment bytes, long at) {
    return (u8(bytes, at) << 8) | u8(bytes, at + 1);
  }

  static boolean restart(int marker) {
    return (marker & 0xf8) == RST0;
  }

  /// {@return whether no length follows the marker}
  static boolean alone(int marker) {
    return marker == TEM || restart(marker);
  }

  /// {@return whether libjpeg knows a segment that is no frame header: with others it gives up}
  static boolean known(int marker) {
    return switch (marker) {
      case SOS, DHT, DAC, DQT, DRI, DNL -> true;
      default -> application(marker);
    };
  }

  /// {@return whether a frame header follows: SOF0 to SOF15}
  static boolean frame(int marker) {
    return (marker & 0xf0) == SOF0 && marker != DHT && marker != JPG && marker != DAC;
  }

  static boolean application(int marker) {
    return (marker >= APP0 && marker <= APP15) || marker == COM;
  }

  /// {@return whether the bytes from `start` to `end` begin with `text`}
  static boolean starts(MemorySegment bytes, long start, long end, String text) {
    if (end - start < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (u8(bytes, start + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// {@return offset of the second byte of the next marker, skipping fill bytes and what lies
  ///     between segments, as libjpeg does}
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] if there is none
  static long next(MemorySegment jpeg, long from) throws DecodeException {
    long size = jpeg.byteSize();
    boolean after = false;
    for (long at = from; at < size; at++) {
      int b = u8(jpeg, at);
      if (after && b != 0 && b != 0xff) {
        return at;
      }
      after = b == 0xff;
    }
    throw truncated("no end marker, the data ends after %d bytes".formatted(size));
  }

  /// {@return offset just behind the segment whose length stands at `at`}
  static long end(MemorySegment jpeg, int marker, long at) throws DecodeException {
    long size = jpeg.byteSize();
    int length = at + 2 <= size ? u16(jpeg, at) : 2;
    if (length < 2) {
      throw corrupt("segment %02x of length %d".formatted(marker, length), at);
    }
    if (at + length > size) {
      throw truncated(
          "segment %02x at byte %d needs %d bytes, the data ends after %d"
              .formatted(marker, at, length, size));
    }
    return at + length;
  }

  static DecodeException corrupt(String what, long at) {
    return new DecodeException(Fault.CORRUPT, "jpeg: %s, at byte %d".formatted(what, at));
  }

  static DecodeException truncated(String what) {
    return new DecodeException(Fault.TRUNCATED, "jpeg: " + what);
  }

  static DecodeException unsupported(String what) {
    return new DecodeException(Fault.UNSUPPORTED, "jpeg: " + what);
  }
}
