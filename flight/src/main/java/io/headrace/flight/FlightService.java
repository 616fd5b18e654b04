package io.headrace.flight;

import io.headrace.serve.NetworkOptions;
import io.headrace.serve.NetworkServer;
import io.headrace.serve.ServedDataset;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// Serves by Arrow Flight; see [FeedServer].
public final class FlightService implements NetworkServer {
  /// For the service loader.
  public FlightService() {}

  @Override
  public void serve(
      ServedDataset offer, NetworkOptions at, Consumer<String> ready, Consumer<Exception> failures)
      throws IOException, InterruptedException {
    try (var server = new FeedServer(offer, at, failures)) {
      ready.accept(server.address());
      new CountDownLatch(1).await();
    }
  }
}
