package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.CdfTables;
import io.headrace.codec.learned.entropy.SymbolCoder;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Layer;
import io.headrace.error.DecodeException;

/// The entropy bottleneck: each channel has one distribution, whatever the pixel. Source: J. Ballé
/// et al., "Variational Image Compression with a Scale Hyperprior".
final class Bottleneck {
  private final CdfTables tables;
  private final float[] medians;

  /// @param tables a distribution for each channel
  /// @param medians of the channels; what is coded are distances from them
  Bottleneck(CdfTables tables, float[] medians) {
    this.tables = tables;
    this.medians = medians;
  }

  CdfTables tables() {
    return tables;
  }

  /// Codes a map and puts in its place what the decoder will have.
  void code(FeatureMap map, SymbolCoder coder) throws DecodeException {
    Layer.require(map.channels == medians.length, "the bottleneck", medians.length, map.channels);
    int area = map.area();
    int at = 0;
    for (int channel = 0; channel < map.channels; channel++) {
      float median = medians[channel];
      for (int i = 0; i < area; i++, at++) {
        map.data[at] = coder.code(tables, channel, map.data[at] - median) + median;
      }
    }
  }
}
