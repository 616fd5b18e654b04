package io.headrace.convert;

import io.headrace.codec.jpeg.QuantTables;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.ShardTally.Counter;
import io.headrace.convert.checkpoint.Staging;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The manifest of a finished conversion. Every run of the same conversion gives the same manifest:
/// it holds no time and no machine.
final class ManifestOf {
  private ManifestOf() {}

  /// What a manifest says of the samples' source.
  ///
  /// @param classes names by label
  /// @param steps that were done to the samples before
  /// @param parent the dataset that they are of, or null
  record Origin(List<String> classes, String steps, Manifest.@Nullable Parent parent) {
    static Origin of(Dataset source) throws IOException {
      Path name = source.root().toAbsolutePath().normalize().getFileName();
      return new Origin(
          source.classes(),
          Manifest.stepsOf(source),
          new Manifest.Parent(String.valueOf(name), source.setDigest()));
    }
  }

  static Manifest conversion(
      Origin origin, ConvertOptions options, Staging staging, List<ShardTally> tallies) {
    ShardTally all = ShardTally.sum(tallies);
    List<Manifest.Shard> shards = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      ShardTally tally = tallies.get(i);
      shards.add(
          new Manifest.Shard(
              staging.fileName(i),
              tally.get(Counter.FILE_BYTES),
              tally.get(Counter.SAMPLES),
              "%08x".formatted(tally.get(Counter.FILE_CRC32C))));
    }
    Map<String, Object> plan = new LinkedHashMap<>(options.representation().toMap());
    if (!origin.steps().isEmpty()) {
      plan.putIfAbsent("steps", origin.steps());
    }
    Map<String, QuantTables.Made> tables = DataTables.of(options.representation().encoding());
    if (!tables.isEmpty()) {
      plan.put("tables", tables);
    }
    plan.put("order", options.shuffle() ? "shuffled:" + options.seed() : "stored");
    return new Manifest(
        options.name(),
        Converter.TOOL_VERSION,
        staging.container().name(),
        options.representation().compression().spec(),
        options.representation().encoding().spec(),
        origin.classes(),
        all.get(Counter.SAMPLES),
        shards,
        all.set().hex(),
        all.set().labelHex(),
        origin.parent(),
        plan);
  }
}
