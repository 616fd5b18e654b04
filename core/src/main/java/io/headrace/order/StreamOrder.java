package io.headrace.order;

import io.headrace.random.CounterRandom;

/// The order of an epoch over shards that can only be read from their start.
///
/// Shards are taken in a permuted order, several at a time in turn (lanes); their samples pass
/// through a window, from which each next one is drawn at random. How far a sample can
/// move is bounded by the window, so a dataset should be shuffled once when it is written.
public final class StreamOrder {
  private final Permutation shards;
  private final boolean shardsShuffled;
  private final boolean shuffled;
  private final CounterRandom random = new CounterRandom();

  /// @param shards number of shards
  /// @param shuffled whether order changes at all
  public StreamOrder(int shards, boolean shuffled, long seed, long epoch) {
    this(shards, shuffled, shuffled, seed, epoch);
  }

  /// @param shards number of shards
  /// @param shardsShuffled whether shards are taken in another order than they are stored
  /// @param shuffled whether samples are drawn at random from the window
  public StreamOrder(int shards, boolean shardsShuffled, boolean shuffled, long seed, long epoch) {
    this.shardsShuffled = shardsShuffled;
    this.shards = Permutation.of(shards, seed, epoch);
    this.shuffled = shuffled;
    random.reset(seed, epoch, 0x77696e646f77L);
  }

  /// {@return the shard to open as the `turn`th}
  public int shardAt(int turn) {
    return shardsShuffled ? (int) shards.at(turn) : turn;
  }

  /// {@return which of `held` samples in the window comes next; call once a sample, in order}
  public int draw(int held) {
    return shuffled ? random.nextInt(held) : 0;
  }
}
