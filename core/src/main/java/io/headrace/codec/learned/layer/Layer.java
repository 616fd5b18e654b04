package io.headrace.codec.learned.layer;

import io.headrace.error.DecodeException;

/// One function of a network, its weights included. Immutable: all workers share it.
@FunctionalInterface
public interface Layer {
  /// {@return what the layer makes of a map: a map of the scratch, or `in` itself, changed}
  FeatureMap apply(FeatureMap in, Scratch scratch) throws DecodeException;

  /// {@return the layers one after the other, of which the first makes a new map}
  static Layer chain(Layer... layers) {
    return (in, scratch) -> {
      FeatureMap now = in;
      for (Layer layer : layers) {
        FeatureMap next = layer.apply(now, scratch);
        if (next != now && now != in) {
          scratch.give(now);
        }
        now = next;
      }
      return now;
    };
  }

  /// Checks that layers fit each other.
  ///
  /// @param what takes a map
  /// @param expected channels or numbers, such as it was made for
  /// @throws IllegalArgumentException if it gets others
  static void require(boolean fits, String what, int expected, int found) {
    if (!fits) {
      throw new IllegalArgumentException(
          "%s takes %d and gets %d".formatted(what, expected, found));
    }
  }

  /// `x` where it is positive, else `slope · x`.
  static Layer rectifier(float slope) {
    return (in, scratch) -> {
      float[] data = in.data;
      for (int i = 0, n = in.size(); i < n; i++) {
        data[i] = data[i] > 0 ? data[i] : slope * data[i];
      }
      return in;
    };
  }

  /// `main(x) + side(x)`.
  static Layer sum(Layer main, Layer side) {
    return (in, scratch) -> {
      FeatureMap out = main.apply(in, scratch);
      FeatureMap more = side.apply(in, scratch);
      add(out, more);
      if (more != in) {
        scratch.give(more);
      }
      return out;
    };
  }

  /// `x + main(x) · sigmoid(gate(x))`.
  static Layer attention(Layer main, Layer gate) {
    return (in, scratch) -> {
      FeatureMap out = main.apply(in, scratch);
      FeatureMap open = gate.apply(in, scratch);
      require(out.size() == open.size(), "a gate", out.size(), open.size());
      for (int i = 0, n = out.size(); i < n; i++) {
        out.data[i] *= (float) (1 / (1 + StrictMath.exp(-open.data[i]))); // alike on all machines
      }
      scratch.give(open);
      add(out, in);
      return out;
    };
  }

  private static void add(FeatureMap to, FeatureMap more) {
    require(to.size() == more.size(), "a sum", to.size(), more.size());
    for (int i = 0, n = to.size(); i < n; i++) {
      to.data[i] += more.data[i];
    }
  }
}
