package io.headrace.flight;

import io.grpc.netty.NettyServerBuilder;
import io.headrace.error.ConfigException;
import io.headrace.serve.NetworkOptions;
import io.headrace.serve.ServedDataset;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ResourceLeakDetector;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/// A server of batches, from when it is made until it is closed.
public final class FeedServer implements AutoCloseable {
  /// How long consumers have to notice that a server ends.
  private static final int ENDING_SECONDS = 2;

  /// How often a silent connection is asked whether it lives, and how often consumers may ask.
  private static final int ALIVE_SECONDS = 10;

  /// Bytes on their way to a consumer before its stream waits.
  private static final int UNDER_WAY = 32 << 20;

  /// Bytes that Netty holds of a connection before it waits for the socket, and where it goes on:
  /// its own 64 and 32 KiB make many small writes of a batch.
  private static final WriteBufferWaterMark WRITES = new WriteBufferWaterMark(128 << 10, 256 << 10);

  /// Threads of calls and streams, as many as there are. Flight's own would refuse what Netty still
  /// has to say of streams that end with their server.
  private static final ExecutorService CALLS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("call-", 0).factory());

  static {
    if (System.getProperty("io.netty.leakDetection.level") == null) {
      ResourceLeakDetector.setLevel(
          ResourceLeakDetector.Level.DISABLED); // a stack trace now and then
    }
  }

  private final BufferAllocator allocator = new RootAllocator();
  private final Loaders loaders;
  private final FlightServer server;
  private final String host;
  private final boolean encrypted;

  /// Starts it.
  ///
  /// @param failures told why a consumer got no more
  /// @throws ConfigException if there is not enough memory, the loader cannot do what is asked, or
  ///     the samples cannot be read one by one
  /// @throws IOException if the address cannot be listened on, or a file is not there
  public FeedServer(ServedDataset offer, NetworkOptions at, Consumer<Exception> failures)
      throws IOException {
    host = at.host();
    encrypted = at.certificate() != null;
    loaders = new Loaders(offer);
    try {
      var producer = new FeedProducer(loaders, allocator, at.compressed(), CALLS, failures);
      new Columns(loaders.any().layout(), allocator, at.compressed()).close(); // or it says why not
      server = build(at, producer).start();
    } catch (IOException | RuntimeException e) {
      loaders.close();
      allocator.close();
      throw e;
    }
  }

  private FlightServer build(NetworkOptions at, FeedProducer producer) throws IOException {
    Location location =
        encrypted
            ? Location.forGrpcTls(at.host(), at.port())
            : Location.forGrpcInsecure(at.host(), at.port());
    Consumer<NettyServerBuilder> settings =
        builder ->
            builder
                .keepAliveTime(ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(ALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(ALIVE_SECONDS / 2, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITES);
    FlightServer.Builder builder =
        FlightServer.builder(allocator, location, producer)
            .backpressureThreshold(UNDER_WAY)
            .executor(CALLS)
            .transportHint("grpc.builderConsumer", settings);
    Path tokens = at.tokens();
    if (tokens != null) {
      builder.middleware(FlightServerMiddleware.Key.of("tokens"), new Tokens(tokens));
    }
    if (encrypted) {
      builder.useTls(file(at.certificate()), file(at.key()));
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) { // Netty's word for a file that it cannot use
      throw new ConfigException(
          "certificate %s with key %s: %s".formatted(at.certificate(), at.key(), e.getMessage()));
    }
  }

  private static File file(@Nullable Path path) throws IOException {
    if (path == null || !Files.isRegularFile(path)) {
      throw new NoSuchFileException(String.valueOf(path));
    }
    return path.toFile();
  }

  /// {@return the port listened on}
  public int port() {
    return server.getPort();
  }

  /// {@return the address, as a consumer is given it}
  public String address() {
    return (encrypted ? "grpc+tls://" : "grpc://") + host + ":" + port();
  }

  /// Ends it: streams under way are cut.
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      server.shutdown();
      boolean _ = server.awaitTermination(ENDING_SECONDS, TimeUnit.SECONDS);
      server.close();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    loaders.close();
    allocator.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
