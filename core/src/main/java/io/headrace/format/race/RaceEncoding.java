package io.headrace.format.race;

import io.headrace.codec.ImageFormat;
import org.jspecify.annotations.Nullable;

/// The numbers that stand for image formats in an index; they never change.
final class RaceEncoding {
  /// Anything else.
  static final int OTHER = 0;

  private RaceEncoding() {}

  /// {@return the number of a format}
  ///
  /// @param label as [ImageFormat#label] says it
  static int of(String label) {
    for (ImageFormat format : ImageFormat.values()) {
      if (format.label().equals(label)) {
        return of(format);
      }
    }
    return OTHER;
  }

  private static int of(ImageFormat format) {
    return switch (format) {
      case JPEG -> 1;
      case PNG -> 2;
      case WEBP -> 3;
      case AVIF -> 4;
      case QOI -> 5;
      case BMP -> 6;
      case PNM -> 7;
      case RAW -> 8;
      case LOSSLESS -> 9;
    };
  }

  /// {@return the format a number stands for, or null if none is known}
  static @Nullable ImageFormat format(int number) {
    for (ImageFormat format : ImageFormat.values()) {
      if (of(format) == number) {
        return format;
      }
    }
    return null;
  }
}
