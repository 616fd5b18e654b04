package io.headrace.serve;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// What a consumer says, from its first message to its last. A [Share] answers, in another thread,
/// so that a slot that comes back is filled at once.
final class Session {
  /// How long a consumer may take for its greeting, and to map the memory.
  private static final int GREETING_SECONDS = 30;

  private final Connection connection;

  Session(Connection connection) {
    this.connection = connection;
  }

  /// Waits for the consumer's greeting.
  ///
  /// @throws ProtocolException if it is none, or of another version; the consumer is told
  JsonNode hello() throws IOException {
    try {
      JsonNode hello = expect("hello");
      long protocol = Connection.number(hello, "protocol");
      if (protocol != Messages.PROTOCOL) {
        throw new ProtocolException(
            "protocol %d: expected %d; client and engine are of different versions"
                .formatted(protocol, Messages.PROTOCOL));
      }
      return hello;
    } catch (ProtocolException e) {
      connection.send(Messages.error(-1, e));
      throw e;
    }
  }

  /// Greets the consumer, and waits until it has mapped the memory.
  ///
  /// @throws ProtocolException if it says something else; the consumer is told
  void welcome(Map<String, Object> hello, SharedMemory memory) throws IOException {
    connection.send(hello);
    try {
      JsonNode _ = expect("mapped");
      memory.handedOver();
    } catch (ProtocolException e) {
      connection.send(Messages.error(-1, e));
      throw e;
    }
  }

  private JsonNode expect(String type) throws IOException {
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(
            connection::stopReceiving,
            CompletableFuture.delayedExecutor(GREETING_SECONDS, TimeUnit.SECONDS));
    try {
      JsonNode message = connection.receive();
      if (message == null) {
        throw new ProtocolException(
            "the consumer left, or said nothing for %d s: expected a message '%s'"
                .formatted(GREETING_SECONDS, type));
      }
      if (!message.path("type").asString("").equals(type)) {
        throw unexpected(message, type);
      }
      return message;
    } finally {
      limit.cancel(false);
    }
  }

  private static ProtocolException unexpected(JsonNode message, String expected) {
    String type = message.path("type").asString("");
    return new ProtocolException(
        "a message of type '%s': expected %s"
            .formatted(type.substring(0, Math.min(40, type.length())), expected));
  }

  /// Hears a consumer until it leaves.
  ///
  /// @throws ProtocolException if it says what makes no sense; the consumer is told
  void listen(Share share, Seat seat, int slots) throws ProtocolException {
    try {
      for (JsonNode message = connection.receive();
          message != null;
          message = connection.receive()) {
        hear(message, share, seat, slots);
      }
      share.leave(seat, null);
    } catch (ProtocolException e) {
      try {
        connection.send(Messages.error(-1, e));
      } catch (ConsumerGoneException gone) {
        e.addSuppressed(gone);
      }
      share.leave(seat, e);
      throw e;
    } catch (IOException e) {
      share.leave(seat, null); // it died without closing the connection properly
    }
  }

  private static void hear(JsonNode message, Share share, Seat seat, int slots)
      throws ProtocolException {
    switch (message.path("type").asString("")) {
      case "release" ->
          share.release(
              seat, Connection.number(message, "run"), Connection.number(message, "slot"));
      case "epoch" -> {
        JsonNode state = message.path("state");
        long run = Connection.number(message, "run");
        boolean anew = state.isMissingNode();
        share.ask(
            seat,
            new Ask(
                run,
                anew ? Connection.number(message, "number") : 0,
                anew ? null : state.isString() ? state.asString() : state.toString(),
                message.path("next").isMissingNode() ? -1 : Connection.number(message, "next"),
                kept(message, slots),
                anew ? joining(message) : Ask.Joining.EXACT));
      }
      default -> throw unexpected(message, "release or epoch");
    }
  }

  private static Ask.Joining joining(JsonNode message) throws ProtocolException {
    return switch (message.path("join").asString("exact")) {
      case "exact" -> Ask.Joining.EXACT;
      case "now" -> Ask.Joining.NOW;
      case "whole" -> Ask.Joining.WHOLE;
      default ->
          throw new ProtocolException(
              "join of a message 'epoch' is %s: expected now or whole"
                  .formatted(message.path("join")));
    };
  }

  private static BitSet kept(JsonNode message, int slots) throws ProtocolException {
    BitSet kept = new BitSet();
    for (JsonNode slot : message.path("kept")) {
      if (!slot.isInt() || slot.asInt() < 0 || slot.asInt() >= slots) {
        throw new ProtocolException("slot %s kept: expected slots below %d".formatted(slot, slots));
      }
      kept.set(slot.asInt());
    }
    return kept;
  }
}
