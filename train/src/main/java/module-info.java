import org.jspecify.annotations.NullMarked;

/// Trains real networks on any representation of the data.
@NullMarked
module io.headrace.train {
  requires static org.jspecify;
  requires transitive io.headrace.core;
  requires ai.djl.api;
  requires ai.djl.pytorch_engine;
  requires tools.jackson.databind;

  exports io.headrace.train.fit;
  exports io.headrace.train.net;
}
