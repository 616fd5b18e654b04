package io.headrace.codec.jpeg;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;
import static io.headrace.codec.jpeg.Markers.truncated;

import io.headrace.codec.FirstBytes;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The marker segments of a JPEG up to its first scan (ITU-T T.81, annex B): a reusable cursor,
/// which allocates nothing until it fails.
///
/// Segments are walked by their lengths, so a thumbnail inside an EXIF block is never mistaken for
/// the picture. What lies between segments is skipped, as libjpeg does.
public final class HeaderSegments {
  private MemorySegment jpeg = MemorySegment.NULL;
  private int marker;
  private long start;
  private long end;

  /// A cursor on nothing.
  public HeaderSegments() {}

  /// Moves in front of the first segment.
  ///
  /// @param jpeg a JPEG stream, or its beginning
  /// @throws DecodeException with [Fault#MISMATCH] if it is not a JPEG
  public void reset(MemorySegment jpeg) throws DecodeException {
    this.jpeg = jpeg;
    if (jpeg.byteSize() < 2 || u16(jpeg, 0) != (0xff00 | Markers.SOI)) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(jpeg, "a JPEG"));
    }
    end = 2;
  }

  /// Moves to the next segment that has a length.
  ///
  /// @return the second byte of its marker
  /// @throws DecodeException with [Fault#TRUNCATED] if there is none, [Fault#CORRUPT] if the image
  ///     ends instead
  public int next() throws DecodeException {
    long at = end;
    do {
      at = Markers.seek(jpeg, at);
      need(at < 0 ? jpeg.byteSize() + 1 : at);
      marker = u8(jpeg, at++);
    } while (Markers.alone(marker));
    if (marker == Markers.EOI || marker == Markers.SOI) {
      throw corrupt("ends before its first scan", at);
    }
    need(at + 2);
    start = at + 2;
    int length = u16(jpeg, at);
    if (length < 2) {
      throw corrupt("segment %02x of length %d".formatted(marker, length), at);
    }
    end = at + length;
    need(end);
    return marker;
  }

  private void need(long bytes) throws DecodeException {
    if (bytes > jpeg.byteSize()) {
      throw truncated(
          "header needs %d bytes, the data ends after %d".formatted(bytes, jpeg.byteSize()));
    }
  }

  /// {@return the second byte of the segment's marker}
  public int marker() {
    return marker;
  }

  /// {@return whether it is the header of a sequential frame}
  public boolean startOfFrame() {
    return marker == Markers.SOF0 || marker == Markers.SOF1;
  }

  /// {@return offset of the segment's content, after its length}
  public long start() {
    return start;
  }

  /// {@return offset of the end of its content}
  public long end() {
    return end;
  }
}
