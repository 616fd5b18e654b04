package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// Writes the segments that a policy keeps, and says which it does not.
final class Metadata {
  private static final String EXIF = "Exif\0\0";
  private static final String ICC = "ICC_PROFILE\0";
  private static final String JFIF = "JFIF\0";
  private static final String ADOBE = "Adobe";

  /// Index of the pictures after the first one; CIPA DC-007, section 5.
  private static final String MULTI_PICTURE = "MPF\0";

  /// Bytes of a JFIF segment's content without the thumbnail.
  private static final int JFIF_BYTES = 14;

  /// Content of an EXIF segment that holds nothing but the orientation: TIFF 6.0, big endian, one
  /// directory of one entry.
  private static final String ORIENTATION =
      EXIF + "MM\0*\0\0\0\b" + "\0\1" + "\u0001\u0012\0\3\0\0\0\1\0%c\0\0" + "\0\0\0\0";

  private static final int ORIENTATION_BYTES = 32;

  private Metadata() {}

  /// {@return whether three components are Y, Cb and Cr, by the rules of libjpeg's
  ///     `default_decompress_parms`}
  static boolean colour(JpegCoefficients picture) {
    if (picture.components() != 3) {
      return false;
    }
    if (picture.markerSegments().has(Markers.APP0, JFIF)) {
      return true;
    }
    int transform = picture.header().adobeTransform();
    if (transform >= 0) {
      return transform != 0;
    }
    return picture.component(0).id() != 'R'
        || picture.component(1).id() != 'G'
        || picture.component(2).id() != 'B';
  }

  /// Writes what is kept.
  ///
  /// @return what is not
  static Dropped write(JpegCoefficients picture, MetadataPolicy policy, JpegOutput out)
      throws DecodeException {
    MarkerSegments segments = picture.markerSegments();
    int orientation = picture.header().orientation();
    boolean toKeep = orientation > 1 && policy == MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR;
    int dropped = 0;
    boolean profile = false;
    long before = out.size();
    long all = 0;
    for (int i = 0; i < segments.count(); i++) {
      boolean leads = i < segments.leading();
      boolean icc = segments.is(i, Markers.APP2, ICC);
      all += segments.bytes(i);
      boolean dangles = picture.trailingBytes() > 0 && segments.is(i, Markers.APP2, MULTI_PICTURE);
      if (leads && !dangles && kept(segments, i, policy)) {
        copy(segments, i, policy, out);
      } else if (leads && toKeep && segments.is(i, Markers.APP1, EXIF)) {
        out.segment(Markers.APP1, ORIENTATION_BYTES);
        out.text(ORIENTATION.replace("%c", Character.toString((char) orientation)));
        toKeep = false;
      } else {
        dropped++;
        profile |= icc;
      }
    }
    long lost = all - (out.size() - before);
    boolean oriented = policy != MetadataPolicy.DROP_ALL_BUT_NEEDED;
    if (lost == 0 && dropped == 0 && picture.trailingBytes() == 0) {
      return Dropped.NOTHING;
    }
    return new Dropped(dropped, lost, oriented ? 1 : orientation, profile, picture.trailingBytes());
  }

  private static boolean kept(MarkerSegments segments, int i, MetadataPolicy policy) {
    return policy == MetadataPolicy.KEEP_ALL
        || segments.is(i, Markers.APP0, JFIF)
        || segments.is(i, Markers.APP14, ADOBE)
        || (policy == MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR
            && segments.is(i, Markers.APP2, ICC));
  }

  private static void copy(MarkerSegments segments, int i, MetadataPolicy policy, JpegOutput out)
      throws DecodeException {
    MemorySegment content = segments.content(i);
    boolean thumbnail = segments.is(i, Markers.APP0, JFIF) && content.byteSize() > JFIF_BYTES;
    if (thumbnail && policy != MetadataPolicy.KEEP_ALL) {
      out.segment(Markers.APP0, JFIF_BYTES);
      out.bytes(content.asSlice(0, JFIF_BYTES - 2));
      out.u16(0); // columns and rows of the thumbnail
    } else {
      out.segment(segments.marker(i), content.byteSize());
      out.bytes(content);
    }
  }
}
