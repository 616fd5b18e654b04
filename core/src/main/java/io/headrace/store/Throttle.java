package io.headrace.store;

import org.jspecify.annotations.Nullable;

/// A [Device]'s time table: says when each request will be done, given the requests before it. Pure
/// arithmetic over virtual time; thread-safe.
///
/// A token bucket without a bucket: a request gets the first free time, however many readers ask.
/// So rates are exact while there is work, and no capacity is saved up while there is none.
final class Throttle {
  private static final double SECOND = 1e9;

  private final Device device;
  private final long start;

  /// When each place in the queue is free.
  private final double[] places;

  private double nextBegin;
  private double pipeFree;
  private @Nullable Object headFile;
  private long head;

  /// @param start the time at which the device is free
  Throttle(Device device, long start) {
    this.device = device;
    this.start = start;
    places = new double[device.queueDepth()];
  }

  /// Books a request.
  ///
  /// @param arrival when it is made
  /// @param file equal for requests to one file
  /// @return when its last byte is there
  synchronized long book(long arrival, Object file, long position, long bytes) {
    double now = arrival - start;
    int place = firstFree(now);
    double begin = Math.max(Math.max(now, places[place]), nextBegin);
    nextBegin = begin + SECOND / device.requestsPerSecond();
    double ready = begin + device.latencyNanos();
    if (device.seekNanos() > 0) {
      if (!file.equals(headFile) || Math.abs(position - head) > Device.NEAR) {
        ready += device.seekNanos();
      }
      headFile = file;
      head = position + bytes;
    }
    pipeFree = Math.max(ready, pipeFree) + bytes * SECOND / device.bytesPerSecond();
    double end = Math.max(pipeFree, ready + bytes * SECOND / device.streamBytesPerSecond());
    places[place] = end;
    return start + (long) Math.ceil(end);
  }

  private int firstFree(double now) {
    int first = 0;
    for (int i = 0; i < places.length; i++) {
      if (places[i] <= now) {
        return i;
      }
      if (places[i] < places[first]) {
        first = i;
      }
    }
    return first;
  }
}
