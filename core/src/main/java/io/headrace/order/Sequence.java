package io.headrace.order;

/// The samples of an epoch of all ranks together, in order. A [Permutation] has each sample of a
/// dataset once; another sequence may leave samples out, or have some several times. Thread-safe.
public interface Sequence {
  /// {@return number of samples}
  long size();

  /// {@return which sample of the dataset stands at `position`}
  ///
  /// @param position from 0, below [#size]
  long at(long position);

  /// {@return the epoch for which random steps draw at `position`: the one under way, or, where a
  ///     sample comes several times, another number for each time}
  ///
  /// @param position from 0, below [#size]
  /// @param epoch number of the one under way
  default long turn(long position, long epoch) {
    return epoch;
  }
}
