package io.headrace.meter;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// What a reader or a decode worker did for a while. Off unless a recording asks for it by name.
@Name("headrace.Span")
@Label("Span")
@Category("Headrace")
@Description("What a thread of the loader did for a while")
@StackTrace(false)
@Enabled(false)
public final class SpanEvent extends Event {
  /// Getting samples from storage or a cache.
  public static final String READ = "read";

  /// Giving samples to the decode workers.
  public static final String HAND_OFF = "hand-off";

  /// A reader's waiting until there is room to read into.
  public static final String ROOM = "wait for room";

  /// A decode worker's waiting for encoded bytes.
  public static final String BYTES = "wait for bytes";

  /// What it did.
  @Label("What")
  public String what = "";

  /// Samples read, given or got.
  @Label("Samples")
  public int samples;

  /// Their encoded bytes, where something was read.
  @Label("Bytes")
  @DataAmount
  public long bytes;

  private static final SpanEvent PROTOTYPE = new SpanEvent();

  /// An event not yet begun.
  public SpanEvent() {}

  /// {@return an event that has begun, or null where nobody records: then nothing is allocated}
  public static @Nullable SpanEvent start() {
    if (!PROTOTYPE.isEnabled()) {
      return null;
    }
    var event = new SpanEvent();
    event.begin();
    return event;
  }

  /// Ends and writes what [#start] returned.
  public static void write(@Nullable SpanEvent event, String what, int samples, long bytes) {
    if (event != null) {
      event.what = what;
      event.samples = samples;
      event.bytes = bytes;
      event.commit();
    }
  }
}
