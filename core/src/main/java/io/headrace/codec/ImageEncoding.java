package io.headrace.codec;

/// How images are to be encoded: a format and its settings.
public interface ImageEncoding {
  /// {@return the format it makes}
  ImageFormat format();

  /// {@return its spelling, which the format's codec reads back}
  String spec();

  /// {@return whether it can be made of 16 bits a channel}
  default boolean holds16Bits() {
    return false;
  }

  /// {@return whether it changes pixels of 8 bits a channel}
  default boolean lossy() {
    return false;
  }

  /// {@return whether every image of its format may stay as it is: it could not be told from what
  ///     this makes of it}
  default boolean keepsItsFormat() {
    return false;
  }
}
