package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.SetDigest;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import io.headrace.memory.BatchBuffer;
import io.headrace.order.Stride;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One epoch, or what is left of it, from several servers. For one thread.
public final class FleetEpoch implements AutoCloseable {
  private final Fleet fleet;
  private final Request request;
  private final LoaderState start;
  private final long batches;
  private final long firstBatch;
  private final String wholeDigest;
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<String, Long> sums = new TreeMap<>();
  private long set;
  private long done;
  private long delivered;
  private boolean complete;
  private @Nullable LoaderState next;

  /// @param hello what the servers say of it
  FleetEpoch(Fleet fleet, Request request, JsonNode hello) throws IOException {
    this.fleet = fleet;
    start = LoaderState.parse(hello.path("state").asString());
    this.request =
        new Request(
            start.seed(),
            request.rank(),
            request.world(),
            0,
            start.toJson(),
            Stride.ALL,
            start.epoch() + 1);
    batches = hello.path("left").asLong();
    firstBatch = Math.ceilDiv(start.done(), (long) request.world() * hello.path("batch").asInt());
    wholeDigest = hello.path("set_digest").asString();
    done = start.done();
    divide(Stride.ALL);
  }

  /// Asks the servers that are there for batches: each for as many as any other.
  private void divide(Stride stride) throws IOException {
    if (fleet.alive().isEmpty()) {
      Fleet.pause(); // one that answers, but fails each stream, is not asked all the time
      fleet.greetAgain(request);
    }
    List<Host> alive = fleet.alive();
    int count = alive.size();
    for (int i = 0; i < count; i++) {
      var part = new Stride(stride.batch(i), stride.step() * count);
      if (part.first() < batches) {
        Host host = alive.get((int) ((i + (long) fleet.rank()) % count));
        lanes.add(new Lane(host, request, part));
      }
    }
  }

  /// Waits for the next batch.
  ///
  /// @return it, to be closed by the caller, or null at the end of the epoch
  /// @throws CorruptDataException as a loader does
  /// @throws IOException if no server is there
  public @Nullable Batch next() throws IOException {
    while (!lanes.isEmpty()) {
      Lane lane = lanes.stream().min(Comparator.comparingLong(Lane::next)).orElseThrow();
      long expected = lane.next();
      JsonNode message = lane.await();
      if (message == null) {
        drop(lane);
        divide(lane.rest());
        continue;
      }
      switch (message.path("type").asString()) {
        case "batch" -> {
          if (lane.next() == expected) { // else others come first
            return take(lane, message);
          }
        }
        case "end" -> {
          next = LoaderState.parse(message.path("state").asString());
          drop(lane);
        }
        default -> throw error(message);
      }
    }
    complete = true;
    return null;
  }

  private void drop(Lane lane) throws IOException {
    lanes.remove(lane);
    JsonNode counts = lane.counts();
    if (counts != null) {
      Fleet.add(sums, counts);
      set += SetDigest.parse(counts.path("set_digest").asString());
    }
    lane.close();
  }

  private Batch take(Lane lane, JsonNode message) throws IOException {
    int size = message.path("size").asInt();
    if (lane.rows().getRowCount() != size) {
      throw new IOException(
          "%s sends a batch of %d samples in %d rows"
              .formatted(lane.host().address(), size, lane.rows().getRowCount()));
    }
    BatchBuffer buffer = fleet.buffer();
    try {
      Received.copy(lane.rows(), buffer, fleet.layout());
    } catch (IOException | RuntimeException e) {
      fleet.giveBack(buffer);
      throw e;
    }
    lane.taken();
    done = message.path("done").asLong();
    return new Batch(
        buffer,
        size,
        message.path("valid").asInt(),
        start.epoch(),
        firstBatch + delivered++,
        () -> fleet.giveBack(buffer));
  }

  private static IOException error(JsonNode message) {
    String text = message.path("message").asString();
    return switch (message.path("kind").asString()) {
      case "config" -> throw new ConfigException(text);
      case "data" ->
          new CorruptDataException(
              Fault.valueOf(message.path("fault").asString()),
              message.path("reason").asString(),
              new Location(
                  message.path("file").asString(),
                  message.path("record").asLong(),
                  message.path("key").asString(),
                  message.path("offset").asLong()),
              null);
      default -> new IOException(text);
    };
  }

  /// {@return where loading stands after the batches that [#next] returned; at the epoch's end, the
  ///     start of the next one}. Any loader of the same data and seed can resume there.
  public LoaderState state() {
    LoaderState following = next;
    if (complete && following != null) {
      return following;
    }
    return new LoaderState(
        start.seed(),
        complete ? start.epoch() + 1 : start.epoch(),
        complete ? 0 : done,
        start.data(),
        start.order(),
        start.fidelity(),
        start.decoding());
  }

  /// {@return what servers counted, by name, once the epoch is over: `delivered`, `skipped` and so
  ///     on, each sample by the server that sent it}
  public Map<String, Long> counts() {
    return Map.copyOf(sums);
  }

  /// {@return whether every sample of the dataset came exactly once: the epoch is complete, and the
  ///     digests of what each server sent add up to the dataset's own}
  public boolean verified() {
    return complete && start.done() == 0 && SetDigest.hex(set).equals(wholeDigest);
  }

  @Override
  public void close() throws IOException {
    while (!lanes.isEmpty()) {
      drop(lanes.getFirst());
    }
  }
}
