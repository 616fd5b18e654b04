package io.headrace.meter;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// One batch handed to the consumer; the event lasts as long as the consumer waited for it.
@Name("headrace.Batch")
@Label("Batch")
@Category("Headrace")
@Description("A batch was handed out; the duration is the consumer's data stall")
@StackTrace(false)
public final class BatchEvent extends Event {
  /// Epoch number.
  @Label("Epoch")
  public long epoch;

  /// Number of the batch in its epoch.
  @Label("Index")
  public long index;

  /// Samples in it.
  @Label("Samples")
  public int samples;

  /// Its size.
  @Label("Bytes")
  @DataAmount
  public long bytes;

  /// An event not yet begun.
  public BatchEvent() {}
}
