package io.headrace.order;

/// A bijection of 0 … n−1 onto itself, a pure function of (n, seed, epoch). Thread-safe.
///
/// Up to [#EXACT_LIMIT] a full shuffle is an exact Fisher–Yates shuffle, every order equally
/// likely, held in 4 n bytes. Above, it is a keyed Feistel network with cycle walking: O(1)
/// memory, one evaluation a call. The border is where exactness stops being cheap (256 KiB, 0.5
/// ms) and where a Feistel network over so many bits starts to look random to any test of a
/// shuffle.
public sealed interface Permutation extends Sequence
    permits FisherYates, Feistel, Identity, Listed, BlockShuffle {
  /// Sizes up to this one are shuffled exactly.
  int EXACT_LIMIT = 1 << 16;

  /// {@return the permutation of `n` samples for that seed and epoch}
  static Permutation of(long n, long seed, long epoch) {
    if (n < 0) {
      throw new IllegalArgumentException("size " + n + " is negative");
    }
    return n <= EXACT_LIMIT ? new FisherYates((int) n, seed, epoch) : new Feistel(n, seed, epoch);
  }

  /// {@return the order of an epoch of `n` samples}
  ///
  /// @throws IllegalArgumentException for [OrderSpec.TwoRegion], whose epochs depend on those
  ///     before
  static Permutation of(OrderSpec spec, long n, long seed, long epoch) {
    return switch (spec) {
      case OrderSpec.Full() -> of(n, seed, epoch);
      case OrderSpec.Sequential() -> new Identity(n);
      case OrderSpec.Buffer buffer -> ShuffleBuffer.of(buffer, n, seed, epoch);
      case OrderSpec.Interleave interleave -> ShuffleBuffer.of(interleave, n, seed, epoch);
      case OrderSpec.Block block -> new BlockShuffle(block, n, seed, epoch);
      case OrderSpec.TwoRegion _ ->
          throw new IllegalArgumentException("a two-region epoch comes from TwoRegion");
    };
  }

  /// {@return a full shuffle in which every run of neighbours has each kind's share of samples, as
  /// near as whole numbers come: next is always the kind that is furthest behind its share}
  ///
  /// With two kinds, a prefix is never more than half a sample away from the shares: so if the
  /// shares divide the batch size, all batches have the same number of each. The kinds come in the
  /// same order in every epoch, the samples of each in a new one.
  ///
  /// @param members numbers of each kind's samples; together 0 … n−1
  static Permutation stratified(int[][] members, long seed, long epoch) {
    return new Listed(Strata.merge(members, seed, epoch));
  }
}
