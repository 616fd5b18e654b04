package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How one image is encoded. The content decides, never a file's name.
public enum ImageFormat {
  /// ISO/IEC 10918-1, from libjpeg-turbo.
  JPEG("jpeg", "jpg", "\u00ff\u00d8\u00ff"),
  /// ISO/IEC 15948, from libspng.
  PNG("png", "png", "\u0089PNG\r\n\u001a\n"),
  /// A serialised `tensorflow.TensorProto` of uint8 or uint16 [height, width, channels]: what
  /// `tf.io.serialize_tensor` writes and `tf.io.parse_tensor` reads.
  RAW("raw", "tensor", "\b.\u0012"),
  /// RFC 9649, lossy or lossless, from libwebp.
  WEBP("webp", "webp", "RIFF....WEBP"),
  /// "AV1 Image File Format", from libavif.
  AVIF("avif", "avif", "....ftypavi."),
  /// "The Quite OK Image Format", specification 1.0.
  QOI("qoi", "qoi", "qoif"),
  /// Microsoft's bitmap, not compressed.
  BMP("bmp", "bmp", "BM"),
  /// Netpbm's PGM, PPM and PAM.
  PNM("pnm", "ppm", "P.."),
  /// Headrace's own, made to be decoded fast; see [io.headrace.codec.lossless.LosslessDecoder].
  LOSSLESS("lossless", "hrls", "HRLS");

  private static final ImageFormat[] ALL = values(); // each call would make a copy

  private final String label;
  private final String extension;
  /// The first bytes, one a character; `.` stands for any byte.
  private final String magic;

  ImageFormat(String label, String extension, String magic) {
    this.label = label;
    this.extension = extension;
    this.magic = magic;
  }

  /// {@return the name users type and records carry in `image/format`}
  public String label() {
    return label;
  }

  /// {@return the usual file extension, without the dot}
  public String extension() {
    return extension;
  }

  /// {@return the format that `bytes` start as, or null if it is none of these}
  public static @Nullable ImageFormat detect(MemorySegment bytes) {
    for (ImageFormat format : ALL) {
      if (format.matches(bytes)) {
        return format;
      }
    }
    return null;
  }

  private boolean matches(MemorySegment bytes) {
    if (bytes.byteSize() < magic.length()) {
      return false;
    }
    for (int i = 0; i < magic.length(); i++) {
      char c = magic.charAt(i);
      if (c != '.' && (bytes.get(JAVA_BYTE, i) & 0xff) != c) {
        return false;
      }
    }
    return switch (this) {
      case RAW -> bytes.get(JAVA_BYTE, 1) == 4 || bytes.get(JAVA_BYTE, 1) == 17; // DT_UINT8, 16
      case BMP -> bmp(bytes);
      case PNM -> pnm(bytes);
      default -> true;
    };
  }

  /// {@return whether it goes on as a BMP may, since two letters alone begin many a text: pixels
  ///     below byte 65,536 and an information header of a known size}
  private static boolean bmp(MemorySegment bytes) {
    return bytes.byteSize() < 16
        || (bytes.get(JAVA_BYTE, 12) == 0
            && bytes.get(JAVA_BYTE, 13) == 0
            && "\f\u0010(48@l|".indexOf(bytes.get(JAVA_BYTE, 14)) >= 0
            && bytes.get(JAVA_BYTE, 15) == 0);
  }

  /// {@return whether it goes on as P1 to P7 do: with the number, then white space or a comment}
  private static boolean pnm(MemorySegment bytes) {
    byte kind = bytes.get(JAVA_BYTE, 1);
    byte next = bytes.get(JAVA_BYTE, 2);
    byte last = bytes.byteSize() > 3 ? bytes.get(JAVA_BYTE, 3) : (byte) '#';
    boolean blank = next == ' ' || next == '#' || (next >= '\t' && next <= '\r');
    return kind >= '1' && kind <= '7' && blank && (next == '#' || last < 'a');
  }

  /// {@return the format with that label}
  ///
  /// @throws ConfigException if there is none
  public static ImageFormat of(String label) {
    for (ImageFormat format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    throw new ConfigException(
        "unknown image format '"
            + label
            + "': expected "
            + Arrays.stream(values()).map(ImageFormat::label).collect(Collectors.joining(", ")));
  }
}
