package io.headrace.pipeline;

import java.util.Locale;

/// How samples are decoded and resized. It decides their pixels and the speed.
///
/// Under each of these, pixels depend only on the encoded bytes, the pipeline and the place. They
/// differ between them, except that [#EXACT] and [#WHOLE] give the same.
public enum Decoding {
  /// Everything that is faster and looks the same. Planes of JPEGs are resized rather than colours.
  /// JPEGs are decoded at 1/2, 1/4 or 1/8 and only in part where the crop allows it. Only the
  /// smallest level of a pyramid that suffices is read. See [SampleProcessor.Options#fast].
  FAST,
  /// The pixels of Pillow and of torchvision on it: of the image at full size, in red, green and
  /// blue. See [SampleProcessor.Options#exact].
  EXACT,
  /// As [#EXACT], but every image is decoded from start to end, so that all damage shows.
  WHOLE;

  /// {@return how a sample is processed}
  ///
  /// @param applyOrientation whether images are turned upright first, as EXIF says
  public SampleProcessor.Options options(boolean applyOrientation) {
    return switch (this) {
      case FAST -> new SampleProcessor.Options(true, true, applyOrientation, true);
      case EXACT -> new SampleProcessor.Options(false, true, applyOrientation, false);
      case WHOLE -> new SampleProcessor.Options(false, false, applyOrientation, false);
    };
  }

  /// {@return its name as reports show it, such as `fast`}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
