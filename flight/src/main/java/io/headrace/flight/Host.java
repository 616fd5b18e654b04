package io.headrace.flight;

import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.headrace.error.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A server as its consumer sees it: there, or gone.
final class Host implements AutoCloseable {
  private static final int HELLO_SECONDS = 10;
  private static final int ALIVE_SECONDS = 10;

  private final String address;
  private final ManagedChannel channel;
  private final FlightClient client;
  private final List<CallOption> calls = new ArrayList<>();
  private boolean alive;
  private String lastWords = "";

  Host(String address, @Nullable String token, @Nullable Path roots, BufferAllocator allocator)
      throws IOException {
    this.address = address;
    if (address.lastIndexOf(':') <= 0) {
      throw new ConfigException("server '%s': expected HOST:PORT".formatted(address));
    }
    if (roots != null && !Files.isRegularFile(roots)) {
      throw new NoSuchFileException(roots.toString());
    }
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget("dns:///" + address)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .keepAliveTime(ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(ALIVE_SECONDS, TimeUnit.SECONDS);
    if (roots == null) {
      builder.usePlaintext();
    } else {
      builder.sslContext(GrpcSslContexts.forClient().trustManager(roots.toFile()).build());
    }
    channel = builder.build();
    client = FlightGrpcUtils.createFlightClient(allocator, channel);
    if (token != null) {
      var headers = new FlightCallHeaders();
      headers.insert(Tokens.HEADER, Tokens.SCHEME + token);
      calls.add(new HeaderCallOption(headers));
    }
  }

  String address() {
    return address;
  }

  boolean alive() {
    return alive;
  }

  /// {@return why it is gone}
  String lastWords() {
    return address + ": " + lastWords;
  }

  /// Asks what a request would give.
  ///
  /// @return the answer, or null if it is gone
  /// @throws ConfigException if it refuses
  @Nullable JsonNode hello(Request request) {
    var limited = new ArrayList<>(calls);
    limited.add(CallOptions.timeout(HELLO_SECONDS, TimeUnit.SECONDS));
    if (!alive) {
      channel.resetConnectBackoff(); // one that came back must be found
    }
    try {
      byte[] said =
          client
              .doAction(
                  new Action(FeedProducer.HELLO, request.toJson()),
                  limited.toArray(CallOption[]::new))
              .next()
              .getBody();
      JsonNode answer = JsonMapper.shared().readTree(said);
      if (answer.path("type").asString().equals("error")) {
        throw new ConfigException("server " + address + ": " + answer.path("message").asString());
      }
      if (answer.path("protocol").asInt() != FeedProducer.PROTOCOL) {
        throw new ConfigException(
            "server %s speaks protocol %s: expected %d"
                .formatted(address, answer.path("protocol"), FeedProducer.PROTOCOL));
      }
      alive = true;
      return answer;
    } catch (FlightRuntimeException e) {
      gone(e);
      return null;
    }
  }

  /// Begins to take batches.
  FlightStream stream(Request request) {
    return client.getStream(new Ticket(request.toJson()), calls.toArray(CallOption[]::new));
  }

  /// Notes that it is gone.
  ///
  /// @throws ConfigException if it is there, and refuses
  void gone(FlightRuntimeException why) {
    switch (why.status().code()) {
      case INVALID_ARGUMENT, UNAUTHENTICATED, UNAUTHORIZED, UNIMPLEMENTED ->
          throw new ConfigException("server " + address + ": " + why.status().description());
      default -> gone(why.status().code() + ": " + why.getMessage());
    }
  }

  void gone(String why) {
    alive = false;
    lastWords = why;
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
