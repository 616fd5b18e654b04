package io.headrace.order;

import io.headrace.error.ConfigException;

/// Some of a rank's batches: number `first`, and from there on every `step`th. Engines that share
/// the work of one rank make a stride each, and none makes a batch of another's. Pure arithmetic.
///
/// @param first number of the first batch, from 0
/// @param step distance to the next one, at least 1
public record Stride(long first, long step) {
  /// All batches.
  public static final Stride ALL = new Stride(0, 1);

  /// Checks the ranges.
  ///
  /// @throws ConfigException if they make no sense
  public Stride {
    if (first < 0 || step < 1) {
      throw new ConfigException(
          "every %dth batch from number %d on: expected a step of 1 or more, from 0 or more"
              .formatted(step, first));
    }
  }

  /// {@return the number of its `index`th batch, from 0}
  public long batch(long index) {
    return Math.addExact(first, Math.multiplyExact(index, step));
  }

  /// {@return how many of `count` batches it has}
  public long batches(long count) {
    return count <= first ? 0 : Math.ceilDiv(count - first, step);
  }

  /// {@return how many of `count` samples it has}
  ///
  /// @param batch samples in a batch
  long samples(long count, int batch) {
    long all = Math.ceilDiv(count, (long) batch);
    long own = batches(all);
    boolean last = own > 0 && batch(own - 1) == all - 1;
    return last ? (own - 1) * batch + count - (all - 1) * batch : own * batch;
  }

  /// {@return where one of its samples is among all of the rank's}
  ///
  /// @param position of the sample among those of this
  /// @param batch samples in a batch
  long position(long position, int batch) {
    return (position / batch * step + first) * batch + position % batch;
  }
}
