package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.order.EpochOrder;
import io.headrace.order.Stride;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a consumer asks a server for: batches of one rank's epoch. It says all that decides them,
/// so that any server can answer it.
///
/// @param seed of orders and random steps; null for the server's own
/// @param rank the consumer's number, from 0
/// @param world number of consumers that share the epoch
/// @param epoch its number, if there is no state
/// @param state to resume from, as [io.headrace.load.LoaderState#toJson] writes it, or null
/// @param stride batches of what is left of the epoch
/// @param next number of the epoch that will be asked for next, or -1
record Request(
    @Nullable Long seed,
    int rank,
    int world,
    long epoch,
    @Nullable String state,
    Stride stride,
    long next) {

  /// Checks the ranges.
  Request {
    EpochOrder.checkRank(rank, world);
  }

  /// {@return the same for some batches}
  Request of(Stride some) {
    return new Request(seed, rank, world, epoch, state, some, next);
  }

  /// {@return one JSON object, without what has its default}
  byte[] toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (seed != null) {
      map.put("seed", seed);
    }
    map.put("rank", rank);
    map.put("world", world);
    if (state == null) {
      map.put("epoch", epoch);
    } else {
      map.put("state", state);
    }
    map.put("first", stride.first());
    map.put("step", stride.step());
    if (next >= 0) {
      map.put("next", next);
    }
    return JsonMapper.shared().writeValueAsBytes(map);
  }

  /// {@return the request that a consumer sent}
  ///
  /// @throws ConfigException if it is none
  static Request parse(byte[] json) {
    JsonNode node;
    try {
      node = JsonMapper.shared().readTree(json);
    } catch (JacksonException e) {
      throw new ConfigException("a request that is not JSON: " + e.getOriginalMessage());
    }
    if (!node.isObject()) {
      throw new ConfigException("a request that is not a JSON object");
    }
    JsonNode state = node.path("state");
    return new Request(
        node.has("seed") ? number(node, "seed", 0, Long.MIN_VALUE) : null,
        (int) Math.min(Integer.MAX_VALUE, number(node, "rank", 0, 0)),
        (int) Math.min(Integer.MAX_VALUE, number(node, "world", 1, 0)),
        number(node, "epoch", 0, 0),
        state.isString() ? state.asString() : null,
        new Stride(number(node, "first", 0, 0), number(node, "step", 1, 0)),
        number(node, "next", -1, 0));
  }

  private static long number(JsonNode node, String name, long usual, long least) {
    JsonNode value = node.path(name);
    if (value.isMissingNode()) {
      return usual;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least) {
      throw new ConfigException(
          "%s of a request is %s: expected a whole number".formatted(name, value)
              + (least == 0 ? " of at least 0" : " of 64 bits"));
    }
    return value.asLong();
  }
}
