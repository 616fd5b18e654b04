package io.headrace.cloud;

import java.util.concurrent.atomic.LongAdder;

/// Counts what came over the network.
final class Network {
  private final LongAdder bytes = new LongAdder();
  private final LongAdder requests = new LongAdder();

  void request() {
    requests.increment();
  }

  void received(long more) {
    bytes.add(more);
  }

  long bytes() {
    return bytes.sum();
  }

  long requests() {
    return requests.sum();
  }
}
