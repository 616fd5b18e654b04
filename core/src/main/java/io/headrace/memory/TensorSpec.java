package io.headrace.memory;

import java.util.List;
import java.util.stream.Collectors;

/// Type and shape of a dense, row-major tensor.
///
/// @param dtype type of the elements
/// @param shape extents, outermost first, each at least 1
public record TensorSpec(DType dtype, List<Integer> shape) {
  /// Checks the extents.
  public TensorSpec {
    shape = List.copyOf(shape);
    for (int extent : shape) {
      if (extent < 1) {
        throw new IllegalArgumentException("extent " + extent + " in shape " + shape);
      }
    }
  }

  /// {@return number of elements}
  public long elements() {
    long n = 1;
    for (int extent : shape) {
      n = Math.multiplyExact(n, extent);
    }
    return n;
  }

  /// {@return size in bytes}
  public long bytes() {
    return Math.multiplyExact(elements(), dtype.bytes());
  }

  @Override
  public String toString() {
    return dtype.label()
        + shape.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }
}
