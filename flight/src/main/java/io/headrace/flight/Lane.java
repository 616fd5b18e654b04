package io.headrace.flight;

import io.headrace.order.Stride;
import java.io.IOException;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The batches of a stride that one server makes, as they come.
final class Lane implements AutoCloseable {

  private final Host host;
  private final long step;
  private final FlightStream stream;
  private long next;
  private @Nullable JsonNode message;
  private @Nullable JsonNode counts;

  /// Asks for them.
  ///
  /// @param request of the epoch
  Lane(Host host, Request request, Stride stride) {
    this.host = host;
    next = stride.first();
    step = stride.step();
    stream = host.stream(request.of(stride));
  }

  Host host() {
    return host;
  }

  /// {@return the number of the batch that comes next, or a lower one where some come to nothing}
  long next() {
    return next;
  }

  /// {@return what is left of it}
  Stride rest() {
    return new Stride(next, step);
  }

  /// {@return what its server counted up to the batch that came last, or null}
  @Nullable JsonNode counts() {
    return counts;
  }

  /// Waits for the next message, unless it is there.
  ///
  /// @return it, or null if the server is gone
  @Nullable JsonNode await() {
    if (message != null) {
      return message;
    }
    try {
      if (!stream.next()) {
        host.gone("it ended a stream without a word");
        return null;
      }
    } catch (FlightRuntimeException e) {
      host.gone(e);
      return null;
    }
    ArrowBuf said = stream.getLatestMetadata();
    byte[] json = new byte[Math.toIntExact(said.readableBytes())];
    said.getBytes(said.readerIndex(), json);
    JsonNode came = JsonMapper.shared().readTree(json);
    message = came;
    if (came.path("type").asString().equals("batch")) {
      next = came.path("number").asLong();
    }
    if (came.has("counts")) {
      counts = came.path("counts");
    }
    return came;
  }

  /// Goes on to the next message: the one that is there was taken.
  void taken() {
    message = null;
    next += step;
  }

  /// {@return the rows of the batch that is there}
  VectorSchemaRoot rows() {
    return stream.getRoot();
  }

  @Override
  public void close() throws IOException {
    try {
      stream.cancel("enough", null);
      stream.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
