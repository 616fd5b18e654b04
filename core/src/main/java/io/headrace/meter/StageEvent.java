package io.headrace.meter;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What one stage did in an epoch, written when the epoch ends.
@Name("headrace.Stage")
@Label("Stage of an epoch")
@Category("Headrace")
@StackTrace(false)
public final class StageEvent extends Event {
  /// Epoch number.
  @Label("Epoch")
  public long epoch;

  /// Name of the stage.
  @Label("Stage")
  public String stage = "";

  /// Time spent, over all threads.
  @Label("Busy")
  @Timespan(Timespan.NANOSECONDS)
  public long busy;

  /// The part of this time in which the threads ran.
  @Label("CPU")
  @Timespan(Timespan.NANOSECONDS)
  public long cpu;

  /// Samples or batches.
  @Label("Items")
  public long items;

  /// Bytes handled.
  @Label("Bytes")
  @DataAmount
  public long bytes;

  /// Mean share of the queue of encoded samples that was filled.
  @Label("Queue occupancy")
  @Percentage
  public double queueOccupancy;

  /// An event not yet written.
  public StageEvent() {}

  /// Writes one event for each stage of `meters`.
  public static void writeAll(long epoch, Meters meters) {
    for (StageReading reading : meters.readAll()) {
      var event = new StageEvent();
      if (event.shouldCommit()) {
        event.epoch = epoch;
        event.stage = reading.stage().name();
        event.busy = (long) (reading.seconds() * 1e9);
        event.cpu = (long) (reading.cpuSeconds() * 1e9);
        event.items = reading.items();
        event.bytes = reading.bytes();
        event.queueOccupancy = meters.queueOccupancy();
        event.commit();
      }
    }
  }
}
