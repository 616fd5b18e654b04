package io.headrace.codec.lossless;

/// What an encoder strives for, from fast to small. Every decoder reads all.
public enum LosslessLevel {
  /// The fastest to decode: predicts from the row above alone, packs bits and codes nothing.
  FAST(1, false, 0),
  /// Chooses for every plane of every tile among linear filters, packs bits and codes how many.
  BALANCED(3, true, 0),
  /// As [#BALANCED], but Huffman codes residuals where that saves a tenth.
  SMALL(3, true, 0.9),
  /// The smallest: tries the median filter as well, which is undone sample by sample.
  BEST(4, true, 1);

  private final int filters;
  private final boolean codesWidths;
  private final double pairs;

  LosslessLevel(int filters, boolean codesWidths, double pairs) {
    this.filters = filters;
    this.codesWidths = codesWidths;
    this.pairs = pairs;
  }

  /// {@return how many filters are tried, the first of [Filter]}
  int filters() {
    return filters;
  }

  /// {@return whether the widths of groups are coded}
  boolean codesWidths() {
    return codesWidths;
  }

  /// {@return share of the size of groups that pairs have to be below to be chosen; 0 for never}
  double pairs() {
    return pairs;
  }
}
