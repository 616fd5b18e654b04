package io.headrace.format;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioFormat;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What samples are. A file's first bytes decide, and its name where nobody has looked into it.
public enum Content {
  /// Pictures, of an [ImageFormat].
  IMAGE("image", ImageFormat.promising()),
  /// Sounds, of an [AudioFormat].
  SOUND("sound", AudioFormat.promising());

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

  /// Samples of a shard that are looked at.
  private static final int LOOKED_AT = 8;

  private final String word;

  /// Extensions that promise it; a file with one of these is a sample whatever it holds.
  @SuppressWarnings("ImmutableEnumChecker") // made by List.of or Stream.toList
  private final List<String> extensions;

  Content(String word, List<String> extensions) {
    this.word = word;
    this.extensions = extensions;
  }

  /// {@return its name in the singular}
  public String word() {
    return word;
  }

  /// {@return extensions that promise it, in lower case}
  public List<String> extensions() {
    return extensions;
  }

  /// {@return what bytes are, or null if they are neither}
  public static @Nullable Content of(MemorySegment bytes) {
    return ImageFormat.detect(bytes) != null
        ? IMAGE
        : AudioFormat.detect(bytes) != null ? SOUND : null;
  }

  /// {@return what the first sample is that can be read; images if none can}
  ///
  /// @param dataset of which a few samples are read
  public static Content ofFirst(Dataset dataset) throws IOException {
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          for (int i = 0; i < LOOKED_AT && cursor.next(sample); i++) {
            Content content = of(sample.encoded());
            if (content != null) {
              return content;
            }
          }
        } catch (CorruptDataException e) {
          // said when it is due
        }
      }
    }
    return IMAGE;
  }

  /// {@return what most of the files promise to be; images if as many promise either}
  static Content ofMost(Stream<String> fileNames) {
    long[] counts = new long[2];
    fileNames.forEach(
        name -> {
          counts[0] += IMAGE.promised(name) ? 1 : 0;
          counts[1] += SOUND.promised(name) ? 1 : 0;
        });
    return counts[1] > counts[0] ? SOUND : IMAGE;
  }

  /// {@return whether a name is that of such content which nothing here decodes}
  boolean otherPromised(String fileName) {
    return (this == IMAGE ? OTHER_PICTURES : OTHER_SOUNDS).contains(extension(fileName));
  }

  /// {@return whether a file's name promises it}
  boolean promised(String fileName) {
    return extensions.contains(extension(fileName));
  }

  /// {@return whether a file's name promises a sample of any content}
  static boolean anyPromised(String fileName) {
    return IMAGE.promised(fileName) || SOUND.promised(fileName);
  }

  private static String extension(String fileName) {
    int dot = fileName.lastIndexOf('.');
    return dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  /// {@return the extensions of a format, the usual one first; none if the format is not known}
  ///
  /// @param label as [ImageFormat#label] or [AudioFormat#label] says it
  public static List<String> extensionsOf(String label) {
    for (ImageFormat format : ImageFormat.values()) {
      if (format.label().equals(label)) {
        return format.extensions();
      }
    }
    for (AudioFormat format : AudioFormat.values()) {
      if (format.label().equals(label)) {
        return format.extensions();
      }
    }
    return List.of();
  }

  /// {@return the label of the format that bytes have; empty if it is not known}
  public static String labelOf(MemorySegment bytes) {
    ImageFormat image = ImageFormat.detect(bytes);
    AudioFormat sound = image == null ? AudioFormat.detect(bytes) : null;
    return image != null ? image.label() : sound != null ? sound.label() : "";
  }

  /// {@return the usual extension of what bytes are, without the dot, or null if that is not known}
  public static @Nullable String extensionOf(MemorySegment bytes) {
    ImageFormat image = ImageFormat.detect(bytes);
    AudioFormat sound = image == null ? AudioFormat.detect(bytes) : null;
    return image != null ? image.extension() : sound != null ? sound.label() : null;
  }

  /// {@return what is wrong with a file that begins with `first`, or null if it is what it is to
  ///     be}
  @Nullable DecodeException fault(MemorySegment first) {
    if (first.byteSize() == 0) {
      return new DecodeException(Fault.CORRUPT, "empty file");
    }
    if (this == SOUND) {
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
