package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// How one image is encoded. The content decides, never a file's name.
public enum ImageFormat {
  /// ISO/IEC 10918-1, from libjpeg-turbo.
  JPEG("jpeg", "jpg", "\u00ff\u00d8\u00ff"),
  /// ISO/IEC 15948, from libspng.
  PNG("png", "png", "\u0089PNG\r\n\u001a\n"),
  /// A serialised `tensorflow.TensorProto` of uint8 [height, width, channels]: what
  /// `tf.io.serialize_tensor` writes and `tf.io.parse_tensor` reads.
  RAW("raw", "tensor", "\b\u0004\u0012");

  private final String label;
  private final String extension;
  /// The first bytes, one a character.
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
    for (ImageFormat format : values()) {
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
      if ((bytes.get(JAVA_BYTE, i) & 0xff) != magic.charAt(i)) {
        return false;
      }
    }
    return true;
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
    throw new ConfigException("unknown image format '" + label + "': expected jpeg, png or raw");
  }
}
