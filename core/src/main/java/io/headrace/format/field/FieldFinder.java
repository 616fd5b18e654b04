package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Finds the values of fields in samples. JSON is taken apart once a sample, however many of its
/// members are asked for. Confined to one thread.
public final class FieldFinder {

  private long stamp;
  private long parsedAt = -1;
  private int parsedField = -1;
  private JsonNode parsed = JsonNodeFactory.instance.missingNode();

  /// A finder that has looked at no sample.
  public FieldFinder() {}

  /// Begins with another sample.
  public void reset() {
    stamp++;
  }

  /// Finds a value.
  ///
  /// @param name of the sample's field
  /// @param path members to go down to if that is JSON; none for all of it
  /// @param into becomes the value
  /// @return whether the sample has it
  /// @throws DecodeException if its bytes make no sense
  public boolean find(Sample sample, MemorySegment name, List<String> path, FieldValue into)
      throws DecodeException {
    int field = sample.fieldNamed(name);
    if (field < 0) {
      return false;
    }
    if (path.isEmpty()) {
      into.read(sample, field);
      return true;
    }
    JsonNode found = member(json(sample, field), path, 0);
    if (found == null) {
      return false;
    }
    String text = found.isString() ? found.asString() : found.toString();
    into.read(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
    return true;
  }

  private JsonNode json(Sample sample, int field) throws DecodeException {
    if (parsedAt == stamp && parsedField == field) {
      return parsed;
    }
    try {
      parsed = JsonMapper.shared().readTree(sample.field(field).toArray(JAVA_BYTE));
    } catch (JacksonException e) {
      throw new DecodeException(Fault.MISMATCH, "not JSON: " + e.getOriginalMessage());
    }
    parsedAt = stamp;
    parsedField = field;
    return parsed;
  }

  /// {@return a member; of a list of objects the list of their members; null if there is none}
  static @Nullable JsonNode member(JsonNode node, List<String> path, int depth) {
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (depth == path.size()) {
      return node;
    }
    if (!node.isArray()) {
      return member(node.path(path.get(depth)), path, depth + 1);
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : node) {
      JsonNode found = member(each, path, depth);
      if (found == null) {
        return null; // a list with holes would not say whose are missing
      }
      all.add(found);
    }
    return all;
  }
}
