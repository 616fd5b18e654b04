package io.headrace.codec;

import org.jspecify.annotations.Nullable;

/// What an image's header says.
///
/// @param format how it is encoded
/// @param width columns, in pixels
/// @param height rows, in pixels
/// @param channels 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha or CMYK
/// @param bitDepth bits of one channel: 8, or 1, 2, 4, 16 in PNG and 12 in JPEG
/// @param subsampling of the chroma, in JPEG only
/// @param progressive several scans (JPEG) or interlaced (PNG)
/// @param orientation EXIF orientation, 1 to 8; 1 where there is none
public record ImageInfo(
    ImageFormat format,
    int width,
    int height,
    int channels,
    int bitDepth,
    @Nullable Subsampling subsampling,
    boolean progressive,
    int orientation) {
  /// {@return whether there is transparency; 4 channels in a JPEG, packed or not, are inks}
  public boolean hasAlpha() {
    return channels == 2
        || (channels == 4 && format != ImageFormat.JPEG && format != ImageFormat.PACKED);
  }

  /// {@return the same after its orientation was applied}
  public ImageInfo upright() {
    if (orientation == 1) {
      return this;
    }
    boolean swap = Orientation.swapsSides(orientation);
    return new ImageInfo(
        format,
        swap ? height : width,
        swap ? width : height,
        channels,
        bitDepth,
        subsampling,
        progressive,
        1);
  }

  /// {@return bytes of the image decoded to uint8 [height, width, 3]}
  public long rgbBytes() {
    return 3L * width * height;
  }
}
