package io.headrace.order;

/// An order written out, 4 bytes a sample: for those that can only be worked out from the start.
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
