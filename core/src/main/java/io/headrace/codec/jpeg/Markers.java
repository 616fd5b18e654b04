package io.headrace.codec.jpeg;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// Second bytes of markers (ITU-T T.81, table B.1), how they are found, and what is said where they
/// are wrong.
public final class Markers {
  public static final int SOF0 = 0xc0;
  public static final int SOF1 = 0xc1;
  public static final int SOF2 = 0xc2;
  public static final int DHT = 0xc4;
  public static final int RST0 = 0xd0;
  public static final int SOI = 0xd8;
  public static final int EOI = 0xd9;
  public static final int SOS = 0xda;
  public static final int DQT = 0xdb;
  public static final int DRI = 0xdd;
  public static final int APP0 = 0xe0;
  public static final int APP1 = 0xe1;
  public static final int APP2 = 0xe2;
  public static final int APP14 = 0xee;
  public static final int APP15 = 0xef;
  public static final int COM = 0xfe;
  public static final int DAC = 0xcc;
  private static final int JPG = 0xc8;
  private static final int DNL = 0xdc;
  private static final int TEM = 0x01;

  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  private Markers() {}

  /// Writes a number of two bytes.
  public static void putU16(MemorySegment bytes, long at, int value) {
    bytes.set(JAVA_BYTE, at, (byte) (value >> 8));
    bytes.set(JAVA_BYTE, at + 1, (byte) value);
  }

  /// {@return whether it is one of the eight restart markers}
  public static boolean restart(int marker) {
    return (marker & 0xf8) == RST0;
  }

  /// {@return whether no length follows the marker}
  public static boolean alone(int marker) {
    return marker == TEM || restart(marker);
  }

  /// {@return whether libjpeg knows a segment other than a frame header: with others it gives up}
  public static boolean known(int marker) {
    return switch (marker) {
      case SOS, DHT, DAC, DQT, DRI, DNL -> true;
      default -> application(marker);
    };
  }

  /// {@return whether a frame header follows: SOF0 to SOF15}
  public static boolean frame(int marker) {
    return (marker & 0xf0) == SOF0 && marker != DHT && marker != JPG && marker != DAC;
  }

  /// {@return whether an application segment or a comment follows}
  public static boolean application(int marker) {
    return (marker >= APP0 && marker <= APP15) || marker == COM;
  }

  /// {@return whether the bytes from `start` to `end` begin with `text`}
  public static boolean starts(MemorySegment bytes, long start, long end, String text) {
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
  ///     between segments, as libjpeg does; -1 if there is none}
  static long seek(MemorySegment jpeg, long from) {
    boolean after = false;
    for (long at = from; at < jpeg.byteSize(); at++) {
      int b = u8(jpeg, at);
      if (after && b != 0 && b != 0xff) {
        return at;
      }
      after = b == 0xff;
    }
    return -1;
  }

  /// {@return the same where one must come, of the end if not of another segment}
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] if there is none
  public static long next(MemorySegment jpeg, long from) throws DecodeException {
    long at = seek(jpeg, from);
    if (at < 0) {
      throw truncated("no end marker, the data ends after %d bytes".formatted(jpeg.byteSize()));
    }
    return at;
  }

  /// {@return the first place from `from` on where a byte is 0xff, or `end`}
  ///
  /// Reads eight bytes at once: the bits of a word are inverted, and a byte is zero where
  /// subtracting one borrows from it. Mycroft's test, exact for the lowest such byte.
  public static long find(MemorySegment bytes, long from, long end) {
    long i = from;
    for (; i + 31 < end; i += 32) {
      long a = ~bytes.get(U64, i);
      long b = ~bytes.get(U64, i + 8);
      long c = ~bytes.get(U64, i + 16);
      long d = ~bytes.get(U64, i + 24);
      long hits = ((a - ONES) & ~a) | ((b - ONES) & ~b) | ((c - ONES) & ~c) | ((d - ONES) & ~d);
      if ((hits & TOPS) != 0) {
        break;
      }
    }
    for (; i + 7 < end; i += 8) {
      long word = ~bytes.get(U64, i);
      long hits = (word - ONES) & ~word & TOPS;
      if (hits != 0) {
        return i + (Long.numberOfTrailingZeros(hits) >> 3);
      }
    }
    while (i < end && u8(bytes, i) != 0xff) {
      i++;
    }
    return i;
  }

  /// {@return offset just after the segment whose length stands at `at`}
  public static long end(MemorySegment jpeg, int marker, long at) throws DecodeException {
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

  public static DecodeException corrupt(String what, long at) {
    return new DecodeException(Fault.CORRUPT, "jpeg: %s, at byte %d".formatted(what, at));
  }

  public static DecodeException truncated(String what) {
    return new DecodeException(Fault.TRUNCATED, "jpeg: " + what);
  }

  public static DecodeException unsupported(String what) {
    return new DecodeException(Fault.UNSUPPORTED, "jpeg: " + what);
  }

  /// {@return what to throw where a sound JPEG's new form cannot be read: that form is unsupported,
  /// unless it is only too large}
  ///
  /// @param what happened
  /// @param cause why the new form was refused
  public static DecodeException unsupported(String what, DecodeException cause) {
    return cause.fault() == Fault.LIMIT ? cause : unsupported(what + ": " + cause.getMessage());
  }
}
