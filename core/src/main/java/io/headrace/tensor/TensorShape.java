package io.headrace.tensor;

import io.headrace.tensor.payload.WordLayout;
import java.util.Arrays;
import java.util.List;

/// The sizes of a tensor's dimensions, slowest first. Immutable.
///
/// @param sizes none for a single value
public record TensorShape(List<Integer> sizes) {
  /// The most dimensions.
  public static final int MAX_RANK = 8;

  /// Checks the sizes.
  ///
  /// @throws IllegalArgumentException if there are more than 8, or one is negative, or their
  ///     product is 2^63 or more
  public TensorShape {
    sizes = List.copyOf(sizes);
    if (sizes.size() > MAX_RANK || sizes.stream().anyMatch(size -> size < 0)) {
      throw new IllegalArgumentException("shape " + sizes);
    }
    try {
      long _ = product(sizes);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("shape " + sizes, e);
    }
  }

  /// {@return the shape with these sizes}
  public static TensorShape of(int... sizes) {
    return new TensorShape(Arrays.stream(sizes).boxed().toList());
  }

  private static long product(List<Integer> sizes) {
    long product = 1;
    for (int size : sizes) {
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  /// {@return how many dimensions there are}
  public int rank() {
    return sizes.size();
  }

  /// {@return size of one dimension}
  public int size(int dimension) {
    return sizes.get(dimension);
  }

  /// {@return how many values there are}
  public long elements() {
    return product(sizes);
  }

  /// {@return size of the last dimension, whose values lie side by side; 1 for a single value}
  public int columns() {
    return sizes.isEmpty() ? 1 : sizes.getLast();
  }

  /// {@return how values of a type lie}
  WordLayout layout(ElementType type) {
    return new WordLayout(type.bytes(), type.floats(), sizes);
  }

  /// {@return such as `[128, 63]`}
  @Override
  public String toString() {
    return sizes.toString();
  }
}
