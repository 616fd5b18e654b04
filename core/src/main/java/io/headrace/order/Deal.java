package io.headrace.order;

import io.headrace.error.ConfigException;

/// How the samples of an epoch are dealt out to ranks and cut into batches. Pure arithmetic: every
/// rank knows what all ranks get before anything is read.
///
/// @param rank this consumer's number, from 0
/// @param world number of consumers
/// @param batch samples in a batch
/// @param tail what becomes of samples that cannot be shared equally
/// @param last what becomes of a last batch that is not full
public record Deal(int rank, int world, int batch, RanksTail tail, LastBatch last) {
  /// Checks the ranges.
  ///
  /// @throws ConfigException if they make no sense
  public Deal {
    EpochOrder.checkRank(rank, world);
    if (batch < 1) {
      throw new ConfigException("batch size %d: expected at least 1".formatted(batch));
    }
  }

  /// {@return how many of `rest` samples are this rank's own, when they are dealt like cards}
  public long own(long rest) {
    return (rest - rank + world - 1) / world;
  }

  /// {@return how many slots this rank fills with samples: its own and the one that it repeats to
  /// keep up, without those of a batch that is dropped}
  ///
  /// @param rest samples to be dealt
  public long count(long rest) {
    return whole(share(rest, own(rest)));
  }

  /// {@return as [#count], where each rank has a part of the dataset for itself}
  ///
  /// @param part samples in this rank's part
  /// @param had samples that the rank has had of it
  /// @param all samples in all parts together, which differ by one at most
  /// @param done samples that all ranks have had together
  public long countOfPart(long part, long had, long all, long done) {
    return done >= all ? 0 : Math.max(0, whole(share(all, part) - had));
  }

  /// {@return as [#plan], where each rank has a part of the dataset for itself}
  ///
  /// @param part samples in this rank's part
  /// @param had samples that the rank has had of it
  /// @param all samples in all parts together, which differ by one at most
  /// @param done samples that all ranks have had together
  public EpochPlan planOfPart(long part, long had, long all, long done) {
    EpochPlan plan = plan(Math.max(0, all - done));
    long batches = batches(countOfPart(part, had, all, done));
    return new EpochPlan(plan.samples(), batches, plan.even(), plan.dropped(), plan.padded());
  }

  /// {@return a rank's share of `rest` samples, of which `own` are its own}
  long share(long rest, long own) {
    return switch (tail) {
      case UNEVEN -> own;
      case DROP -> rest / world;
      case PAD -> (rest + world - 1) / world;
    };
  }

  private long whole(long count) {
    return last == LastBatch.DROP ? count / batch * batch : count;
  }

  private long batches(long count) {
    return (whole(count) + batch - 1) / batch;
  }

  /// {@return the plan of `rest` samples}
  ///
  /// @param rest samples to be dealt, or -1 if only reading tells
  public EpochPlan plan(long rest) {
    if (rest < 0) {
      return new EpochPlan(-1, -1, tail != RanksTail.UNEVEN || world == 1, -1, -1);
    }
    // the first ranks have one sample more than the others
    long more = rest % world;
    long high = share(rest, rest / world + (more > 0 ? 1 : 0));
    long low = share(rest, rest / world);
    long slots = more * whole(high) + (world - more) * whole(low);
    long repeated = tail == RanksTail.PAD && more > 0 && whole(high) == high ? world - more : 0;
    long padded = repeated;
    if (last == LastBatch.PAD) {
      padded +=
          more * (batches(high) * batch - high) + (world - more) * (batches(low) * batch - low);
    }
    return new EpochPlan(
        rest,
        batches(share(rest, own(rest))),
        batches(high) == batches(low),
        rest - (slots - repeated),
        padded);
  }
}
