package io.headrace.format.folder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.files.ShardFiles;
import io.headrace.sound.AudioFormat;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which files of a folder may be samples, told from their names and first bytes.
final class Candidates {
  /// Extensions of pictures that nothing here decodes, besides those that promise an image.
  private static final List<String> OTHER_PICTURES =
      List.of(
          "jp2", "j2k", "j2c", "jpc", "jpx", "jph", "jxl", "jxr", "wdp", "tga", "pcx", "psd", "xcf",
          "exr", "hdr", "pfm", "dds", "ico", "icns", "cur", "svg", "sgi", "ras", "xbm", "xpm",
          "wbmp", "flif", "bpg", "fits", "dcm", "dng", "cr2", "cr3", "nef", "arw", "orf", "rw2",
          "raf");

  /// Extensions of sound that nothing here decodes.
  private static final List<String> OTHER_SOUNDS =
      List.of(
          "m4a", "aac", "aif", "aiff", "aifc", "wma", "amr", "ape", "wv", "caf", "au", "snd", "mp2",
          "mka", "webm", "w64", "mid", "midi", "dsf", "ac3", "sph");

  private Candidates() {}

  /// {@return what most of the files promise to be; images if as many promise either}
  static Content ofMost(Stream<String> fileNames) {
    long[] counts = new long[2];
    fileNames.forEach(
        name -> {
          counts[0] += Content.IMAGE.promised(name) ? 1 : 0;
          counts[1] += Content.SOUND.promised(name) ? 1 : 0;
        });
    return counts[1] > counts[0] ? Content.SOUND : Content.IMAGE;
  }

  /// {@return whether a name is that of such content which nothing here decodes}
  static boolean isOther(Content content, String fileName) {
    return (content == Content.IMAGE ? OTHER_PICTURES : OTHER_SOUNDS)
        .contains(ShardFiles.extension(fileName));
  }

  /// {@return what is wrong with a file that begins with `first`, or null if it is what it is to
  ///     be}
  static @Nullable DecodeException fault(Content content, MemorySegment first) {
    if (first.byteSize() == 0) {
      return new DecodeException(Fault.CORRUPT, "empty file");
    }
    if (content == Content.SOUND) {
      return AudioFormat.fault(first);
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
    return HexFormat.of().formatHex(first.asSlice(0, length).toArray(JAVA_BYTE));
  }
}
