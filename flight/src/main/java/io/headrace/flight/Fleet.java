package io.headrace.flight;

import io.headrace.error.ConfigException;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.BatchLayout;
import io.headrace.memory.BatchMemory;
import io.headrace.memory.DType;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.memory.TensorSpec;
import io.headrace.order.Stride;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Epochs of batches that several servers make together: each batch is what one engine alone would
/// make for this rank, and comes once, in the same order, for as long as one of the servers is
/// there.
///
/// Batch b is made by number (b + rank) mod S of the S servers that are there. Where one is gone,
/// its batches that have not come are dealt out among the others in the same way. One that is gone
/// is asked again at the next epoch. For one thread.
public final class Fleet implements AutoCloseable {
  /// How long to look for any server where none is there.
  private static final long PATIENCE_MILLIS = 30_000;

  private static final long PAUSE_MILLIS = 500;

  /// Whose batches to take.
  ///
  /// @param servers `HOST:PORT` each, in the same order for all ranks
  /// @param seed of orders and random steps; null for the servers'
  /// @param rank this consumer's number, from 0
  /// @param world number of consumers that share an epoch
  /// @param token to say, or null
  /// @param roots PEM file of certificates that are trusted; null for no encryption
  public record Options(
      List<String> servers,
      @Nullable Long seed,
      int rank,
      int world,
      @Nullable String token,
      @Nullable Path roots) {
    /// Copies the list.
    ///
    /// @throws ConfigException if it is empty
    public Options {
      servers = List.copyOf(servers);
      if (servers.isEmpty()) {
        throw new ConfigException("no servers: expected HOST:PORT of at least one");
      }
    }
  }

  private final Options options;
  private final BufferAllocator allocator = new RootAllocator();
  private final Arena arena = Arena.ofShared();
  private final List<Host> hosts = new ArrayList<>();
  private final BatchLayout layout;
  private final Deque<BatchBuffer> free = new ArrayDeque<>();
  private JsonNode hello;

  /// Connects.
  ///
  /// @throws ConfigException if the servers do not serve the same, or refuse
  /// @throws IOException if none of them is there
  public Fleet(Options options) throws IOException {
    this.options = options;
    try {
      for (String address : options.servers()) {
        hosts.add(new Host(address, options.token(), options.roots(), allocator));
      }
      hello = greet(request(0, null));
      layout = layout(hello);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static BatchLayout layout(JsonNode hello) {
    int batch = hello.path("batch").asInt();
    List<FieldSpec> fields = new ArrayList<>();
    for (JsonNode field : hello.path("fields")) {
      FieldType dtype = FieldType.of(field.path("dtype").asString());
      if (dtype == null) {
        throw new ConfigException("a server's field of an unknown type: " + field);
      }
      fields.add(
          new FieldSpec(
              field.path("name").asString(),
              FieldSpec.Kind.valueOf(field.path("kind").asString().toUpperCase(Locale.ROOT)),
              dtype,
              shape(field),
              field.path("bytes").asLong() / batch));
    }
    var sample = new TensorSpec(DType.of(hello.path("dtype").asString()), shape(hello));
    return new BatchLayout(sample, fields, batch);
  }

  private static List<Integer> shape(JsonNode node) {
    return node.path("shape").valueStream().map(JsonNode::asInt).toList();
  }

  private Request request(long epoch, @Nullable String state) {
    return new Request(
        options.seed(), options.rank(), options.world(), epoch, state, Stride.ALL, -1);
  }

  /// Asks all servers for what a request would give.
  ///
  /// @return what one of them says; all that are there say the same of what decides batches
  private JsonNode greet(Request request) throws IOException {
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (true) {
      JsonNode said = null;
      String by = "";
      for (Host host : hosts) {
        JsonNode one = host.hello(request);
        if (one == null) {
          continue;
        }
        if (said != null) {
          requireSame(by, said.path("same"), host.address(), one.path("same"));
        }
        said = said == null ? one : said;
        by = host.address();
      }
      if (said != null) {
        return said;
      }
      if (System.currentTimeMillis() > deadline) {
        throw new IOException("none of the servers is there: " + lastWords());
      }
      pause();
    }
  }

  static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a server", e);
    }
  }

  String lastWords() {
    return String.join("; ", hosts.stream().map(Host::lastWords).toList());
  }

  private static void requireSame(String a, JsonNode one, String b, JsonNode other) {
    var names = new TreeSet<String>();
    names.addAll(one.propertyNames());
    names.addAll(other.propertyNames());
    for (String name : names) {
      if (!one.path(name).equals(other.path(name))) {
        throw new ConfigException(
            "the servers do not serve the same: %s is %s at %s and %s at %s"
                .formatted(name, one.path(name), a, other.path(name), b));
      }
    }
  }

  /// {@return where tensors and fields lie in the memory of a batch}
  public BatchLayout layout() {
    return layout;
  }

  /// {@return samples of the dataset}
  public long samples() {
    return hello.path("samples").asLong();
  }

  /// {@return batches of a whole epoch}
  public long batches() {
    return hello.path("batches").asLong();
  }

  /// Starts an epoch. The one before is over.
  ///
  /// @param number its number, from 0
  public FleetEpoch epoch(long number) throws IOException {
    return start(request(number, null));
  }

  /// Resumes an epoch.
  ///
  /// @param state as [FleetEpoch#state] or a loader's said it
  /// @throws ConfigException if the state is of another seed, order or dataset
  public FleetEpoch resume(String state) throws IOException {
    return start(request(0, state));
  }

  private FleetEpoch start(Request request) throws IOException {
    JsonNode said = greet(request);
    requireSame("the first epoch", hello.path("same"), "this one", said.path("same"));
    hello = said;
    return new FleetEpoch(this, request, said);
  }

  /// {@return the servers that are there}
  List<Host> alive() {
    return hosts.stream().filter(Host::alive).toList();
  }

  /// Looks whether a server has come back.
  void greetAgain(Request request) throws IOException {
    JsonNode said = greet(request);
    requireSame("the start", hello.path("same"), "its new start", said.path("same"));
  }

  int rank() {
    return options.rank();
  }

  synchronized BatchBuffer buffer() {
    BatchBuffer found = free.pollLast();
    return found == null
        ? new BatchBuffer(
            layout, arena.allocate(Math.max(1, layout.bytes()), BatchMemory.ALIGNMENT))
        : found;
  }

  synchronized void giveBack(BatchBuffer buffer) {
    free.add(buffer);
  }

  /// Adds what a server counted, by name.
  static void add(Map<String, Long> sums, JsonNode counts) {
    counts.properties().stream()
        .filter(entry -> entry.getValue().isIntegralNumber())
        .forEach(entry -> sums.merge(entry.getKey(), entry.getValue().asLong(), Long::sum));
  }

  /// Ends it; batches in use are gone with it.
  @Override
  public void close() {
    hosts.forEach(Host::close);
    allocator.close();
    arena.close();
  }
}
