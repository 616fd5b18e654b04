package io.headrace.order;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Blocks of neighbours in a permuted order, shuffled some at a time. Any position is computed from
/// the permutation of its group. Two groups are remembered, since readers are usually at the border
/// of two; more cost time, not correctness.
final class BlockShuffle implements Permutation {
  /// One group's shuffle, and where the group begins.
  private record Group(long number, long start, Permutation permutation) {}

  private final long n;
  private final long samples;
  private final long blocks;
  private final long seed;
  private final long epoch;
  private final Permutation order;

  /// Number of blocks, the last of which may be short.
  private final long count;

  /// Where in the order of blocks the short one stands.
  private final long shortAt;

  private final @Nullable Group[] recent = new @Nullable Group[2];

  BlockShuffle(OrderSpec.Block spec, long n, long seed, long epoch) {
    this.n = n;
    samples = spec.samples();
    blocks = spec.blocks();
    this.seed = seed;
    this.epoch = epoch;
    count = (n + samples - 1) / samples;
    order = Permutation.of(count, seed, epoch);
    shortAt = n % samples == 0 ? count : find(count - 1);
  }

  private long find(long block) {
    for (long i = 0; i < count; i++) {
      if (order.at(i) == block) {
        return i;
      }
    }
    throw new AssertionError("not a permutation");
  }

  @Override
  public long size() {
    return n;
  }

  /// {@return samples in all blocks that stand before `place` in the order of blocks}
  private long before(long place) {
    long missing = place > shortAt ? count * samples - n : 0;
    return place * samples - missing;
  }

  @Override
  public long at(long position) {
    Objects.checkIndex(position, n);
    long groupSamples = samples * blocks;
    long number = position / groupSamples;
    if (position >= before(Math.min(count, (number + 1) * blocks))) {
      number++; // the short block lies before
    }
    Group group = group(number);
    long inGroup = group.permutation.at(position - group.start);
    long place = number * blocks + inGroup / samples;
    long within = inGroup % samples;
    long end = Math.min(count, (number + 1) * blocks);
    if (shortAt >= number * blocks && shortAt < end) {
      // after the short block samples are counted from where it really ends
      long shortStart = (shortAt - number * blocks) * samples;
      long shortSize = n % samples;
      if (inGroup >= shortStart + shortSize) {
        long past = inGroup - shortStart - shortSize;
        place = shortAt + 1 + past / samples;
        within = past % samples;
      }
    }
    return order.at(place) * samples + within;
  }

  private synchronized Group group(long number) {
    for (Group known : recent) {
      if (known != null && known.number == number) {
        return known;
      }
    }
    long start = before(number * blocks);
    long end = before(Math.min(count, (number + 1) * blocks));
    var group =
        new Group(number, start, Permutation.of(end - start, seed, ~(epoch * count + number)));
    recent[1] = recent[0];
    recent[0] = group;
    return group;
  }
}
