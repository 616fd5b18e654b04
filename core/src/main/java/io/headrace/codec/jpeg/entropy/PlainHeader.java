package io.headrace.codec.jpeg.entropy;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// Reads headers that hold nothing but what a baseline JPEG of one frame needs. Reusable.
public final class PlainHeader {
  private final HeaderSegments segments = new HeaderSegments();
  private final EntropyTables tables = new EntropyTables();

  /// Reads a header.
  ///
  /// @return whether it is sound, and such a one; if not, `header` is undefined
  public boolean read(MemorySegment jpeg, JpegHeader header) {
    try {
      int frames = 0;
      segments.reset(jpeg);
      while (segments.next() != Markers.SOS) {
        int marker = segments.marker();
        if (segments.startOfFrame()) {
          frames++;
        } else if (marker == Markers.DQT) {
          tables.readQuantisation(jpeg, segments.start(), segments.end());
        } else if (marker == Markers.DRI) {
          tables.readRestartInterval(jpeg, segments.start(), segments.end());
        } else if (marker == Markers.DHT) {
          tables.readHuffman(jpeg, segments.start(), segments.end());
        } else if (!Markers.application(marker)) {
          return false;
        }
      }
      header.read(jpeg);
      return frames == 1;
    } catch (DecodeException e) {
      return false;
    }
  }
}
