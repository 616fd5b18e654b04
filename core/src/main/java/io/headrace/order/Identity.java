package io.headrace.order;

import java.util.Objects;

/// Stored order.
record Identity(long size) implements Permutation {
  @Override
  public long at(long position) {
    return Objects.checkIndex(position, size);
  }
}
