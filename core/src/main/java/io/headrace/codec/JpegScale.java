package io.headrace.codec;

/// How much smaller a JPEG is decoded than it is: by eighths, inside the inverse DCT.
///
/// @param eighths 1 to 8; 8 is full size
public record JpegScale(int eighths) {
  /// Every pixel.
  public static final JpegScale FULL = new JpegScale(8);

  /// Half the columns and rows.
  public static final JpegScale HALF = new JpegScale(4);

  /// A quarter of the columns and rows.
  public static final JpegScale QUARTER = new JpegScale(2);

  /// An eighth of the columns and rows.
  public static final JpegScale EIGHTH = new JpegScale(1);

  /// Checks the range.
  public JpegScale {
    if (eighths < 1 || eighths > 8) {
      throw new IllegalArgumentException("scale of " + eighths + " eighths: expected 1 to 8");
    }
  }

  /// {@return pixels that `pixels` become: scaled, rounded up}
  public int scaled(int pixels) {
    return (int) (((long) pixels * eighths + 7) >> 3);
  }

  /// {@return bytes of uint8 [scaled height, scaled width, 3]}
  public long rgbBytes(ImageInfo info) {
    return 3L * scaled(info.width()) * scaled(info.height());
  }
}
