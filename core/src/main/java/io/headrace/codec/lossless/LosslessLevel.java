package io.headrace.codec.lossless;

/// What an encoder strives for. Every decoder reads all.
public enum LosslessLevel {
  /// The fastest to decode: predicts from the row above alone and packs groups of bits.
  FAST(1, 0),
  /// Smaller: chooses for every plane of every tile among linear filters, and Huffman codes where
  /// that saves a tenth.
  SMALL(3, 0.9),
  /// The smallest: the median filter as well, which is undone sample by sample.
  BEST(4, 1);

  private final int filters;
  private final double pairs;

  LosslessLevel(int filters, double pairs) {
    this.filters = filters;
    this.pairs = pairs;
  }

  /// {@return how many filters are tried, the first of [Filter]}
  int filters() {
    return filters;
  }

  /// {@return share of the size of groups that pairs have to be below to be chosen}
  double pairs() {
    return pairs;
  }
}
