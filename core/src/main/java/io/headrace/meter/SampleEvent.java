package io.headrace.meter;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// One sample decoded, transformed and put into its batch. Off unless a recording asks for it by
/// name.
@Name("headrace.Sample")
@Label("Sample")
@Category("Headrace")
@Description("A decode worker made one sample")
@StackTrace(false)
@Enabled(false)
public final class SampleEvent extends Event {
  /// The sample's identity.
  @Label("Identity")
  public long id;

  /// Encoded bytes.
  @Label("Bytes")
  @DataAmount
  public long bytes;

  /// Time until there were pixels; the event begins with it.
  @Label("Decode")
  @Timespan(Timespan.NANOSECONDS)
  public long decode;

  /// Time until they lay in the batch, which follows.
  @Label("Transform")
  @Timespan(Timespan.NANOSECONDS)
  public long transform;

  /// An event not yet begun.
  public SampleEvent() {}

  /// Ends and writes it, if it is recorded.
  public void write(long id, long bytes, long decode, long transform) {
    end();
    if (shouldCommit()) {
      this.id = id;
      this.bytes = bytes;
      this.decode = decode;
      this.transform = transform;
      commit();
    }
  }
}
