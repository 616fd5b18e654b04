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
import org.jspecify.annotations.Nullable;

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

  /// Time from then until they lay in the batch.
  @Label("Transform")
  @Timespan(Timespan.NANOSECONDS)
  public long transform;

  private static final SampleEvent PROTOTYPE = new SampleEvent();

  /// An event not yet begun.
  public SampleEvent() {}

  /// {@return an event that has begun, or null where nobody records: then nothing is allocated}
  public static @Nullable SampleEvent start() {
    if (!PROTOTYPE.isEnabled()) {
      return null;
    }
    var event = new SampleEvent();
    event.begin();
    return event;
  }

  /// Ends and writes what [#start] returned.
  public static void write(
      @Nullable SampleEvent event, long id, long bytes, long decode, long transform) {
    if (event != null) {
      event.id = id;
      event.bytes = bytes;
      event.decode = decode;
      event.transform = transform;
      event.commit();
    }
  }
}
