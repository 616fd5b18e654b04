package io.headrace.load.plan;

import io.headrace.order.OrderSpec;

/// How shards that can only be read from their start are mixed.
public final class Streams {
  private Streams() {}

  /// {@return samples in the shuffle window}
  public static int window(LoadOptions options) {
    return switch (options.order()) {
      case OrderSpec.Sequential() -> 1;
      case OrderSpec.Buffer(int fill) -> fill;
      case OrderSpec.Interleave(_, int fill) -> fill;
      case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.TwoRegion _ -> options.window();
    };
  }

  /// {@return shards read at one time}
  public static int lanes(LoadOptions options) {
    return switch (options.order()) {
      case OrderSpec.Sequential _, OrderSpec.Buffer _ -> 1;
      case OrderSpec.Interleave(int lanes, _) -> lanes;
      case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.TwoRegion _ -> options.readers();
    };
  }

  /// {@return all that decides the order beside its kind, in words}
  static String orderText(LoadOptions options) {
    return "lanes=%d window=%d".formatted(lanes(options), window(options));
  }
}
