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
  private static final List<String> EXTENSIONS = ImageFormat.promising();

  /// Extensions of pictures that nothing here decodes, besides those above.
  private static final List<String> OTHER_EXTENSIONS =
      List.of(
          "jp2", "j2k", "j2c", "jpc", "jpx", "jph", "jxl", "jxr", "wdp", "tga", "pcx", "psd", "xcf",
          "exr", "hdr", "pfm", "dds", "ico", "icns", "cur", "svg", "sgi", "ras", "xbm", "xpm",
          "wbmp", "flif", "bpg", "fits", "dcm", "dng", "cr2", "cr3", "nef", "arw", "orf", "rw2",
          "raf");

  private ImageContent() {}

  /// {@return whether a name is that of a picture which nothing here decodes}
  static boolean otherPicture(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return dot >= 0
        && OTHER_EXTENSIONS.contains(fileName.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

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
