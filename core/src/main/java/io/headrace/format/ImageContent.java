package io.headrace.format;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a file's first bytes say it is, also where that is no image we decode.
final class ImageContent {
  /// Bytes that are enough to tell.
  static final int FIRST_BYTES = 16;

  /// Extensions that promise an image; a file with one of these is a sample whatever it holds.
  private static final List<String> EXTENSIONS =
      List.of(
          "jpg", "jpeg", "jpe", "jfif", "png", "tensor", "webp", "bmp", "gif", "tif", "tiff", "ppm",
          "pgm", "pbm", "pnm", "pam", "dib", "heic", "heif", "avif", "qoi", "hrls");

  private ImageContent() {}

  static boolean promised(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return dot >= 0 && EXTENSIONS.contains(fileName.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  /// {@return what is wrong with a file that begins with `first`, or null if it is an image}
  static @Nullable DecodeException fault(MemorySegment first) {
    if (first.byteSize() == 0) {
      return new DecodeException(Fault.CORRUPT, "empty file");
    }
    if (ImageFormat.detect(first) != null) {
      return null;
    }
    String other = otherImage(first);
    if (other != null) {
      return new DecodeException(Fault.UNSUPPORTED, other + " image: this format is not read");
    }
    String data = otherData(first);
    return data != null
        ? new DecodeException(Fault.MISMATCH, data + " data, not an image")
        : new DecodeException(
            Fault.CORRUPT, "not an image: begins with " + hex(first) + ", which is no known kind");
  }

  private static @Nullable String otherImage(MemorySegment first) {
    String text = text(first);
    if (text.startsWith("GIF8")) {
      return "GIF";
    }
    if (text.startsWith("II*\0") || text.startsWith("MM\0*")) {
      return "TIFF";
    }
    if (text.startsWith("ftyp", 4) && text.length() >= 12) {
      String brand = text.substring(8, 12);
      return switch (brand) {
        case "heic", "heix", "hevc", "hevx", "mif1", "msf1" -> "HEIC";
        default -> null;
      };
    }
    return null;
  }

  private static @Nullable String otherData(MemorySegment first) {
    String text = text(first);
    if (text.startsWith("\u001f\u008b")) {
      return "gzip";
    }
    if (text.startsWith("PK\u0003\u0004")) {
      return "zip";
    }
    if (text.startsWith("%PDF")) {
      return "PDF";
    }
    return text.startsWith("<") ? "HTML or XML" : null;
  }

  private static String text(MemorySegment first) {
    long length = Math.min(FIRST_BYTES, first.byteSize());
    return new String(first.asSlice(0, length).toArray(JAVA_BYTE), ISO_8859_1);
  }

  private static String hex(MemorySegment first) {
    long length = Math.min(4, first.byteSize());
    return java.util.HexFormat.of().formatHex(first.asSlice(0, length).toArray(JAVA_BYTE));
  }
}
