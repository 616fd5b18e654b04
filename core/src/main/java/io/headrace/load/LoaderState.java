package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.format.Identity;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Where loading stands: what all ranks together have taken, and enough to notice a resume under
/// other conditions.
///
/// It counts what the consumer took with [Epoch#next], not what was prefetched. Ranks in step, all
/// of them after the same number of batches, have equal states, so one state is enough. Another
/// number of ranks can resume from it, with other batch sizes and threads. What is left is then
/// dealt out anew.
///
/// @param seed of orders and random steps
/// @param epoch from 0
/// @param done samples of this epoch that all ranks together have had, skipped ones included
/// @param data which dataset it is; older states do not say labels, classes and files
/// @param order all that decides the order beside these, in words
/// @param fidelity of the epoch, as [FidelityMix#parse] understands it
/// @param decoding how samples are decoded, as [io.headrace.pipeline.Decoding#label] names it:
///     pixels depend on it. Empty in older states, which do not say
public record LoaderState(
    long seed,
    long epoch,
    long done,
    Identity data,
    String order,
    String fidelity,
    String decoding) {
  private static final int VERSION = 1;
  private static final String NAME = "headrace_state";

  /// Checks the ranges.
  ///
  /// @throws ConfigException if a number makes no sense
  public LoaderState {
    long samples = data.samples();
    boolean drawn = order.contains(" weights="); // an epoch may then have more than there are
    if (epoch < 0 || done < 0 || samples < -1 || (samples >= 0 && done > samples && !drawn)) {
      throw new ConfigException(
          "state of %d samples done of %d in epoch %d makes no sense"
              .formatted(done, samples, epoch));
    }
  }

  /// {@return one line of JSON}
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(NAME, VERSION);
    map.put("seed", seed);
    map.put("epoch", epoch);
    map.put("done", done);
    map.putAll(data.toMap());
    map.put("order", order);
    map.put("fidelity", fidelity);
    map.put("decoding", decoding);
    return JsonMapper.shared().writeValueAsString(map);
  }

  /// {@return the state that [#toJson] wrote}
  ///
  /// @throws ConfigException if it is none, or of another version
  public static LoaderState parse(String json) {
    JsonNode node;
    try {
      node = JsonMapper.shared().readTree(json);
    } catch (JacksonException e) {
      throw new ConfigException("not a loader's state: " + e.getOriginalMessage());
    }
    long version = number(node, NAME);
    if (version != VERSION) {
      throw new ConfigException(
          "loader's state of version %d: expected %d".formatted(version, VERSION));
    }
    return new LoaderState(
        number(node, "seed"),
        number(node, "epoch"),
        number(node, "done"),
        new Identity(
            number(node, "samples"),
            text(node, "set"),
            textOfLate(node, "labels"),
            textOfLate(node, "classes"),
            textOfLate(node, "files")),
        text(node, "order"),
        text(node, "fidelity"),
        textOfLate(node, "decoding"));
  }

  /// {@return a text that older states lack}
  private static String textOfLate(JsonNode node, String name) {
    return node.has(name) ? text(node, name) : "";
  }

  private static long number(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new ConfigException(
          "not a loader's state: %s is %s: expected a whole number"
              .formatted(name, value.isMissingNode() ? "missing" : value.getNodeType()));
    }
    return value.asLong();
  }

  private static String text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw new ConfigException(
          "not a loader's state: %s is %s: expected a text"
              .formatted(name, value.isMissingNode() ? "missing" : value.getNodeType()));
    }
    return value.asString();
  }
}
