package io.headrace.convert;

import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.store.Places;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a process must know to write shards of a conversion. It travels as text, [#toJson].
/// Quantisation tables that are made of the data do not: each process makes them, the same ones.
///
/// @param source of the samples, or null if the process has them already
/// @param numbers of those that are taken of the source, ascending; null for all
/// @param options of the whole conversion; the threads are those of one shard
/// @param count samples in all, or -1 if nobody knows
/// @param perShard samples in each shard of a source that only streams; else empty
/// @param dictionary for blobs, learned before, or null
/// @param unwritable why samples cannot be written, by their numbers
/// @param done steps that were done to the samples
public record SpreadPlan(
    @Nullable Source source,
    @Nullable List<Long> numbers,
    ConvertOptions options,
    long count,
    List<Long> perShard,
    @Nullable ZstdDictionary dictionary,
    Map<Long, String> unwritable,
    String done) {

  /// A dataset as a user names it.
  ///
  /// @param path of it
  /// @param opening what is said of it
  public record Source(Path path, OpenOptions opening) {}

  /// {@return the plan for samples that the processes have already}
  ///
  /// @param done steps that were done to them
  /// @throws ConfigException if the options need to know how many samples there are
  public static SpreadPlan ofParts(ConvertOptions options, String done) {
    Representation to = options.representation();
    if (to.encoding() instanceof TargetEncoding.Mixed) {
      throw needsAll("encoding '%s'".formatted(to.encoding().spec()));
    }
    if (DataTables.wants(to.encoding())) {
      throw needsAll("encoding '%s'".formatted(to.encoding().spec()));
    }
    if (to.packing() instanceof Packing.Race race && race.dictionary() > 0) {
      throw needsAll("container '%s'".formatted(race.spec()));
    }
    if (to.packing() instanceof Packing.Folder) {
      throw needsAll("container 'folder'");
    }
    return new SpreadPlan(null, null, options, -1, List.of(), null, Map.of(), done);
  }

  SpreadPlan with(ConvertOptions other) {
    return new SpreadPlan(source, numbers, other, count, perShard, dictionary, unwritable, done);
  }

  private static ConfigException needsAll(String what) {
    return new ConfigException(
        what + " looks at the whole dataset first: write it plainly, then convert that");
  }

  /// {@return a path as another process on any machine finds it}
  public static String text(Path path) {
    return Places.remote(path) == null ? path.toAbsolutePath().toString() : path.toString();
  }

  /// {@return the text that [#parse] takes}
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (source != null) {
      map.put("source", text(source.path()));
      map.put("opening", source.opening().toMap());
    }
    if (numbers != null) {
      map.put("numbers", numbers);
    }
    map.put("target", text(options.target()));
    map.put("name", options.name());
    map.put("representation", options.representation().toMap());
    map.put("shards", options.shards());
    map.put("shuffle", options.shuffle());
    map.put("seed", options.seed());
    map.put("threads", options.threads());
    map.put("skip_bad", options.skipBad());
    map.put("memory", options.memory());
    map.put("apply_orientation", options.applyOrientation());
    Path quarantine = options.quarantine();
    map.put("quarantine", quarantine == null ? "" : text(quarantine));
    map.put("measured", options.measured());
    map.put("count", count);
    map.put("per_shard", perShard);
    if (dictionary != null) {
      map.put("dictionary", Base64.getEncoder().encodeToString(dictionary.bytes()));
    }
    map.put("unwritable", unwritable);
    map.put("done", done);
    return JsonMapper.shared().writeValueAsString(map);
  }

  /// {@return the plan that [#toJson] wrote}
  public static SpreadPlan parse(String text) {
    JsonNode node = JsonMapper.shared().readTree(text);
    Map<Long, String> unwritable = new LinkedHashMap<>();
    node.path("unwritable")
        .properties()
        .forEach(e -> unwritable.put(Long.valueOf(e.getKey()), e.getValue().asString()));
    JsonNode to = node.path("representation");
    String quarantine = node.path("quarantine").asString();
    return new SpreadPlan(
        node.has("source") ? source(node) : null,
        node.has("numbers") ? longs(node.path("numbers")) : null,
        new ConvertOptions(
            Places.path(node.path("target").asString()),
            node.path("name").asString(),
            Representation.of(
                to.path("container").asString(),
                to.path("compression").asString(),
                to.path("encoding").asString(),
                to.path("resize").asString(),
                to.path("steps").asString("")),
            node.path("shards").asInt(),
            node.path("shuffle").asBoolean(),
            node.path("seed").asLong(),
            node.path("threads").asInt(),
            node.path("skip_bad").asBoolean(),
            node.path("memory").asLong(),
            node.path("apply_orientation").asBoolean(),
            quarantine.isEmpty() ? null : Places.path(quarantine),
            node.path("measured").asInt()),
        node.path("count").asLong(),
        longs(node.path("per_shard")),
        node.has("dictionary")
            ? ZstdDictionary.of(
                MemorySegment.ofArray(
                    Base64.getDecoder().decode(node.path("dictionary").asString())))
            : null,
        unwritable,
        node.path("done").asString());
  }

  private static Source source(JsonNode node) {
    return new Source(
        Places.path(node.path("source").asString()),
        OpenOptions.of(node.path("opening"), "the conversion's plan"));
  }

  private static List<Long> longs(JsonNode array) {
    return array.values().stream().map(JsonNode::asLong).toList();
  }
}
