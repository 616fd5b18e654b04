package io.headrace.codec.jpeg;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.Subsampling;
import io.headrace.error.ConfigException;

/// Baseline JPEG.
///
/// @param quality 1 to 100 on the scale of the IJG
/// @param subsampling of the chroma
/// @param tables of quantisation; those of data take about as many bytes as the standard's do at
///     the quality
public record JpegEncoding(int quality, Subsampling subsampling, QuantTables tables)
    implements ImageEncoding {
  /// Checks the ranges.
  public JpegEncoding {
    if (quality < 1 || quality > 100) {
      throw new ConfigException("JPEG quality " + quality + ": expected 1 to 100");
    }
    if (subsampling == Subsampling.OTHER) {
      throw new ConfigException("JPEG is encoded with a named subsampling, such as 4:2:0");
    }
  }

  /// JPEG with the standard's tables.
  public JpegEncoding(int quality, Subsampling subsampling) {
    this(quality, subsampling, new QuantTables.Standard());
  }

  /// JPEG with 4:2:0, as `cjpeg` and Pillow write it.
  ///
  /// @param quality 1 to 100 on the scale of the IJG
  public JpegEncoding(int quality) {
    this(quality, Subsampling.S420);
  }

  /// {@return the same with other tables}
  public JpegEncoding with(QuantTables others) {
    return new JpegEncoding(quality, subsampling, others);
  }

  /// {@return the same for images without colours}
  public JpegEncoding grey() {
    return new JpegEncoding(quality, Subsampling.GRAY, tables);
  }

  @Override
  public ImageFormat format() {
    return ImageFormat.JPEG;
  }

  @Override
  public String spec() {
    return "jpeg:" + quality + (tables instanceof QuantTables.Standard ? "" : ":tables=data");
  }

  @Override
  public boolean lossy() {
    return true;
  }
}
