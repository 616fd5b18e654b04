package io.headrace.codec.jpeg.tiles;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// The header of a JPEG that is a part of another: what decoding takes of it.
public final class PartHeader {
  private PartHeader() {}

  /// Writes it, up to the coded data.
  ///
  /// @param segments reads the header
  /// @param jpeg of which it is a part
  /// @param to takes it, with room for the other's header and six bytes more
  /// @param height rows of the part, in pixels
  /// @param width columns of the part, in pixels
  /// @param interval of restarts, in MCUs; 0 for none
  /// @return its bytes
  public static long write(
      HeaderSegments segments,
      MemorySegment jpeg,
      MemorySegment to,
      int height,
      int width,
      int interval)
      throws DecodeException {
    Markers.putU16(to, 0, 0xff00 | Markers.SOI);
    long at = 2;
    segments.reset(jpeg);
    do {
      segments.next();
      int marker = segments.marker();
      if (marker == Markers.SOS) {
        Markers.putU16(to, at, 0xff00 | Markers.DRI);
        Markers.putU16(to, at + 2, 4);
        Markers.putU16(to, at + 4, interval);
        at += 6;
      }
      if (needed(marker)) {
        long length = segments.end() - segments.start();
        Markers.putU16(to, at, 0xff00 | marker);
        Markers.putU16(to, at + 2, (int) length + 2);
        MemorySegment.copy(jpeg, segments.start(), to, at + 4, length);
        if (segments.startOfFrame()) {
          Markers.putU16(to, at + 5, height);
          Markers.putU16(to, at + 7, width);
        }
        at += 4 + length;
      }
    } while (segments.marker() != Markers.SOS);
    return at;
  }

  private static boolean needed(int marker) {
    return switch (marker) {
      case Markers.SOF0,
          Markers.SOF1,
          Markers.DHT,
          Markers.DQT,
          Markers.SOS,
          Markers.APP0,
          Markers.APP14 ->
          true;
      default -> false;
    };
  }
}
