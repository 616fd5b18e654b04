package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.CdfTables;
import io.headrace.codec.learned.entropy.SymbolCoder;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Layer;
import io.headrace.error.DecodeException;

/// The Gaussian conditional: each number has a scale of its own, and a mean where the network gives
/// one. Source: J. Ballé et al., "Variational Image Compression with a Scale Hyperprior".
final class Gaussian {
  private final CdfTables tables;
  private final float[] scales;

  /// @param tables a distribution for each scale
  /// @param scales rising; a number has the first that is not below its own scale, or the last
  Gaussian(CdfTables tables, float[] scales) {
    this.tables = tables;
    this.scales = scales;
  }

  CdfTables tables() {
    return tables;
  }

  /// {@return the row of the tables for a scale}
  int row(float scale) {
    int low = 0;
    int high = scales.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (scale > scales[middle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Codes a map and puts in its place what the decoder will have.
  ///
  /// @param parameters scales of the map's numbers, then their means if there are twice as many
  void code(FeatureMap map, FeatureMap parameters, SymbolCoder coder) throws DecodeException {
    int n = map.size();
    boolean means = parameters.channels > map.channels;
    int wanted = means ? 2 * n : n;
    Layer.require(parameters.size() == wanted, "the prior of numbers", wanted, parameters.size());
    for (int i = 0; i < n; i++) {
      float mean = means ? parameters.data[n + i] : 0;
      int row = row(parameters.data[i]);
      map.data[i] = coder.code(tables, row, map.data[i] - mean) + mean;
    }
  }
}
