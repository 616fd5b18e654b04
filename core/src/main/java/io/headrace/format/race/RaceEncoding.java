package io.headrace.format.race;

import io.headrace.codec.ImageFormat;
import io.headrace.sound.AudioFormat;

/// The numbers that stand for formats in an index; see [ImageFormat#number] and
/// [AudioFormat#number].
final class RaceEncoding {
  /// Anything else.
  static final int OTHER = 0;

  private RaceEncoding() {}

  /// {@return the number of a format}
  ///
  /// @param label as [ImageFormat#label] or [AudioFormat#label] says it
  static int of(String label) {
    for (ImageFormat format : ImageFormat.values()) {
      if (format.label().equals(label)) {
        return format.number();
      }
    }
    for (AudioFormat format : AudioFormat.values()) {
      if (format.label().equals(label)) {
        return format.number();
      }
    }
    return OTHER;
  }
}
