package io.headrace.codec.jpeg.coefficients;

/// What a rewritten JPEG lacks of its source. Coefficients are never among it.
///
/// @param segments application and comment segments that went
/// @param bytes of them, markers and lengths included
/// @param orientation the EXIF orientation that is lost, 2 to 8; 1 if none is, see
///     [JpegHeader#orientation]
/// @param colourProfile whether an ICC profile went
/// @param trailingBytes bytes after the end marker, such as a film or a second picture
public record Dropped(
    int segments, long bytes, int orientation, boolean colourProfile, long trailingBytes) {
  /// Nothing.
  public static final Dropped NOTHING = new Dropped(0, 0, 1, false, 0);
}
