package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import java.util.Locale;

/// What kind of encodings a benchmark measures.
public enum BenchKind {
  /// Image encodings, on pixels.
  IMAGES,
  /// Sound encodings, on 16-bit samples.
  AUDIO,
  /// Stream compression, on any bytes.
  STREAMS,
  /// Tensor codecs, on float32: spectrograms of sound, or pixels of images as fractions.
  TENSORS;

  /// {@return the name users type}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// {@return the kind with that label, in any case}
  ///
  /// @throws ConfigException if there is none
  public static BenchKind of(String label) {
    for (BenchKind kind : values()) {
      if (kind.name().equalsIgnoreCase(label)) {
        return kind;
      }
    }
    throw new ConfigException(
        "unknown kind '" + label + "': expected auto, images, audio, streams or tensors");
  }
}
