package io.headrace.codec.jpeg.coefficients;

/// What a JPEG is rewritten as.
public sealed interface JpegTarget {
  /// {@return which segments are kept}
  MetadataPolicy metadata();

  /// Sequential: the baseline process (SOF0), or the extended one (SOF1) where quantisation tables
  /// need 16 bits. One scan, unless an MCU of all components would have more than 10 blocks.
  ///
  /// @param optimised whether the Huffman tables are made for the picture; else they are the
  ///     standard's
  /// @param metadata which segments are kept
  record Baseline(boolean optimised, MetadataPolicy metadata) implements JpegTarget {}

  /// Progressive, in the scans of libjpeg's `jpeg_simple_progression`: 10 for Y, Cb, Cr, 6 for
  /// grey, else 2 and 4 more a component. Huffman tables are made for each scan.
  ///
  /// @param metadata which segments are kept
  record Progressive(MetadataPolicy metadata) implements JpegTarget {}
}
