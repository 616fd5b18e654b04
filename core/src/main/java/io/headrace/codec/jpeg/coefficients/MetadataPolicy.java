package io.headrace.codec.jpeg.coefficients;

/// Which application and comment segments a rewritten JPEG keeps. JFIF and Adobe segments stay
/// always, since decoders tell the colours by them; none is added where there was none. Segments
/// after the first scan, which no decoder asks, are dropped always. So are bytes after the end
/// marker, and with them a multi-picture index (MPF), which says where in those the pictures lie;
/// [Dropped#trailingBytes] counts them.
public enum MetadataPolicy {
  /// All of them, as they are.
  KEEP_ALL,
  /// The EXIF orientation, in an EXIF block of its own if it is not 1, and ICC profiles. The rest
  /// of EXIF, thumbnails, XMP and comments go.
  KEEP_ORIENTATION_AND_COLOUR,
  /// Only what the pixels depend on. [Dropped] says which orientation is lost.
  DROP_ALL_BUT_NEEDED
}
