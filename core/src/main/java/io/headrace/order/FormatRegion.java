package io.headrace.order;

import io.headrace.order.OrderSpec.DiskStart;
import io.headrace.random.CounterRandom;
import java.util.Arrays;
import java.util.BitSet;

/// The two regions of one format: samples that wait to be drawn in this epoch, and samples drawn
/// that stay for the next.
final class FormatRegion {
  private final int[] members;
  private final int capacity;
  private final DiskStart diskStart;

  /// The first samples wait in here, in no order.
  private final int[] current;

  private int waiting;
  private final int[] next;
  private int kept;
  private final int[] disk;
  private int diskCount;
  private int diskAt;
  private int done;

  /// How many of the batch are still to be kept, and how many still to be drawn.
  private int keepsLeft;

  private int drawsLeft;

  /// @param members numbers of the format's samples in stored order, at least one
  /// @param capacity samples in memory, 1 to all
  FormatRegion(int[] members, int capacity, DiskStart diskStart) {
    this.members = members;
    this.capacity = capacity;
    this.diskStart = diskStart;
    current = new int[capacity];
    next = new int[capacity];
    disk = new int[members.length];
  }

  /// Begins an epoch: what was kept waits, the rest is on disk. In the first epoch the first
  /// samples in disk order are loaded before any is drawn.
  ///
  /// @return these first samples' number, 0 in later epochs
  int begin(CounterRandom random, int highest) {
    boolean first = kept == 0;
    System.arraycopy(next, 0, current, 0, kept);
    waiting = kept;
    BitSet inMemory = new BitSet(highest);
    for (int i = 0; i < kept; i++) {
      inMemory.set(next[i]);
    }
    kept = 0;
    done = 0;
    diskAt = 0;
    list(random, inMemory);
    if (!first) {
      return 0;
    }
    while (waiting < capacity) {
      current[waiting++] = disk[diskAt++];
    }
    return capacity;
  }

  /// Lists what is not in memory, in the order it will be read.
  private void list(CounterRandom random, BitSet inMemory) {
    diskCount = 0;
    int n = members.length;
    switch (diskStart) {
      case DiskStart.Stored() -> add(0, n, inMemory);
      case DiskStart.Rotated() -> {
        int from = random.nextInt(n);
        add(from, n, inMemory);
        add(0, from, inMemory);
      }
      case DiskStart.Blocks(int samples) -> {
        int blocks = (n - 1) / samples + 1;
        Permutation order = Permutation.of(blocks, random.nextLong(), 0);
        for (int i = 0; i < blocks; i++) {
          int from = (int) (order.at(i) * samples);
          add(from, (int) Math.min(n, (long) from + samples), inMemory);
        }
      }
    }
  }

  private void add(int from, int to, BitSet inMemory) {
    for (int i = from; i < to; i++) {
      if (!inMemory.get(members[i])) {
        disk[diskCount++] = members[i];
      }
    }
  }

  /// Begins a batch that draws `n` samples of this format. The number kept is the same in every
  /// batch, but for rounding; its sum over the epoch is the capacity.
  void beginBatch(int n) {
    long total = members.length;
    keepsLeft = (int) ((long) (done + n) * capacity / total - (long) done * capacity / total);
    drawsLeft = n;
  }

  /// What became of a sample that was drawn.
  enum Fate {
    /// It stays for the next epoch.
    KEPT,
    /// It goes, and [#loaded] comes in its place.
    EVICTED
  }

  private int drawn;
  private int loaded;

  /// Draws the next sample of the batch.
  Fate draw(CounterRandom random) {
    int at = random.nextInt(waiting);
    drawn = current[at];
    boolean last = done + 1 == members.length;
    boolean mustKeepLast = done + drawsLeft == members.length && drawsLeft > 1;
    boolean keep =
        last
            || (mustKeepLast
                ? random.nextInt(drawsLeft - 1) < keepsLeft - 1
                : random.nextInt(drawsLeft) < keepsLeft);
    drawsLeft--;
    done++;
    if (keep) {
      keepsLeft--;
      next[kept++] = drawn;
      current[at] = current[--waiting];
      return Fate.KEPT;
    }
    loaded = disk[diskAt++];
    current[at] = loaded;
    return Fate.EVICTED;
  }

  /// {@return the sample drawn last}
  int drawn() {
    return drawn;
  }

  /// {@return the sample that came in its place, if it was evicted}
  int loaded() {
    return loaded;
  }

  int[] firstLoads(int count) {
    return Arrays.copyOf(disk, count);
  }
}
