package io.headrace.codec.lossless;

/// What a stream's header says.
///
/// @param width columns, in pixels
/// @param height rows, in pixels
/// @param channels 1 grey, 3 colour
/// @param bitDepth of a channel, 8 or 16
public record LosslessInfo(int width, int height, int channels, int bitDepth) {
  /// {@return bytes of the image decoded to uint8 [height, width, 3]}
  public long rgbBytes() {
    return 3L * width * height;
  }
}
