package io.headrace.format;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a file's first bytes say it is, also where that is no image we decode.
final class ImageContent {
  /// Extensions that promise an image; a file with one of these is a sample whatever it holds.
  private static final List<String> EXTENSIONS =
      List.of(
          "jpg", "jpeg", "jpe", "jfif", "png", "tensor", "webp", "bmp", "gif", "tif", "tiff", "ppm",
          "pgm", "pnm", "pam", "heic", "heif", "avif", "qoi", "hrls");

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
    DecodeException other = FirstBytes.foreign(first, "an image");
    return other != null
        ? other
        : new DecodeException(
            Fault.CORRUPT, "not an image: begins with " + hex(first) + ", which is no known kind");
  }

  private static String hex(MemorySegment first) {
    long length = Math.min(4, first.byteSize());
    return java.util.HexFormat.of().formatHex(first.asSlice(0, length).toArray(JAVA_BYTE));
  }
}
