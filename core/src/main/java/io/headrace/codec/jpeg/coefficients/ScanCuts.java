package io.headrace.codec.jpeg.coefficients;

import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Where a JPEG can be cut so that each beginning, closed by an end marker, is a JPEG of its own
/// of lower fidelity. A reusable holder.
///
/// A cut lies just after the coded data of a scan: tables between two scans go with the second,
/// the end marker and what stands before it with none. Only markers are looked at, so damage
/// within coded data is not found.
public final class ScanCuts {
  private final JpegHeader header = new JpegHeader();
  private final Offsets ends = new Offsets();

  /// An empty holder: only [#find] gives its accessors a meaning.
  public ScanCuts() {}

  /// Walks the markers of a JPEG.
  ///
  /// @param jpeg one whole JPEG stream
  /// @throws DecodeException with [Fault#MISMATCH] if it is no JPEG, [Fault#TRUNCATED] if it has
  ///     no end marker, or as [JpegHeader#read] does
  public void find(MemorySegment jpeg) throws DecodeException {
    ends.clear();
    header.read(jpeg);
    long at = header.firstScan();
    while (true) {
      at = Markers.next(jpeg, at);
      int marker = u8(jpeg, at++);
      if (marker == Markers.EOI) {
        return;
      }
      if (!Markers.alone(marker)) {
        at = Markers.end(jpeg, marker, at);
        if (marker == Markers.SOS) {
          at = skipCoded(jpeg, at);
          ends.add(at);
        }
      }
    }
  }

  /// {@return offset of the marker after coded data, of its first 0xff, or of the end}
  private static long skipCoded(MemorySegment jpeg, long from) {
    long size = jpeg.byteSize();
    long at = from;
    while (true) {
      at = Markers.find(jpeg, at, size);
      long code = at + 1;
      while (code < size && u8(jpeg, code) == 0xff) {
        code++;
      }
      if (code >= size) {
        return at;
      }
      int marker = u8(jpeg, code);
      if (marker != 0 && !Markers.restart(marker)) {
        return at;
      }
      at = code + 1;
    }
  }

  /// {@return whether each beginning is a whole picture: the JPEG is progressive, and coded by
  /// Huffman codes}
  public boolean progressive() {
    return header.progressive() && !header.arithmetic();
  }

  /// {@return scans of the JPEG, at least 1}
  public int scans() {
    return ends.count();
  }

  /// {@return bytes up to the end of a scan}
  ///
  /// @param scan from 1
  public long scanEnd(int scan) {
    return ends.get(scan - 1);
  }

  /// {@return bytes up to the end of a group; its own bytes begin where those of the group before
  ///     end}
  ///
  /// @param group from 1; 0 gives 0
  public long groupEnd(ScanGroups groups, int group) {
    return group == 0 ? 0 : scanEnd(groups.lastScan(group, scans()));
  }

  /// Makes a JPEG of the first groups: their bytes and an end marker. `JpegDecoder` takes it
  /// without a warning.
  ///
  /// @param jpeg that was looked through by [#find], or at least its bytes up to the group's end
  /// @param group the last one, from 1
  /// @param out takes the stream at its start; not where `jpeg` lies
  /// @return bytes of the stream
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget of `out` does not allow it
  public long prefix(MemorySegment jpeg, ScanGroups groups, int group, Block out)
      throws DecodeException {
    long end = groupEnd(groups, group);
    MemorySegment to = out.ensure(end + 2);
    MemorySegment.copy(jpeg, 0, to, 0, end);
    to.set(JAVA_BYTE, end, (byte) 0xff);
    to.set(JAVA_BYTE, end + 1, (byte) Markers.EOI);
    return end + 2;
  }
}
