package io.headrace.order;

import io.headrace.error.ConfigException;

/// Which sample comes at each position of one rank's epoch.
///
/// The ranks of a world deal the epoch's permutation out like cards: position p of the epoch goes
/// to rank p mod world. Each sample is dealt once, and the ranks' counts differ by one at most. An
/// epoch can be taken up behind any number of samples, by another world too: the rest is dealt out
/// anew.
public final class EpochOrder {
  private final Permutation permutation;
  private final long done;
  private final int rank;
  private final int world;

  /// A whole epoch, fully shuffled or in stored order.
  ///
  /// @param size samples in the dataset
  /// @param shuffled whether the epoch is permuted, or stored order is kept
  /// @param rank this consumer's number, from 0
  /// @param world number of consumers
  /// @throws ConfigException if rank and world make no sense
  public EpochOrder(long size, boolean shuffled, long seed, long epoch, int rank, int world) {
    this(
        Permutation.of(shuffled ? OrderSpec.FULL : OrderSpec.SEQUENTIAL, size, seed, epoch),
        0,
        rank,
        world);
  }

  /// What is left of an epoch.
  ///
  /// @param permutation the order of the whole epoch
  /// @param done samples that all ranks together have had of it
  /// @param rank this consumer's number, from 0
  /// @param world number of consumers
  /// @throws ConfigException if rank and world make no sense, or `done` is outside the epoch
  public EpochOrder(Permutation permutation, long done, int rank, int world) {
    checkRank(rank, world);
    checkDone(done, permutation.size());
    this.permutation = permutation;
    this.done = done;
    this.rank = rank;
    this.world = world;
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

  /// Checks that an epoch can be taken up behind `done` samples.
  ///
  /// @throws ConfigException if it cannot
  public static void checkDone(long done, long size) {
    if (done < 0 || done > size) {
      throw new ConfigException(
          "%d samples done of an epoch of %d: expected 0 to all".formatted(done, size));
    }
  }

  /// {@return how many samples this rank gets}
  public long count() {
    return (permutation.size() - done - rank + world - 1) / world;
  }

  /// {@return the number of the sample at `position` of this rank's epoch}
  public long sampleAt(long position) {
    return permutation.at(done + rank + position * world);
  }
}
