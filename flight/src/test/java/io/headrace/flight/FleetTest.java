package io.headrace.flight;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.field.FieldRequest;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.order.Stride;
import io.headrace.pipeline.Pipeline;
import io.headrace.serve.NetworkOptions;
import io.headrace.serve.ServedDataset;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: what several servers deliver together is what one loader alone would, batch for batch, also
/// where some of them are gone.
final class FleetTest {
  private static final int COUNT = 101;
  private static final Pipeline PIPELINE = Pipeline.parse("random_resized_crop=4,flip,uint8,hwc");

  @TempDir private static Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();

  /// What a test compares of a batch.
  private record Seen(long epoch, long index, int size, int valid, String labels, String bytes) {
    static Seen of(Batch batch) {
      var labels = new StringBuilder();
      for (int i = 0; i < batch.size(); i++) {
        labels.append(batch.label(i)).append(':').append(batch.id(i)).append(' ');
      }
      for (int f = 0; f < batch.fields().size(); f++) {
        labels.append(Arrays.hashCode(batch.values(f).toArray(JAVA_BYTE))).append(' ');
        if (batch.fields().get(f).ragged()) {
          for (int i = 0; i <= batch.size(); i++) {
            labels.append(batch.offset(f, i)).append(' ');
          }
        }
      }
      String bytes = Arrays.toString(batch.data().toArray(JAVA_BYTE));
      return new Seen(
          batch.epoch(), batch.index(), batch.size(), batch.validCount(), labels.toString(), bytes);
    }
  }

  @BeforeAll
  static void makePictures() throws IOException {
    byte[] header = "P6\n9 7\n255\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < COUNT; i++) {
      byte[] picture = Arrays.copyOf(header, header.length + 9 * 7 * 3);
      for (int j = header.length; j < picture.length; j++) {
        picture[j] = (byte) (i * 31 + j * (1 + i % 7));
      }
      Path group = Files.createDirectories(folder.resolve("class" + i % 3));
      Files.write(group.resolve("%05d.ppm".formatted(i)), picture);
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  private static LoadOptions.Builder options() {
    return LoadOptions.builder()
        .batchSize(4)
        .threads(2)
        .prefetch(3)
        .seed(7)
        .memory(32 << 20)
        .fields(FieldRequest.parse("key"));
  }

  private FeedServer server(LoadOptions options, boolean compressed) throws IOException {
    return server(options, new NetworkOptions("localhost", 0, null, null, null, compressed));
  }

  private FeedServer server(LoadOptions options, NetworkOptions at) throws IOException {
    Dataset dataset = opened(Datasets.open(folder, OpenOptions.DEFAULT));
    return opened(
        new FeedServer(new ServedDataset(dataset, PIPELINE, options, folder), at, _ -> {}));
  }

  private Fleet fleet(int rank, int world, FeedServer... servers) throws IOException {
    return fleet(rank, world, null, servers);
  }

  private Fleet fleet(int rank, int world, @Nullable String token, FeedServer... servers)
      throws IOException {
    List<String> addresses =
        Arrays.stream(servers).map(server -> "localhost:" + server.port()).toList();
    return opened(new Fleet(new Fleet.Options(addresses, null, rank, world, token, null)));
  }

  private static List<Seen> alone(LoadOptions options, long number) throws IOException {
    try (Dataset dataset = Datasets.open(folder, OpenOptions.DEFAULT);
        var loader = new Loader(dataset, PIPELINE, options);
        Epoch epoch = loader.epoch(number)) {
      List<Seen> all = new ArrayList<>();
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        all.add(Seen.of(batch));
        batch.close();
      }
      return all;
    }
  }

