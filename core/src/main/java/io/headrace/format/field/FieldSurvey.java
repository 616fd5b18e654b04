package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Looks at samples to tell which fields they have, and of what type and shape each is. Members of
/// JSON objects are fields too: `json.caption`. Confined to one thread.
public final class FieldSurvey {
  /// Samples that are enough to plan fields by.
  public static final int LOOKED_AT = 64;

  /// Members of members that are still looked at.
  private static final int MAX_DEPTH = 4;

  /// Names that are told apart; further members of JSON objects are not.
  private static final int MAX_NAMES = 1000;

  /// What is known of a field.
  ///
  /// @param seen its values
  /// @param field the sample's field that it lies in
  /// @param path members to go down to; none for the field itself
  record Entry(FieldSeen seen, String field, List<String> path) {}

  private final Map<String, Entry> entries = new TreeMap<>();
  private final FieldValue value = new FieldValue();
  private long samples;

  /// A survey of no sample yet.
  public FieldSurvey() {}

  /// {@return a survey of a few samples: spread over the dataset if it can be read at any place,
  ///     else the first ones. Samples that cannot be read are passed over}
  public static FieldSurvey of(Dataset dataset) throws IOException {
    var survey = new FieldSurvey();
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      if (dataset.indexed()) {
        survey.spread(dataset, sample);
      } else {
        for (int shard = 0; shard < dataset.shards().size() && survey.wantsMore(); shard++) {
          survey.first(dataset, shard, sample);
        }
      }
    }
    return survey;
  }

  private boolean wantsMore() {
    return samples < LOOKED_AT;
  }

  private void spread(Dataset dataset, Sample sample) throws IOException {
    long looks = Math.min(LOOKED_AT, dataset.size());
    try (Dataset.SampleReader reader = dataset.openReader()) {
      for (long i = 0; i < looks; i++) {
        try {
          reader.read(i * dataset.size() / looks, sample);
          add(sample);
        } catch (CorruptDataException | DecodeException e) {
          // whoever loads it says what is wrong
        }
      }
    }
  }

  private void first(Dataset dataset, int shard, Sample sample) throws IOException {
    try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
      boolean more = true;
      while (more && wantsMore()) {
        try {
          more = cursor.next(sample);
          if (more) {
            add(sample);
          }
        } catch (CorruptDataException e) {
          more = cursor.resumable();
        } catch (DecodeException e) {
          // whoever loads it says what is wrong
        }
      }
    } catch (CorruptDataException e) {
      // a shard that cannot be opened: whoever loads it says so
    }
  }

  /// Takes note of a sample's fields.
  ///
  /// @throws DecodeException if the bytes of one make no sense
  public void add(Sample sample) throws DecodeException {
    samples++;
    for (int field = 0; field < sample.fields(); field++) {
      String name = sample.fieldName(field);
      value.read(sample, field);
      note(name, name, List.of());
      if (value.kind() == FieldValue.Kind.TEXT && isObject(value.bytes())) {
        try {
          members(name, List.of(), JsonMapper.shared().readTree(value.bytes().toArray(JAVA_BYTE)));
        } catch (JacksonException e) {
          // text that only begins like an object
        }
      }
    }
  }

  private static boolean isObject(MemorySegment text) {
    for (long i = 0; i < text.byteSize(); i++) {
      byte b = text.get(JAVA_BYTE, i);
      if (b > ' ') {
        return b == '{';
      }
    }
    return false;
  }

  private void note(String name, String field, List<String> path) {
    Entry entry = entries.get(name);
    if (entry == null) {
      if (entries.size() >= MAX_NAMES && !path.isEmpty()) {
        return;
      }
      entry = new Entry(new FieldSeen(), field, path);
      entries.put(name, entry);
    }
    if (entry.path().equals(path)) {
      entry.seen().add(value);
    }
  }

  /// Takes note of the members of an object, or of the objects in a list.
  private void members(String field, List<String> path, JsonNode root) throws DecodeException {
    JsonNode here = FieldFinder.member(root, path, 0);
    JsonNode first = here == null ? null : here.isArray() && !here.isEmpty() ? here.get(0) : here;
    if (first == null || !first.isObject() || path.size() == MAX_DEPTH) {
      return;
    }
    for (Map.Entry<String, JsonNode> member : first.properties()) {
      List<String> below = new ArrayList<>(path);
      below.add(member.getKey());
      JsonNode found = FieldFinder.member(root, below, 0);
      if (found != null) {
        String text = found.isString() ? found.asString() : found.toString();
        value.read(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
        note(field + "." + String.join(".", below), field, List.copyOf(below));
        members(field, below, root);
      }
    }
  }

  /// {@return samples looked at}
  public long samples() {
    return samples;
  }

  /// {@return what was seen of each field, by name}
  public Map<String, FieldSeen> seen() {
    Map<String, FieldSeen> map = new TreeMap<>();
    entries.forEach((name, entry) -> map.put(name, entry.seen()));
    return Collections.unmodifiableMap(map);
  }

  @Nullable Entry entry(String name) {
    return entries.get(name);
  }
}
