package io.headrace.convert;

import io.headrace.codec.jpeg.QuantTables;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.SetDigest;
import io.headrace.format.ShardName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The manifest of a finished conversion. Every run of the same conversion gives the same manifest:
/// it holds no time and no machine.
final class ManifestOf {
  private ManifestOf() {}

  static Manifest conversion(
      Dataset source, ConvertOptions options, Container container, List<ShardTally> tallies)
      throws IOException {
    List<Manifest.Shard> shards = new ArrayList<>();
    var set = new SetDigest();
    long samples = 0;
    for (int i = 0; i < tallies.size(); i++) {
      ShardTally tally = tallies.get(i);
      shards.add(
          new Manifest.Shard(
              new ShardName(options.name(), i, tallies.size(), container.extension()).fileName(),
              tally.fileBytes,
              tally.samples,
              "%08x".formatted(tally.fileCrc)));
      set.addAll(tally.set);
      samples += tally.samples;
    }
    Map<String, Object> plan = new LinkedHashMap<>(options.representation().toMap());
    String before = Manifest.stepsOf(source);
    if (!before.isEmpty()) {
      plan.putIfAbsent("steps", before);
    }
    Map<String, QuantTables.Made> tables = DataTables.of(options.representation().encoding());
    if (!tables.isEmpty()) {
      plan.put("tables", tables);
    }
    plan.put("order", options.shuffle() ? "shuffled:" + options.seed() : "stored");
    Path parent = source.root().toAbsolutePath().normalize().getFileName();
    return new Manifest(
        options.name(),
        Converter.TOOL_VERSION,
        container.name(),
        options.representation().compression().spec(),
        options.representation().encoding().spec(),
        source.classes(),
        samples,
        shards,
        set.hex(),
        set.labelHex(),
        new Manifest.Parent(String.valueOf(parent), source.setDigest()),
        plan);
  }
}
