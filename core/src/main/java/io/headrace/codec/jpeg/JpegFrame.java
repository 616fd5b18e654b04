package io.headrace.codec.jpeg;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.Subsampling;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The frame header of a JPEG (ITU-T T.81, B.2.2): size and sampling. A reusable holder.
public final class JpegFrame {
  private static final int MAX_COMPONENTS = 4;

  /// Sampling factors of each component: across in the high four bits, down in the low.
  private final int[] factors = new int[MAX_COMPONENTS];

  private final int[] ids = new int[MAX_COMPONENTS];
  private final int[] quantisationSlots = new int[MAX_COMPONENTS];

  /// Second byte of the marker, SOF0 being c0; 0 where none has been read.
  private int type;

  /// Offset of the segment's content, in bytes.
  private long start;

  /// A holder with no frame in it.
  public JpegFrame() {}

  private int width;
  private int height;
  private int components;
  private int bitDepth;

  void clear() {
    type = 0;
  }

  boolean absent() {
    return type == 0;
  }

  /// Reads the segment's content, from `start` to `end`.
  void read(MemorySegment jpeg, int marker, long start, long end) throws DecodeException {
    if (type != 0) {
      throw JpegHeader.corrupt("second frame header", start);
    }
    if (end - start < 6) {
      throw JpegHeader.corrupt("frame header of %d bytes".formatted(end - start), start);
    }
    if (marker != 0xc0 && marker != 0xc1 && marker != 0xc2 && marker != 0xc9 && marker != 0xca) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "jpeg: lossless or hierarchical process (SOF%d)".formatted(marker - 0xc0));
    }
    bitDepth = u8(jpeg, start);
    height = u16(jpeg, start + 1);
    width = u16(jpeg, start + 3);
    components = u8(jpeg, start + 5);
    if (components < 1 || components > MAX_COMPONENTS || end - start != 6 + 3L * components) {
      throw JpegHeader.corrupt(
          "%d components in a frame header of %d bytes".formatted(components, end - start), start);
    }
    if (height == 0) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "jpeg: the height stands after the scan (DNL), not in the header");
    }
    if (width == 0) {
      throw JpegHeader.corrupt("width 0", start);
    }
    for (int i = 0; i < components; i++) {
      ids[i] = u8(jpeg, start + 6 + 3L * i);
      factors[i] = u8(jpeg, start + 7 + 3L * i);
      quantisationSlots[i] = u8(jpeg, start + 8 + 3L * i);
      int h = factors[i] >> 4;
      int v = factors[i] & 15;
      if (h < 1 || h > 4 || v < 1 || v > 4) {
        throw JpegHeader.corrupt("sampling factors %dx%d".formatted(h, v), start);
      }
    }
    type = marker;
    this.start = start;
  }

  /// {@return offset of the two bytes that hold the rows}
  public long heightAt() {
    return start + 1;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  int components() {
    return components;
  }

  int bitDepth() {
    return bitDepth;
  }

  /// {@return identifier of a component, 0 to 255}
  int id(int component) {
    return ids[component];
  }

  /// {@return the component that a scan names in its place `i`, as libjpeg finds it: ids may be
  ///     there twice, and scans keep the order of the frame; -1 if there is none}
  int find(int id, int i) {
    for (int c = i; c < components; c++) {
      if (ids[c] == id) {
        return c;
      }
    }
    return -1;
  }

  /// {@return whether each component's samples are repeated a whole number of times, across and
  ///     down: others libjpeg-turbo cannot decode}
  public boolean wholeFactors() {
    int across = most(4);
    int down = most(0);
    for (int i = 0; i < components; i++) {
      if (across % horizontalFactor(i) != 0 || down % verticalFactor(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /// {@return number of a component's quantisation table, 0 to 255 as the file has it}
  int quantisationSlot(int component) {
    return quantisationSlots[component];
  }

  /// {@return rows of an MCU, in pixels}
  public int mcuHeight() {
    return components == 1 ? 8 : 8 * most(0);
  }

  /// {@return whether sampling factors are written in the usual way: chroma 1 x 1, grey 1 x 1}
  boolean usualFactors() {
    for (int i = components == 1 ? 0 : 1; i < components; i++) {
      if (factors[i] != 0x11) {
        return false;
      }
    }
    return true;
  }

  public int horizontalFactor(int component) {
    return factors[component] >> 4;
  }

  public int verticalFactor(int component) {
    return factors[component] & 15;
  }

  boolean progressive() {
    return type == 0xc2 || type == 0xca;
  }

  boolean arithmetic() {
    return type >= 0xc9;
  }

  Subsampling subsampling() {
    if (components == 1) {
      return Subsampling.GRAY;
    }
    boolean alike = components >= 3 && factors[1] == factors[2];
    if (components == 4) {
      alike &= factors[3] == factors[0];
    }
    int h = horizontalFactor(1);
    int v = verticalFactor(1);
    if (!alike || horizontalFactor(0) % h != 0 || verticalFactor(0) % v != 0) {
      return Subsampling.OTHER;
    }
    return switch (10 * (horizontalFactor(0) / h) + verticalFactor(0) / v) {
      case 11 -> Subsampling.S444;
      case 21 -> Subsampling.S422;
      case 22 -> Subsampling.S420;
      case 12 -> Subsampling.S440;
      case 41 -> Subsampling.S411;
      default -> Subsampling.OTHER;
    };
  }

  /// {@return bytes that libjpeg keeps of a picture with [JpegHeader#multipleScans]: 2 a
  ///     coefficient}
  public long coefficientBytes() {
    long samples = 0;
    int mostH = most(4);
    int mostV = most(0);
    for (int i = 0; i < components; i++) {
      samples +=
          Math.ceilDiv(width, 8L * mostH)
              * horizontalFactor(i)
              * Math.ceilDiv(height, 8L * mostV)
              * verticalFactor(i)
              * JpegQuality.TABLE;
    }
    return 2 * samples;
  }

  /// {@return the largest sampling factor, across for a shift of 4 and down for 0}
  private int most(int shift) {
    int most = 1;
    for (int i = 0; i < components; i++) {
      most = Math.max(most, (factors[i] >> shift) & 15);
    }
    return most;
  }

  /// {@return fewest bytes of coded data a whole Huffman-coded picture can have: a bit for each
  ///     block of the first component}
  public long leastBytes() {
    if (arithmetic()) {
      return 0;
    }
    long columns = Math.ceilDiv((long) width * horizontalFactor(0), 8L * most(4));
    long rows = Math.ceilDiv((long) height * verticalFactor(0), 8L * most(0));
    return columns * rows / 8;
  }
}
