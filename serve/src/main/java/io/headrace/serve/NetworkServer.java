package io.headrace.serve;

import java.io.IOException;
import java.util.function.Consumer;

/// Serves consumers on other hosts. Found as a service, since its libraries are not there where
/// nobody asks for it.
public interface NetworkServer {
  /// Serves any number of consumers at a time, until the thread is interrupted.
  ///
  /// @param offer of rank 0 of 1: which rank it is, each consumer says
  /// @param ready given the address once a consumer can connect
  /// @param failures told why a consumer got no more
  /// @throws io.headrace.error.ConfigException if there is not enough memory, the loader cannot do
  ///     what is asked, or the samples cannot be read one by one
  /// @throws IOException if the address cannot be listened on, or a file is not there
  void serve(
      ServedDataset offer, NetworkOptions at, Consumer<String> ready, Consumer<Exception> failures)
      throws IOException, InterruptedException;
}
