package io.headrace.sound.framing;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The 32 bits that an MPEG audio frame starts with. Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3;
/// version 2.5 is the Fraunhofer extension to 8, 11.025 and 12 kHz.
///
/// From the top: 11 bits of ones, 2 version, 2 layer, 1 no checksum, 4 bit rate, 2 sample rate, 1
/// padding, 1 private, 2 mode, 2 mode extension, 2 copyright, 2 emphasis.
public final class MpegHeader {
  /// Bytes of a header.
  public static final int BYTES = 4;

  /// The layer field of layer III.
  static final int LAYER_3 = 1;

  private static final int VERSION_1 = 3;
  private static final int MONO = 3;

  /// Fields that stay the same throughout a stream: version, layer, sample rate.
  private static final int SAME = 0xfffe0c00;

  private static final ValueLayout.OfInt U32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /// Kilobits a second by the bit rate field, layer III.
  private static final int[] RATES_1 = {
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320
  };

  private static final int[] RATES_2 = {
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160
  };

  /// Hertz of version 1 by the sample rate field: half of that in version 2, a quarter in 2.5.
  private static final int[] SAMPLE_RATES = {44_100, 48_000, 32_000};

  private MpegHeader() {}

  /// {@return the 32 bits at `at`, or 0, which is not a header, where there are fewer}
  public static int at(MemorySegment bytes, long at) {
    return bytes.byteSize() - at < 4 ? 0 : bytes.get(U32, at);
  }

  /// {@return whether it starts with 11 ones}
  static boolean synced(int header) {
    return header >>> 21 == 0x7ff;
  }

  /// {@return the layer field: 1 is III, 2 is II, 3 is I}
  static int layer(int header) {
    return (header >>> 17) & 3;
  }

  private static int version(int header) {
    return (header >>> 19) & 3;
  }

  /// {@return whether a frame of layer III may start with it}
  public static boolean valid(int header) {
    return synced(header)
        && version(header) != 1
        && layer(header) == LAYER_3
        && ((header >>> 12) & 15) != 15
        && ((header >>> 10) & 3) != 3;
  }

  /// {@return whether the bit rate is free: the frames have one length, which no header says}
  public static boolean free(int header) {
    return ((header >>> 12) & 15) == 0;
  }

  /// {@return whether both may belong to one stream: equal version and sample rate, and both of
  ///     free bit rate or neither; channels may change from frame to frame}
  static boolean agree(int a, int b) {
    return valid(b) && ((a ^ b) & SAME) == 0 && free(a) == free(b);
  }

  /// {@return frames of samples in an MPEG frame}
  public static int samples(int header) {
    return version(header) == VERSION_1 ? 1152 : 576;
  }

  /// {@return hertz}
  public static int sampleRate(int header) {
    int rate = SAMPLE_RATES[(header >>> 10) & 3];
    return switch (version(header)) {
      case VERSION_1 -> rate;
      case 2 -> rate / 2;
      default -> rate / 4;
    };
  }

  /// {@return version, bit rate if it is free, and sample rate in words}
  static String words(int header) {
    String version =
        switch (version(header)) {
          case VERSION_1 -> "MPEG-1";
          case 2 -> "MPEG-2";
          default -> "MPEG-2.5";
        };
    return "%s at %d Hz%s"
        .formatted(version, sampleRate(header), free(header) ? " and a free bit rate" : "");
  }

  /// {@return 1 or 2}
  static int channels(int header) {
    return ((header >>> 6) & 3) == MONO ? 1 : 2;
  }

  /// {@return bytes of the frame, this header included}
  ///
  /// @param free bytes of a frame of free bit rate, without padding
  public static int bytes(int header, int free) {
    int padding = (header >>> 9) & 1;
    if (free(header)) {
      return free + padding;
    }
    int[] rates = version(header) == VERSION_1 ? RATES_1 : RATES_2;
    int bitRate = 1000 * rates[(header >>> 12) & 15];
    return samples(header) / 8 * bitRate / sampleRate(header) + padding;
  }

  /// {@return bytes of side information after the header and checksum}
  static int sideBytes(int header) {
    if (version(header) == VERSION_1) {
      return channels(header) == 1 ? 17 : 32;
    }
    return channels(header) == 1 ? 9 : 17;
  }

  /// {@return bytes of the checksum after the header: 2 or none}
  static int checksumBytes(int header) {
    return (header & 0x10000) == 0 ? 2 : 0;
  }
}
