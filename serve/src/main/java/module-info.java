import org.jspecify.annotations.NullMarked;

/// Hands batches to other processes of the same host, in shared memory.
@NullMarked
module io.headrace.serve {
  requires static org.jspecify;
  requires transitive io.headrace.core;
  requires tools.jackson.databind;

  exports io.headrace.serve;

  uses io.headrace.serve.NetworkServer;
}
