package io.headrace.order;

/// An order stored in full, 4 bytes a sample, for orders that can only be computed from the start.
final class Listed implements Permutation {
  private final int[] samples;

  /// @param samples in order; not to be changed any more
  Listed(int[] samples) {
    this.samples = samples;
  }

  @Override
  public long size() {
    return samples.length;
  }

  @Override
  public long at(long position) {
    return samples[Math.toIntExact(position)];
  }
}
