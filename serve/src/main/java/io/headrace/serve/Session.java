package io.headrace.serve;

import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One consumer from its first message to its last. This thread loads and hands out. Another one
/// receives messages, so that a slot that comes back is filled at once.
final class Session {
  /// How long a consumer may take for its greeting, and to map the memory.
  private static final int GREETING_SECONDS = 30;

  private final Connection connection;
  private final ServedDataset offer;
  private final Loader loader;
  private final SharedMemory memory;
  private final Runnable left;
  private final SlotLedger desk;
  private long bad;
  private @Nullable Exception failure;

  /// @param left run once the consumer has left
  Session(
      Connection connection,
      ServedDataset offer,
      Loader loader,
      SharedMemory memory,
      Runnable left) {
    this.connection = connection;
    this.offer = offer;
    this.loader = loader;
    this.memory = memory;
    this.left = left;
    desk = new SlotLedger(memory.slots());
  }

  /// Serves until the consumer leaves.
  ///
  /// @return samples skipped in all epochs that ended, and epochs of other data than the dataset
  ///     says
  /// @throws IOException that its last epoch failed of, or if it said what makes no sense
  /// @throws RuntimeException that its last epoch failed of
  long run() throws IOException {
    try {
      greet();
      Thread.ofPlatform().daemon().name("consumer").start(this::listen);
      for (SlotLedger.Ask ask = desk.next(); ask != null; ask = desk.next()) {
        failure = null;
        deliver(ask);
      }
    } catch (ConsumerGoneException e) {
      // it left while a message was sent to it: a normal end
    } finally {
      connection.end();
    }
    ProtocolException broken = desk.broken();
    if (broken != null) {
      throw broken;
    }
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
    return bad;
  }

  private void greet() throws IOException {
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(
            connection::stopReceiving,
            CompletableFuture.delayedExecutor(GREETING_SECONDS, TimeUnit.SECONDS));
    try {
      long protocol = Connection.number(expect("hello"), "protocol");
      if (protocol != Messages.PROTOCOL) {
        throw new ProtocolException(
            "protocol %d: expected %d; client and engine are of different versions"
                .formatted(protocol, Messages.PROTOCOL));
      }
      connection.send(Messages.hello(offer, loader, memory));
      JsonNode _ = expect("mapped");
      memory.handedOver();
    } catch (ProtocolException e) {
      connection.send(Messages.error(-1, e));
      throw e;
    } finally {
      limit.cancel(false);
    }
  }

  private JsonNode expect(String type) throws IOException {
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
  }

  private static ProtocolException unexpected(JsonNode message, String expected) {
    String type = message.path("type").asString("");
    return new ProtocolException(
        "a message of type '%s': expected %s"
            .formatted(type.substring(0, Math.min(40, type.length())), expected));
  }

  private void listen() {
    try {
      for (JsonNode message = connection.receive();
          message != null;
          message = connection.receive()) {
        hear(message);
      }
      desk.leave(null);
    } catch (ProtocolException e) {
      try {
        connection.send(Messages.error(-1, e));
      } catch (ConsumerGoneException gone) {
        e.addSuppressed(gone);
      }
      desk.leave(e);
    } catch (IOException e) {
      desk.leave(null); // it died without closing the connection properly
    } finally {
      left.run();
    }
  }

  private void hear(JsonNode message) throws ProtocolException {
    switch (message.path("type").asString("")) {
      case "release" ->
          desk.release(Connection.number(message, "run"), Connection.number(message, "slot"));
      case "epoch" -> {
        JsonNode state = message.path("state");
        long run = Connection.number(message, "run");
        boolean anew = state.isMissingNode();
        desk.ask(
            new SlotLedger.Ask(
                run,
                anew ? Connection.number(message, "number") : 0,
                anew ? null : state.isString() ? state.asString() : state.toString(),
                message.path("next").isMissingNode() ? -1 : Connection.number(message, "next"),
                kept(message)));
      }
      default -> throw unexpected(message, "release or epoch");
    }
  }

  private BitSet kept(JsonNode message) throws ProtocolException {
    BitSet kept = new BitSet();
    for (JsonNode slot : message.path("kept")) {
      if (!slot.isInt() || slot.asInt() < 0 || slot.asInt() >= memory.slots()) {
        throw new ProtocolException(
            "slot %s kept: expected slots below %d".formatted(slot, memory.slots()));
      }
      kept.set(slot.asInt());
    }
    return kept;
  }

  private Epoch begin(SlotLedger.Ask ask) {
    String state = ask.state();
    return state == null ? loader.epoch(ask.number()) : loader.epoch(LoaderState.parse(state));
  }

  /// Hands out an epoch. Its slots are the consumer's until it asks for another one.
  private void deliver(SlotLedger.Ask ask) throws ConsumerGoneException {
    try (Epoch epoch = begin(ask)) {
      try {
        connection.send(Messages.started(ask.run(), epoch));
        if (ask.next() >= 0) {
          loader.announce(ask.next());
        }
        while (desk.awaitRoom()) {
          Batch batch = epoch.next();
          if (batch == null) {
            EpochReport report = epoch.report();
            bad += report.skipped() + (report.contradiction().isEmpty() ? 0 : 1);
            connection.send(Messages.end(ask.run(), epoch.state(), report));
            break;
          }
          hand(ask.run(), epoch, batch);
        }
        desk.awaitNext();
      } catch (ConsumerGoneException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        fail(ask, e);
        desk.awaitNext(); // what came before the failure may still be on its way
      } finally {
        desk.takeBack();
      }
    } catch (ConsumerGoneException e) {
      throw e;
    } catch (RuntimeException e) {
      fail(ask, e);
    }
  }

  private void hand(long run, Epoch epoch, Batch batch) throws ConsumerGoneException {
    int slot = memory.slotOf(batch);
    memory.describe(slot, batch);
    desk.lend(slot, batch);
    connection.send(Messages.batch(run, slot, batch, epoch.state().done()));
  }

  private void fail(SlotLedger.Ask ask, Exception why) throws ConsumerGoneException {
    failure = why;
    connection.send(Messages.error(ask.run(), why));
  }
}
