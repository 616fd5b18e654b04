package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How one image is encoded. The content decides, never a file's name.
public enum ImageFormat {
  /// ISO/IEC 10918-1, from libjpeg-turbo.
  JPEG(1, "jpeg", "a JPEG image", "\u00ff\u00d8\u00ff", "jpg", "jpeg", "jpe", "jfif"),
  /// ISO/IEC 15948, from libspng.
  PNG(2, "png", "a PNG image", "\u0089PNG\r\n\u001a\n", "png"),
  /// A serialised `tensorflow.TensorProto` of uint8 or uint16 [height, width, channels]: what
  /// `tf.io.serialize_tensor` writes and `tf.io.parse_tensor` reads.
  RAW(8, "raw", "a raw tensor", "\b.\u0012", "tensor"),
  /// RFC 9649, lossy or lossless, from libwebp.
  WEBP(3, "webp", "a WebP image", "RIFF....WEBP", "webp"),
  /// "AV1 Image File Format", from libavif.
  AVIF(4, "avif", "an AVIF image", "....ftypavi.", "avif"),
  /// "The Quite OK Image Format", specification 1.0.
  QOI(5, "qoi", "a QOI image", "qoif", "qoi"),
  /// Microsoft's bitmap, not compressed.
  BMP(6, "bmp", "a BMP image", "BM", "bmp", "dib"),
  /// Netpbm's PGM, PPM and PAM.
  PNM(7, "pnm", "a PNM image", "P..", "ppm", "pgm", "pbm", "pnm", "pam"),
  /// Headrace's own, made to be decoded fast; see [io.headrace.codec.lossless.LosslessDecoder].
  LOSSLESS(9, "lossless", "an image in Headrace's lossless encoding", "HRLS", "hrls"),
  /// A JPEG's coefficients, stored to be decoded fast; see
  /// [io.headrace.codec.jpeg.packed.PackedTranscoder].
  PACKED(10, "packed", "a packed JPEG", "HRPJ", "hrpj"),
  /// Strings of a trained network with what it takes to read them; see
  /// [io.headrace.codec.learned.LearnedCodec].
  LEARNED(11, "learned", "a picture by a learned codec", "HRLC", "hrlc"),
  /// The same as dl2 writes them.
  PTCI(12, "ptci", "a .ptci picture by a learned codec", "..\0\0", "ptci");

  private static final ImageFormat[] ALL = values(); // each call would make a copy

  private final int number;
  private final String label;
  private final String title;
  /// The first bytes, one a character; `.` stands for any byte.
  private final String magic;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> extensions;

  ImageFormat(int number, String label, String title, String magic, String... extensions) {
    this.number = number;
    this.label = label;
    this.title = title;
    this.magic = magic;
    this.extensions = List.of(extensions);
  }

  /// {@return the number that stands for it in an index; it never changes, and 0 is none}
  public int number() {
    return number;
  }

  /// {@return the name users type and records carry in `image/format`}
  public String label() {
    return label;
  }

  /// {@return its name in a sentence, with its article}
  public String title() {
    return title;
  }

  /// {@return the usual file extension, without the dot}
  public String extension() {
    return extensions.getFirst();
  }

  /// {@return the extensions that its files have, the usual one first}
  public List<String> extensions() {
    return extensions;
  }

  /// {@return the extensions that promise an image, in lower case: those of all formats, and of
  ///     some that are not read}
  public static List<String> promising() {
    return Stream.concat(
            Arrays.stream(ALL).flatMap(format -> format.extensions.stream()),
            Stream.of("gif", "tif", "tiff", "heic", "heif"))
        .toList();
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
      case PTCI -> ptci(bytes);
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

  /// {@return whether it goes on as a `.ptci` file must: sides below 65,536, and those of a map
  ///     that follow from them}
  private static boolean ptci(MemorySegment bytes) {
    if (bytes.byteSize() < 22) {
      return false;
    }
    int reduction = bytes.get(JAVA_BYTE, 0) == 0 ? 16 : 64;
    int rows = BigEndian.u32(bytes, 2);
    int columns = BigEndian.u32(bytes, 6);
    return BigEndian.u8(bytes, 0) < 8
        && BigEndian.u8(bytes, 1) < 32
        && columns >> 16 == 0
        && rows * columns != 0
        && BigEndian.u32(bytes, 10) == (rows + 63) / 64 * 64 / reduction
        && BigEndian.u32(bytes, 14) == (columns + 63) / 64 * 64 / reduction;
  }

  /// {@return whether it goes on as P1 to P7 do: with the number, then white space or a comment}
  private static boolean pnm(MemorySegment bytes) {
    byte kind = bytes.get(JAVA_BYTE, 1);
    byte next = bytes.get(JAVA_BYTE, 2);
    byte last = bytes.byteSize() > 3 ? bytes.get(JAVA_BYTE, 3) : (byte) '#';
    boolean blank = next == ' ' || next == '#' || (next >= '\t' && next <= '\r');
    return kind >= '1' && kind <= '7' && blank && (next == '#' || last < 'a');
  }
}
