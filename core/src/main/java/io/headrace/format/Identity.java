package io.headrace.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.format.files.ShardFiles;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What tells a dataset from another one, as far as it is known without reading samples: kept with
/// work that is taken up later, so that it is not taken up on something else.
///
/// @param samples how many; -1 if only reading tells
/// @param set which keys, as [Dataset#setDigest] says it; empty if only reading tells
/// @param labels which label each key has, as [Dataset#labelDigest] says it; empty if only reading
///     tells
/// @param classes digest of the class list; empty if there is none
/// @param files digest of names and sizes of the shards; empty for a folder of images, whose
///     files are its keys
public record Identity(long samples, String set, String labels, String classes, String files) {
  /// {@return the identity of a dataset}
  public static Identity of(Dataset dataset) {
    List<String> classes = dataset.classes();
    return new Identity(
        dataset.size(),
        dataset.setDigest(),
        dataset.labelDigest(),
        classes.isEmpty() ? "" : digest(classes),
        dataset.filePerSample() ? "" : files(dataset));
  }

  private static String files(Dataset dataset) {
    List<String> names = new ArrayList<>();
    for (Path shard : dataset.shards()) {
      names.add(ShardFiles.baseName(shard));
    }
    try {
      names.add(String.valueOf(dataset.storedBytes()));
    } catch (IOException e) {
      return ""; // a file is gone: reading it will say so
    }
    return digest(names);
  }

  private static String digest(List<String> texts) {
    long all = texts.size();
    for (String text : texts) {
      all = CounterRandom.mix(all ^ SampleIds.of(MemorySegment.ofArray(text.getBytes(UTF_8))));
    }
    return SetDigest.hex(all);
  }

  /// {@return what distinguishes this from an earlier state of what should be the same dataset, in
  /// words; empty if nothing does. What either does not know is not compared}
  public String since(Identity before) {
    if (samples >= 0 && before.samples >= 0 && samples != before.samples) {
      return "%d samples, %d before".formatted(samples, before.samples);
    }
    if (differ(set, before.set)) {
      return "samples of other keys";
    }
    if (differ(classes, before.classes)) {
      return "another list of classes";
    }
    if (differ(labels, before.labels)) {
      return "other labels";
    }
    boolean known = known(set, before.set) && known(labels, before.labels);
    return !known && differ(files, before.files) ? "files of other names or sizes" : "";
  }

  private static boolean known(String one, String other) {
    return !one.isEmpty() && !other.isEmpty();
  }

  private static boolean differ(String one, String other) {
    return known(one, other) && !one.equals(other);
  }

  /// {@return the identity that [#toMap] became; what is not there is not known}
  public static Identity of(JsonNode node) {
    return new Identity(
        node.path("samples").asLong(-1),
        node.path("set").asString(""),
        node.path("labels").asString(""),
        node.path("classes").asString(""),
        node.path("files").asString(""));
  }

  /// {@return names and values, for JSON}
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("samples", samples);
    map.put("set", set);
    map.put("labels", labels);
    map.put("classes", classes);
    map.put("files", files);
    return map;
  }
}
