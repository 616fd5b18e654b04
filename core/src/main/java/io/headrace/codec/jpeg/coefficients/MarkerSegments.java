package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.Markers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Where a JPEG's application and comment segments lie. A reusable holder.
final class MarkerSegments {
  private MemorySegment jpeg = MemorySegment.NULL;
  private int[] markers = new int[8];
  private long[] starts = new long[8];
  private long[] ends = new long[8];
  private int count;

  /// Segments before the first scan.
  private int leading;

  void clear(MemorySegment from) {
    jpeg = from;
    count = 0;
    leading = 0;
  }

  void add(int marker, long start, long end, boolean behindScan) {
    if (count == markers.length) {
      markers = Arrays.copyOf(markers, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    markers[count] = marker;
    starts[count] = start;
    ends[count] = end;
    count++;
    leading = behindScan ? leading : count;
  }

  int count() {
    return count;
  }

  /// {@return segments before the first scan, which come first}
  int leading() {
    return leading;
  }

  int marker(int i) {
    return markers[i];
  }

  MemorySegment content(int i) {
    return jpeg.asSlice(starts[i], ends[i] - starts[i]);
  }

  /// {@return bytes of the whole segment, marker and length included}
  long bytes(int i) {
    return 4 + ends[i] - starts[i];
  }

  /// {@return whether it has that marker and begins with that text}
  boolean is(int i, int marker, String text) {
    return markers[i] == marker && Markers.starts(jpeg, starts[i], ends[i], text);
  }

  /// {@return whether one before the first scan has that marker and begins with that text}
  boolean has(int marker, String text) {
    for (int i = 0; i < leading; i++) {
      if (is(i, marker, text)) {
        return true;
      }
    }
    return false;
  }
}
