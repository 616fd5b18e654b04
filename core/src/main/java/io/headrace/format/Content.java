package io.headrace.format;

import io.headrace.codec.ImageFormat;
import io.headrace.error.CorruptDataException;
import io.headrace.format.files.ShardFiles;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioFormat;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What samples are. A file's first bytes decide, and its name where nobody has looked into it.
public enum Content {
  /// Pictures, of an [ImageFormat].
  IMAGE("image", ImageFormat.promising()),
  /// Sounds, of an [AudioFormat].
  SOUND("sound", AudioFormat.promising());

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

  /// {@return whether a file's name promises it}
  public boolean promised(String fileName) {
    return extensions.contains(ShardFiles.extension(fileName));
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
}
