package io.headrace.meter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Counters of one epoch, written by many threads at once.
@SuppressWarnings("EnumOrdinal") // an index into arrays that live as long as the enum does
public final class Meters {
  private static final int STAGES = Stage.values().length;

  private final LongAdder[] nanos = adders();
  private final LongAdder[] cpu = adders();
  private final LongAdder[] items = adders();
  private final LongAdder[] bytes = adders();
  private final LongAdder waiting = new LongAdder();
  private final LongAdder places = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final long start = System.nanoTime();

  /// Adds waiting.
  ///
  /// @param nanos time that passed
  /// @param items samples or batches waited for
  /// @param bytes bytes waited for
  public void add(Stage stage, long nanos, long items, long bytes) {
    add(stage, nanos, 0, items, bytes);
  }

  private static LongAdder[] adders() {
    var adders = new LongAdder[STAGES];
    for (int i = 0; i < STAGES; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /// Adds work done by a stage.
  ///
  /// @param nanos time that passed
  /// @param cpuNanos those in which the thread ran; see [Cpu]
  /// @param items samples or batches handled
  /// @param bytes bytes handled
  public void add(Stage stage, long nanos, long cpuNanos, long items, long bytes) {
    int i = stage.ordinal();
    this.nanos[i].add(nanos);
    cpu[i].add(Math.min(nanos, cpuNanos));
    this.items[i].add(items);
    this.bytes[i].add(bytes);
  }

  /// Notes how full a decode worker found the queue of encoded samples.
  ///
  /// @param depth samples that were waiting
  /// @param room places that it has
  public void queued(int depth, int room) {
    waiting.add(Math.min(depth, room));
    places.add(room);
  }

  /// Counts a sample that cannot be delivered.
  public void fault() {
    faults.increment();
  }

  /// {@return samples found so far that cannot be delivered}
  public long faults() {
    return faults.sum();
  }

  /// Counts bytes taken from storage.
  public void stored(long bytes) {
    stored.add(bytes);
  }

  /// {@return bytes taken from storage so far}
  public long stored() {
    return stored.sum();
  }

  /// {@return seconds since the counters stood at zero}
  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /// {@return samples in the queue, summed over every time a worker looked}
  public long queuedSum() {
    return waiting.sum();
  }

  /// {@return places of the queue, summed over every time a worker looked}
  public long placesSum() {
    return places.sum();
  }

  /// {@return the mean share of the queue of encoded samples that was filled, 0 to 1}
  public double queueOccupancy() {
    long n = places.sum();
    return n == 0 ? 0 : (double) waiting.sum() / n;
  }

  /// {@return what `stage` did so far}
  public StageReading read(Stage stage) {
    int i = stage.ordinal();
    return new StageReading(
        stage, nanos[i].sum() / 1e9, cpu[i].sum() / 1e9, items[i].sum(), bytes[i].sum());
  }

  /// {@return what every stage did so far, in order}
  public List<StageReading> readAll() {
    List<StageReading> all = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      all.add(read(stage));
    }
    return all;
  }
}
