package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.order.OrderSpec.DiskStart;
import io.headrace.random.CounterRandom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/// The order of Liquid's two-region shuffle buffers ("Liquid: mix-and-match multiple image formats
/// to balance DNN training pipeline", section 4.2): which sample comes next, whether it stays in
/// memory for the next epoch, and what is read from disk in its place.
///
/// At any time C of N samples are in memory: those that wait to be drawn, and those drawn that
/// stay for the next epoch. Each batch keeps the same number (C/N of it) and evicts the rest, one
/// sample at a time: the sample read instead can be drawn next. So every epoch after the first
/// reads N − C samples, in disk order, and finds C in memory, evenly spread over its batches. Each
/// format of a mixed dataset has its own regions, and batches have the formats' shares.
///
/// The mixing is weaker than a full shuffle: the window from which samples are drawn shrinks from
/// C to 1 in the course of an epoch. [DiskStart] says how to strengthen it; so does shuffling when
/// the dataset is written.
///
/// An epoch depends on those before it, so asking for epoch e also computes the epochs that were
/// skipped, in some tens of nanoseconds a sample. Memory is 4 bytes a sample for each of five
/// lists.
/// For one thread; what it returns is immutable.
public final class TwoRegion {
  private static final long STREAM = 0x74776f2d726567L;

  private final int size;
  private final int capacity;
  private final int batch;
  private final long seed;
  private final int[][] members;
  private final int[] capacities;
  private final DiskStart diskStart;
  private FormatRegion[] regions = new FormatRegion[0];
  private long nextEpoch;

  /// One format.
  ///
  /// @param size samples in all
  /// @param capacity samples in memory at one time, 1 to all
  /// @param batch samples in a batch
  public TwoRegion(int size, int capacity, int batch, long seed, DiskStart diskStart) {
    this(new int[][] {IntStream.range(0, size).toArray()}, capacity, batch, seed, diskStart);
  }

  /// Several formats, which share the capacity by their numbers of samples.
  ///
  /// @param members numbers of each format's samples in stored order; together all from 0
  /// @param capacity samples in memory at one time, at least one of each format, to all
  /// @param batch samples in a batch
  /// @throws ConfigException if the capacity is out of range
  public TwoRegion(int[][] members, int capacity, int batch, long seed, DiskStart diskStart) {
    this.members = Arrays.stream(members).filter(m -> m.length > 0).toArray(int[][]::new);
    size = Arrays.stream(members).mapToInt(m -> m.length).sum();
    if (capacity < this.members.length || capacity > size || batch < 1) {
      throw new ConfigException(
          "two regions for %d of %d samples in batches of %d: expected %d to all"
              .formatted(capacity, size, batch, Math.max(1, this.members.length)));
    }
    this.capacity = capacity;
    this.batch = batch;
    this.seed = seed;
    this.diskStart = diskStart;
    capacities = share();
    reset();
  }

  /// Deals the capacity out: each format its share rounded, at least 1, at most all, by largest
  /// deficit.
  private int[] share() {
    int[] shares = new int[members.length];
    Arrays.fill(shares, 1);
    for (int given = members.length; given < capacity; given++) {
      shares[largestDeficit(capacity, shares)]++;
    }
    return shares;
  }

  /// {@return the format that is furthest below its share of `total`}
  private int largestDeficit(long total, int[] given) {
    return Strata.furthestBehind(members, size, total, given);
  }

  private void reset() {
    regions = new FormatRegion[members.length];
    for (int f = 0; f < regions.length; f++) {
      regions[f] = new FormatRegion(members[f], capacities[f], diskStart);
    }
    nextEpoch = 0;
  }

  /// {@return samples in memory at one time}
  public int capacity() {
    return capacity;
  }

  /// {@return an epoch, from 0}
  public RegionEpoch epoch(long number) {
    if (number < nextEpoch) {
      reset();
    }
    while (true) {
      RegionEpoch epoch = run(nextEpoch++);
      if (nextEpoch > number) {
        return epoch;
      }
    }
  }

  private RegionEpoch run(long number) {
    var random = new CounterRandom();
    random.reset(seed, number, STREAM);
    int[] order = new int[size];
    var kept = new BitSet(size);
    int[] loads = new int[size];
    int loadCount = 0;
    int[] due = new int[size];
    for (FormatRegion region : regions) {
      int first = region.begin(random, size);
      System.arraycopy(region.firstLoads(first), 0, loads, loadCount, first);
      loadCount += first;
    }
    int firstLoads = loadCount;
    int[] given = new int[regions.length];
    int[] inBatch = new int[regions.length];
    int[] formats = new int[Math.min(batch, size)];
    for (int start = 0; start < size; start += batch) {
      int n = Math.min(batch, size - start);
      Arrays.fill(inBatch, 0);
      for (int j = 0; j < n; j++) {
        int format = largestDeficit(start + j + 1L, given);
        given[format]++;
        inBatch[format]++;
        formats[j] = format;
      }
      for (int f = 0; f < regions.length; f++) {
        regions[f].beginBatch(inBatch[f]);
      }
      for (int j = 0; j < n; j++) {
        FormatRegion region = regions[formats[j]];
        due[start + j] = loadCount;
        boolean stays = region.draw(random) == FormatRegion.Fate.KEPT;
        order[start + j] = region.drawn();
        if (stays) {
          kept.set(start + j);
        } else {
          loads[loadCount++] = region.loaded();
        }
      }
    }
    return new RegionEpoch(number, order, kept, Arrays.copyOf(loads, loadCount), due, firstLoads);
  }
}
