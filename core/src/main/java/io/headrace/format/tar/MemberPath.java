package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.sound.AudioFormat;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Where a sample's members go in an archive: `STEM.EXTENSION` for its image, `STEM.cls` for its
/// label.
///
/// The image keeps the spelling of the key if readers then take this key for the sample's: if the
/// base name has one dot, with an extension after it that fits the content. Else dots of the base
/// name become `_`, the extension is the content's, and the true key goes beside. A path is never
/// absolute nor does it lead upwards: leading slashes and `..` are dropped. A NUL becomes `_`, and
/// the first `_` of a first component `__x__`, which WebDataset takes for metadata, `-`.
///
/// @param stem the path without an extension; what WebDataset calls the key
/// @param extension of the image, without its dot
/// @param exact whether `STEM.EXTENSION` is the key
record MemberPath(String stem, String extension, boolean exact) {
  /// Bytes of a key that are written.
  static final int MAX_KEY_BYTES = 64 << 10;

  /// {@return the place of a sample}
  ///
  /// @param encoded its image
  /// @throws DecodeException if no name can say that this is an image, or the key is too long
  static MemberPath of(String key, MemorySegment encoded) throws DecodeException {
    if (key.length() > MAX_KEY_BYTES / 3 && key.getBytes(UTF_8).length > MAX_KEY_BYTES) {
      throw new DecodeException(
          Fault.LIMIT, "a key of more than %d bytes".formatted(MAX_KEY_BYTES));
    }
    int slash = key.lastIndexOf('/') + 1;
    int dot = key.lastIndexOf('.');
    String spelt = dot > slash ? key.substring(dot + 1) : "";
    String lower = spelt.toLowerCase(Locale.ROOT);
    boolean promised = Run.IMAGES.contains(lower) || Run.SOUNDS.contains(lower);
    ImageFormat format = ImageFormat.detect(encoded);
    AudioFormat sound = format == null ? AudioFormat.detect(encoded) : null;
    boolean fits =
        promised
            && (format != null
                ? fits(lower, format)
                : sound == null || sound.extensions().contains(lower));
    String base = promised ? key.substring(slash, dot) : key.substring(slash);
    String stem = folders(key.substring(0, slash)) + base(base);
    return new MemberPath(
        stem, fits ? spelt : extensionOf(encoded), fits && key.equals(stem + "." + spelt));
  }

  private static String extensionOf(MemorySegment encoded) throws DecodeException {
    String extension = Content.extensionOf(encoded);
    if (extension == null) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "neither key nor content say that this is an image or a sound, so that tar cannot say it"
              + " either");
    }
    return extension;
  }

  private static boolean fits(String extension, ImageFormat format) {
    return format.extensions().contains(extension)
        || (format == ImageFormat.RAW && extension.equals("raw"));
  }

  private static String base(String name) {
    String plain = name.replace('.', '_').replace('\0', '_');
    return plain.isEmpty() ? "_" : plain;
  }

  private static String folders(String path) {
    var kept = new StringBuilder();
    for (String part : path.replace('\0', '_').split("/", -1)) {
      boolean last = part.isEmpty(); // after the last slash, or a doubled one
      if (last || part.equals("..")) {
        continue;
      }
      boolean meta = kept.isEmpty() && part.length() >= 4;
      meta = meta && part.startsWith("__") && part.endsWith("__");
      kept.append(meta ? "-" + part.substring(1) : part).append('/');
    }
    return kept.toString();
  }

  /// {@return the extension that a field of a sample goes under}
  ///
  /// @param field its name
  static String extensionOf(String field) {
    String plain = field.replace('/', '.').replace('\0', '_');
    return plain.isEmpty() ? "field" : plain.endsWith("__") ? plain + "-" : plain;
  }
}