  private static List<Seen> rest(FleetEpoch epoch) throws IOException {
    List<Seen> all = new ArrayList<>();
    for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
      all.add(Seen.of(batch));
      batch.close();
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threeServersDeliverWhatOneLoaderDoes(boolean compressed) throws IOException {
    LoadOptions options = options().build();
    Fleet fleet =
        fleet(
            0,
            1,
            server(options, compressed),
            server(options, compressed),
            server(options, compressed));

    for (long number = 0; number < 2; number++) {
      try (FleetEpoch epoch = fleet.epoch(number)) {
        assertThat(rest(epoch)).isEqualTo(alone(options, number)).hasSize(26);
        assertThat(epoch.verified()).isTrue();
        assertThat(epoch.counts()).containsEntry("delivered", (long) COUNT);
      }
    }
  }

  @Test
  void aServerIsKilledAndEverySampleComesOnce() throws IOException {
    LoadOptions options = options().build();
    FeedServer dies = server(options, false);
    FeedServer stays = server(options, false);
    for (int rank = 0; rank < 2; rank++) {
      LoadOptions ranked = options.as(7, rank, 2);
      Fleet fleet =
          rank == 0
              ? fleet(rank, 2, dies, stays)
              : fleet(rank, 2, dies, stays, server(options, false));
      List<Seen> seen = new ArrayList<>();
      try (FleetEpoch epoch = fleet.epoch(3)) {
        for (int i = 0; i < 4; i++) {
          Batch batch = Objects.requireNonNull(epoch.next());
          seen.add(Seen.of(batch));
          batch.close();
        }
        dies.close();
        seen.addAll(rest(epoch));
        assertThat(epoch.counts()).containsEntry("delivered", (COUNT + 1 - rank) / 2L);
      }
      assertThat(seen).isEqualTo(alone(ranked, 3)).hasSize(13);
      if (rank == 0) {
        dies = server(options, false);
      }
    }
  }

  @Test
  void aStateResumesWithOthersOrAlone() throws IOException {
    LoadOptions options = options().build();
    FeedServer one = server(options, false);
    Fleet fleet = fleet(0, 1, one, server(options, false));
    String state;
    try (FleetEpoch epoch = fleet.epoch(1)) {
      for (int i = 0; i < 5; i++) {
        Batch batch = Objects.requireNonNull(epoch.next());
        batch.close();
      }
      state = epoch.state().toJson();
    }

    List<Seen> expected = alone(options, 1).subList(5, 26);
    try (FleetEpoch epoch = fleet.resume(state)) {
      assertThat(rest(epoch)).isEqualTo(expected);
      assertThat(epoch.state().epoch()).isEqualTo(2);
    }
    try (FleetEpoch epoch = fleet(0, 1, one).resume(state)) {
      assertThat(rest(epoch)).isEqualTo(expected);
    }
  }

  @Test
  void serversThatDifferAreRefusedWithWhatDiffers() throws IOException {
    FeedServer one = server(options().build(), false);
    FeedServer other = server(options().policy(ErrorPolicy.SKIP).build(), false);

    assertThatThrownBy(() -> fleet(0, 1, one, other))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("on_error is \"FAIL\" at localhost:" + one.port())
        .hasMessageContaining("\"SKIP\" at localhost:" + other.port());
  }

  @Test
  void aTokenIsAskedFor() throws IOException {
    Path tokens = Files.writeString(Files.createTempFile("tokens", ""), "one\ntwo\n");
    FeedServer server =
        server(options().build(), new NetworkOptions("localhost", 0, null, null, tokens, false));
    Files.delete(tokens);

    assertThatThrownBy(() -> fleet(0, 1, server))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a token is asked for");
    assertThatThrownBy(() -> fleet(0, 1, "three", server))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("an unknown token");
    assertThat(fleet(0, 1, "two", server).samples()).isEqualTo(COUNT);
  }

  @Test
  void aConsumerThatStopsTakingHoldsUpNobodyElse() throws IOException {
    LoadOptions options = options().build();
    FeedServer server = server(options, false);
    Fleet slow = fleet(0, 1, server);
    try (FleetEpoch epoch = slow.epoch(0)) {
      assertThat(epoch.next()).isNotNull();
      try (FleetEpoch other = fleet(0, 1, server).epoch(0)) {
        assertThat(rest(other)).hasSize(26); // nobody waits for it
      }
    }
  }

  private static final FlightProducer.CallContext CALL =
      new FlightProducer.CallContext() {
        @Override
        public String peerIdentity() {
          return "";
        }

        @Override
        public boolean isCancelled() {
          return false;
        }

        @Override
        public <T extends FlightServerMiddleware> @Nullable T getMiddleware(
            FlightServerMiddleware.Key<T> key) {
          return null;
        }

        @Override
        public Map<FlightServerMiddleware.Key<?>, FlightServerMiddleware> getMiddleware() {
          return Map.of();
        }
      };

  /// A stream whose consumer has room only when a test says so.
  private static final class Consumer implements FlightProducer.ServerStreamListener {
    final Semaphore batches = new Semaphore(0);
    private final AtomicReference<Runnable> roomAgain = new AtomicReference<>();
    private final AtomicReference<Runnable> leaving = new AtomicReference<>();
    private volatile boolean room;
    private volatile boolean left;

    void makeRoom() {
      room = true;
      Objects.requireNonNull(roomAgain.get()).run();
    }

    void leave() {
      left = true;
      Objects.requireNonNull(leaving.get()).run();
    }

    @Override
    public boolean isCancelled() {
      return left;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
      leaving.set(handler);
    }

    @Override
    public boolean isReady() {
      return room;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      roomAgain.set(handler);
    }

    @Override
    public void start(
        VectorSchemaRoot root, @Nullable DictionaryProvider provider, @Nullable IpcOption option) {}

    @Override
    public void putNext() {
      batches.release();
    }

    @Override
    public void putNext(ArrowBuf metadata) {
      metadata.close();
      batches.release();
    }

    @Override
    public void putMetadata(ArrowBuf metadata) {
      metadata.close();
    }

    @Override
    public void error(Throwable failure) {}

    @Override
    public void completed() {}
  }

  @Test
  @Timeout(60)
  void aCallComesBackBeforeItsConsumerHasRoom() throws Exception {
    Dataset dataset = opened(Datasets.open(folder, OpenOptions.DEFAULT));
    LoadOptions options = options().build();
    var threads = Executors.newCachedThreadPool();
    try (threads;
        var allocator = new RootAllocator();
        var loaders = new Loaders(new ServedDataset(dataset, PIPELINE, options, folder))) {
      var producer = new FeedProducer(loaders, allocator, false, threads, _ -> {});
      var consumer = new Consumer();
      var request = new Request(null, 0, 1, 0, null, Stride.ALL, -1);
      producer.getStream(CALL, new Ticket(request.toJson()), consumer); // else no handler is called
      consumer.batches.acquire();
      consumer.makeRoom();
      consumer.batches.acquire(3);
      consumer.leave();
    }
  }
}
