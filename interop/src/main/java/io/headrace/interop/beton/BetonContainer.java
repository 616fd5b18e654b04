package io.headrace.interop.beton;

import io.headrace.format.Container;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import java.io.IOException;

/// Packs pictures as FFCV does: JPEGs as they are, raw pixels as RGB. Labels, keys and fields are
/// columns beside them.
public final class BetonContainer implements Container {
  static final String NAME = "beton";
  static final String EXTENSION = ".beton";

  /// For the service loader.
  public BetonContainer() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String extension() {
    return EXTENSION;
  }

  @Override
  public SamplePacker newPacker() {
    return new BetonPacker();
  }

  @Override
  public ShardWriter newShard(ShardTarget target) throws IOException {
    return new BetonShardWriter(target.bytes(), target.scratch());
  }
}
