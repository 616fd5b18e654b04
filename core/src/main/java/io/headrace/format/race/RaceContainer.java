package io.headrace.format.race;

import io.headrace.format.Container;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import java.io.IOException;

/// Race shards, to be written.
///
/// @param options of all shards
public record RaceContainer(RaceOptions options) implements Container {
  /// The name in manifests.
  public static final String NAME = "race";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String extension() {
    return RaceOpener.EXTENSION;
  }

  @Override
  public SamplePacker newPacker() {
    return new RacePacker(options);
  }

  @Override
  public ShardWriter newShard(ShardTarget target) throws IOException {
    return new RaceShardWriter(options, target);
  }
}
