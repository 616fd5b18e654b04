package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.EpochPlan;
import io.headrace.serve.Messages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Answers consumers: what there is ([#HELLO]), and batches.
final class FeedProducer extends NoOpFlightProducer {
  /// The action that says what a request would give.
  static final String HELLO = "hello";

  static final int PROTOCOL = 1;

  private final Loaders loaders;
  private final BufferAllocator allocator;
  private final boolean compressed;
  private final Executor threads;
  private final Consumer<Exception> failures;

  /// @param threads run streams, one each until it ends. Flight's thread of a call does not: it
  ///     must come back before a stream can be told that its consumer has room again
  FeedProducer(
      Loaders loaders,
      BufferAllocator allocator,
      boolean compressed,
      Executor threads,
      Consumer<Exception> failures) {
    this.loaders = loaders;
    this.allocator = allocator;
    this.compressed = compressed;
    this.threads = threads;
    this.failures = failures;
  }

  @Override
  public void listActions(CallContext context, StreamListener<ActionType> listener) {
    listener.onNext(
        new ActionType(HELLO, "Says what the batches of a request, a JSON object, would be."));
    listener.onCompleted();
  }

  @Override
  public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
    if (!action.getType().equals(HELLO)) {
      listener.onError(
          CallStatus.UNIMPLEMENTED
              .withDescription("no action '" + action.getType() + "': expected " + HELLO)
              .toRuntimeException());
      return;
    }
    Map<String, Object> answer;
    try {
      answer = hello(Request.parse(action.getBody()));
    } catch (RuntimeException e) {
      answer = Messages.error(-1, e);
    }
    listener.onNext(new Result(JsonMapper.shared().writeValueAsBytes(answer)));
    listener.onCompleted();
  }

  private Map<String, Object> hello(Request request) {
    Loaders.Kind kind = loaders.kindOf(request);
    Loader loader = loaders.take(kind);
    try {
      LoaderState state = stateOf(loader, request.state(), request.epoch());
      EpochPlan plan = loader.plan(state.done());
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("type", HELLO);
      map.put("protocol", PROTOCOL);
      map.putAll(Messages.offer(loaders.offer(), loader));
      map.put("rank", kind.rank());
      map.put("world", kind.world());
      map.put("seed", kind.seed());
      map.put("epoch", state.epoch());
      map.put("state", state.toJson());
      map.put("left", plan.batches());
      map.put("set_digest", wholeDigest(kind));
      map.put("same", same(state));
      return map;
    } finally {
      loaders.giveBack(kind, loader);
    }
  }

  private static LoaderState stateOf(Loader loader, @Nullable String text, long epoch) {
    if (text == null) {
      return loader.stateAt(epoch);
    }
    LoaderState state = LoaderState.parse(text);
    loader.check(state);
    return state;
  }

  /// {@return the digest of all samples, where one rank gets each once; empty where that is not so}
  private String wholeDigest(Loaders.Kind kind) {
    Dataset dataset = loaders.offer().dataset();
    return kind.world() == 1 && loaders.offer().options().choice().all() ? dataset.setDigest() : "";
  }

  /// {@return what servers must have in common for their batches to be those of one}
  private Map<String, Object> same(LoaderState state) {
    LoadOptions options = loaders.offer().options();
    Map<String, Object> map = new LinkedHashMap<>(Identity.of(loaders.offer().dataset()).toMap());
    map.put("pipeline", loaders.offer().pipeline().spec());
    map.put("order", state.order());
    map.put("fidelity", options.fidelity().toString());
    map.put("decoding", state.decoding());
    map.put("batch", options.batchSize());
    map.put("ranks_tail", options.ranksTail().label());
    map.put("last_batch", options.lastBatch().label());
    map.put("on_error", options.policy().name());
    map.put("apply_orientation", options.applyOrientation());
    map.put("fields", loaders.any().layout().fields().toString());
    map.put("seed", state.seed());
    map.put("compressed", compressed);
    return map;
  }

  @Override
  public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
    byte[] command = descriptor.getCommand();
    if (command == null) {
      throw CallStatus.INVALID_ARGUMENT
          .withDescription("a path: expected a command, a JSON object such as {\"epoch\":0}")
          .toRuntimeException();
    }
    try {
      Request request = Request.parse(command);
      Schema schema = Columns.schema(loaders.any().layout(), compressed);
      var endpoint = new FlightEndpoint(new Ticket(request.toJson()));
      return FlightInfo.builder(schema, descriptor, List.of(endpoint)).setOrdered(true).build();
    } catch (ConfigException e) {
      throw CallStatus.INVALID_ARGUMENT
          .withDescription(String.valueOf(e.getMessage()))
          .toRuntimeException();
    }
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    Loaders.Kind kind;
    Loader loader;
    Request request;
    try {
      request = Request.parse(ticket.getBytes());
      kind = loaders.kindOf(request);
      loader = loaders.take(kind);
    } catch (RuntimeException e) {
      listener.error(
          CallStatus.INVALID_ARGUMENT
              .withDescription(String.valueOf(e.getMessage()))
              .withCause(e)
              .toRuntimeException());
      return;
    }
    // Its handlers must be known before this returns; they are called only once it has.
    var stream = new FeedStream(loader, request, loaders.deal(kind), listener, allocator);
    threads.execute(
        () -> {
          try {
            Exception failure = stream.send(compressed);
            if (failure != null) {
              failures.accept(failure);
            }
          } catch (RuntimeException e) {
            failures.accept(e);
            listener.error(
                CallStatus.INTERNAL
                    .withDescription(String.valueOf(e))
                    .withCause(e)
                    .toRuntimeException());
          } finally {
            loaders.giveBack(kind, loader);
          }
        });
  }
}
