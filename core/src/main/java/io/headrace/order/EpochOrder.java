package io.headrace.order;

import io.headrace.error.ConfigException;

/// Which sample comes at each position of one rank's epoch.
///
/// The ranks of a world deal the epoch's permutation out like cards: position p of the epoch goes
/// to rank p mod world. Each sample is dealt once, and the ranks' counts differ by one at most.
public final class EpochOrder {
  private final long size;
  private final int rank;
  private final int world;
  private final Permutation permutation;
  private final boolean shuffled;

  /// @param size samples in the dataset
  /// @param shuffled whether the epoch is permuted, or stored order is kept
  /// @param rank this consumer's number, from 0
  /// @param world number of consumers
  /// @throws ConfigException if rank and world make no sense
  public EpochOrder(long size, boolean shuffled, long seed, long epoch, int rank, int world) {
    checkRank(rank, world);
    this.size = size;
    this.shuffled = shuffled;
    this.rank = rank;
    this.world = world;
    permutation = Permutation.of(shuffled ? size : 0, seed, epoch);
  }

  /// Checks that a rank is one of its world.
  ///
  /// @throws ConfigException if it is not
  public static void checkRank(int rank, int world) {
    if (world < 1 || rank < 0 || rank >= world) {
      throw new ConfigException(
          "rank %d of a world of %d: expected 0 <= rank < world".formatted(rank, world));
    }
  }

  /// {@return how many samples this rank gets}
  public long count() {
    return (size - rank + world - 1) / world;
  }

  /// {@return the number of the sample at `position` of this rank's epoch}
  public long sampleAt(long position) {
    long global = rank + position * world;
    return shuffled ? permutation.at(global) : global;
  }
}
