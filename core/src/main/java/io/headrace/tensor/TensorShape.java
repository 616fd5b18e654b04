package io.headrace.tensor;

import java.util.Arrays;
import java.util.StringJoiner;

/// The sizes of a tensor's dimensions, slowest first. Immutable.
public final class TensorShape {
  /// The most dimensions.
  public static final int MAX_RANK = 8;

  private final int[] sizes;
  private final long elements;

  private TensorShape(int[] sizes) {
    this.sizes = sizes;
    long product = 1;
    for (int size : sizes) {
      product = Math.multiplyExact(product, size);
    }
    elements = product;
  }

  /// {@return the shape with these sizes; none for a single value}
  ///
  /// @throws IllegalArgumentException if there are more than 8, or one is negative, or their
  ///     product is 2^63 or more
  public static TensorShape of(int... sizes) {
    if (sizes.length > MAX_RANK || Arrays.stream(sizes).anyMatch(size -> size < 0)) {
      throw new IllegalArgumentException("shape " + Arrays.toString(sizes));
    }
    try {
      return new TensorShape(sizes.clone());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("shape " + Arrays.toString(sizes), e);
    }
  }

  /// {@return how many dimensions there are}
  public int rank() {
    return sizes.length;
  }

  /// {@return size of one dimension}
  public int size(int dimension) {
    return sizes[dimension];
  }

  /// {@return how many values there are}
  public long elements() {
    return elements;
  }

  /// {@return size of the last dimension, whose values lie side by side; 1 for a single value}
  public int columns() {
    return sizes.length == 0 ? 1 : sizes[sizes.length - 1];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorShape shape && Arrays.equals(sizes, shape.sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  /// {@return such as `[128, 63]`}
  @Override
  public String toString() {
    var text = new StringJoiner(", ", "[", "]");
    for (int size : sizes) {
      text.add(Integer.toString(size));
    }
    return text.toString();
  }
}
