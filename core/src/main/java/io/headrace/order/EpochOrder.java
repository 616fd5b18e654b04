package io.headrace.order;

import io.headrace.error.ConfigException;

/// Which sample comes at each position of one rank's epoch.
///
/// The epoch's samples are dealt out to the ranks of a world like cards, in runs. With runs of
/// one, position p of the epoch goes to rank p mod world. With longer runs each rank gets so many
/// neighbours at a time; the tail is dealt one by one. Each sample is dealt once,
/// and the ranks' counts differ by one at most ([Deal] says how they are made equal). When all
/// ranks have had n runs, the first n × run × world samples of the epoch are dealt. So one number
/// says where an epoch stands, and an epoch can be resumed there with another number of ranks.
public final class EpochOrder {
  private final Sequence samples;
  private final long done;
  private final int rank;
  private final int world;
  private final int run;
  private final long own;
  private final long count;
  private final Stride stride;
  private final int batch;

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
  /// @param samples of the whole epoch, in order
  /// @param done samples that all ranks together have had of it
  /// @param rank this consumer's number, from 0
  /// @param world number of consumers
  /// @throws ConfigException if rank and world make no sense, or `done` is outside the epoch
  public EpochOrder(Sequence samples, long done, int rank, int world) {
    this(samples, done, new Deal(rank, world, 1, RanksTail.UNEVEN, LastBatch.PARTIAL), 1);
  }

  /// What is left of an epoch.
  ///
  /// @param samples of the whole epoch, in order
  /// @param done samples that all ranks together have had of it
  /// @param run neighbours dealt to a rank at one time: 1, or the batch size where neighbours
  ///     belong together
  /// @throws ConfigException if `done` is outside the epoch
  public EpochOrder(Sequence samples, long done, Deal deal, int run) {
    checkDone(done, samples.size());
    this.samples = samples;
    this.done = done;
    this.rank = deal.rank();
    this.world = deal.world();
    this.run = run;
    long rest = samples.size() - done;
    count = deal.count(rest);
    own = Math.min(count, deal.own(rest));
    stride = Stride.ALL;
    batch = deal.batch();
  }

  private EpochOrder(EpochOrder all, Stride stride) {
    samples = all.samples;
    done = all.done;
    rank = all.rank;
    world = all.world;
    run = all.run;
    batch = all.batch;
    this.stride = stride;
    count = stride.samples(all.count, batch);
    own = stride.samples(all.own, batch);
  }

  /// {@return the part of it that some of its batches are}
  public EpochOrder only(Stride some) {
    return some.equals(Stride.ALL) ? this : new EpochOrder(this, some);
  }

  /// What is left of one rank's own part of an epoch.
  ///
  /// @param part the order of the part
  /// @param done samples that the rank has had of it
  /// @param count samples that it has still to get; those after the part's end repeat its last one
  public EpochOrder(Sequence part, long done, long count) {
    samples = part;
    this.done = done;
    rank = 0;
    world = 1;
    run = 1;
    this.count = count;
    own = Math.min(count, part.size() - done);
    stride = Stride.ALL;
    batch = 1;
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

  /// Checks that an epoch can be resumed after `done` samples.
  ///
  /// @throws ConfigException if it cannot
  public static void checkDone(long done, long size) {
    if (done < 0 || done > size) {
      throw new ConfigException(
          "%d samples done of an epoch of %d: expected 0 to all".formatted(done, size));
    }
  }

  /// {@return how many samples this rank gets, the one that it repeats included}
  public long count() {
    return count;
  }

  /// {@return how many of them are its own; from this position on it repeats the last one}
  public long own() {
    return own;
  }

  /// {@return the number of the sample at `position` of this rank's epoch}
  ///
  /// @param position from 0, below [#count]
  public long sampleAt(long position) {
    return samples.at(placeOf(position));
  }

  /// {@return the epoch for which random steps draw at `position`, see [Sequence#turn]}
  ///
  /// @param position from 0, below [#count]
  /// @param epoch number of the one under way
  public long turnAt(long position, long epoch) {
    return samples.turn(placeOf(position), epoch);
  }

  private long placeOf(long place) {
    long position = stride.position(place, batch);
    long in = position % run;
    long start = done + (position - in) * world;
    long at =
        samples.size() - start < (long) run * world
            ? start + rank + in * world
            : start + (long) rank * run + in;
    return Math.min(at, samples.size() - 1);
  }
}
