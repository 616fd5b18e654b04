package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;
import static io.headrace.codec.jpeg.Markers.corrupt;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;

/// The header of a scan (ITU-T T.81, B.2.3): which bits of which components it holds. A reusable
/// holder.
public final class ScanHeader {
  /// Blocks that an MCU of several components may have.
  public static final int MAX_BLOCKS = 10;

  private final int[] components = new int[4];
  private final int[] dcTables = new int[4];
  private final int[] acTables = new int[4];
  private int count;
  private int first;
  private int last;
  private int high;
  private int low;

  /// Reads the segment's content, from `start` to `end`.
  public void read(JpegHeader header, MemorySegment jpeg, long start, long end)
      throws DecodeException {
    count = end > start ? u8(jpeg, start) : 0;
    if (count < 1 || count > 4 || end - start != 4 + 2L * count) {
      throw corrupt(
          "%d components in a scan header of %d bytes".formatted(count, end - start), start);
    }
    int blocks = 0;
    int taken = 0;
    for (int i = 0; i < count; i++) {
      long at = start + 1 + 2L * i;
      components[i] = find(header, u8(jpeg, at), i, taken, at);
      taken |= 1 << components[i];
      dcTables[i] = u8(jpeg, at + 1) >> 4;
      acTables[i] = u8(jpeg, at + 1) & 15;
      if (dcTables[i] > 3 || acTables[i] > 3) {
        throw corrupt("Huffman tables %d and %d".formatted(dcTables[i], acTables[i]), at + 1);
      }
      blocks += header.horizontalFactor(components[i]) * header.verticalFactor(components[i]);
    }
    if (count > 1 && blocks > MAX_BLOCKS) {
      throw corrupt("%d blocks in an MCU, at most 10 are allowed".formatted(blocks), start);
    }
    long at = start + 1 + 2L * count;
    first = u8(jpeg, at);
    last = u8(jpeg, at + 1);
    high = u8(jpeg, at + 2) >> 4;
    low = u8(jpeg, at + 2) & 15;
    if (!(header.progressive() ? progressive() : sequential())) {
      throw corrupt(
          "scan of coefficients %d to %d, bits %d to %d".formatted(first, last, high, low), at);
    }
  }

  /// {@return the component that a scan names in its place `i`, as libjpeg finds it: several may
  ///     have the same number}
  private static int find(JpegHeader header, int id, int i, int taken, long at)
      throws DecodeException {
    for (int c = i; c < header.components(); c++) {
      if (header.id(c) == id) {
        if ((taken >> c & 1) != 0) {
          break;
        }
        return c;
      }
    }
    throw corrupt("scan of a component %d, which the frame lacks".formatted(id), at);
  }

  private boolean sequential() {
    return first == 0 && last == 63 && high == 0 && low == 0;
  }

  private boolean progressive() {
    boolean band = first == 0 ? last == 0 : first <= last && last <= 63 && count == 1;
    return band && low <= 13 && (high == 0 || low == high - 1);
  }

  public int count() {
    return count;
  }

  /// {@return index in the frame of the scan's `i`-th component}
  public int component(int i) {
    return components[i];
  }

  public int dcTable(int i) {
    return dcTables[i];
  }

  public int acTable(int i) {
    return acTables[i];
  }

  /// {@return first coefficient, Ss}
  public int first() {
    return first;
  }

  /// {@return last coefficient, Se}
  public int last() {
    return last;
  }

  /// {@return lowest bit that came before, Ah; 0 if none did}
  public int high() {
    return high;
  }

  /// {@return lowest bit that comes now, Al}
  public int low() {
    return low;
  }
}
