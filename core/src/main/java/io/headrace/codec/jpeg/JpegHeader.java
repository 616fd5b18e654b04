package io.headrace.codec.jpeg;

import static io.headrace.codec.BigEndian.number;
import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.BigEndian.u8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ExifOrientation;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What the markers of a JPEG say before its first scan (ITU-T T.81, annex B): a reusable holder.
///
/// Reading allocates nothing until it fails. Not thread-safe.
public final class JpegHeader {
  private static final int APP0 = 0xe0;
  private static final int APP1 = 0xe1;
  private static final int APP14 = 0xee;
  private static final int DAC = 0xcc;
  private static final int DHT = 0xc4;
  private static final int DQT = 0xdb;
  private static final int DRI = 0xdd;
  private static final int EOI = 0xd9;
  private static final int JPG = 0xc8;
  private static final int SOS = 0xda;

  /// `Exif\0\0`.
  private static final long EXIF = 0x457869660000L;

  /// `JFIF\0`.
  private static final long JFIF = 0x4a46494600L;

  /// Least bytes of a JFIF segment that libjpeg-turbo takes for one (`APP0_DATA_LEN`).
  private static final int JFIF_BYTES = 14;

  /// `Adobe`.
  private static final long ADOBE = 0x41646f6265L;

  /// Position in natural order of each coefficient of the zigzag.
  static final byte[] NATURAL = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, //
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, //
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, //
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63
  };

  private final int[] tables = new int[4 * JpegQuality.TABLE];
  private final byte[] coded = new byte[2 * JpegQuality.TABLE];
  private final JpegFrame frame = new JpegFrame();
  private final HeaderSegments segments = new HeaderSegments();
  private int definedTables;

  /// Offset of each Huffman table's counts: four for DC, then four for AC; 0 where there is none.
  private final long[] huffmanTables = new long[8];
  private int restartInterval;
  private int orientation;
  private int adobeTransform;
  private boolean jfif;
  private long firstScan;
  private int firstScanComponents;
  private boolean standardTables;
  private int scans;
  private long reads;

  /// An empty holder: only [#read] gives its accessors a meaning.
  public JpegHeader() {}

  /// Reads the markers up to the first scan.
  ///
  /// @param jpeg a JPEG stream, or its beginning
  /// @throws DecodeException with [Fault#MISMATCH] if it is no JPEG, [Fault#TRUNCATED] if it ends
  ///     before the first scan, [Fault#CORRUPT] if the markers contradict each other or the first
  ///     scan lacks a table that has no default, [Fault#UNSUPPORTED] if the height is given after
  ///     the scan (DNL) or the process is lossless or hierarchical
  public void read(MemorySegment jpeg) throws DecodeException {
    reads++;
    frame.clear();
    definedTables = 0;
    Arrays.fill(huffmanTables, 0);
    restartInterval = 0;
    orientation = ExifOrientation.NORMAL;
    adobeTransform = -1;
    jfif = false;
    segments.reset(jpeg);
    while (segments.next() != SOS) {
      segment(jpeg, segments.marker(), segments.start(), segments.end());
    }
    long start = segments.start();
    if (segments.end() == start) {
      throw corrupt("scan header of length 2", start - 2);
    }
    startOfScan(jpeg, start, segments.end());
  }

  private void segment(MemorySegment jpeg, int marker, long start, long end)
      throws DecodeException {
    if (marker >= 0xc0 && marker <= 0xcf && marker != DHT && marker != JPG && marker != DAC) {
      frame.read(jpeg, marker, start, end);
    } else if (marker == DQT) {
      quantisation(jpeg, start, end);
    } else if (marker == DHT) {
      huffman(jpeg, start, end);
    } else if (marker == DRI) {
      if (end - start != 2) {
        throw corrupt("restart interval of %d bytes".formatted(end - start), start);
      }
      restartInterval = u16(jpeg, start);
    } else if (marker == APP0 && end - start >= JFIF_BYTES && number(jpeg, start, 5) == JFIF) {
      jfif = true;
    } else if (marker == APP1 && end - start >= 6 && number(jpeg, start, 6) == EXIF) {
      orientation = ExifOrientation.read(jpeg, start + 6, end);
    } else if (marker == APP14 && end - start >= 12 && number(jpeg, start, 5) == ADOBE) {
      adobeTransform = u8(jpeg, start + 11);
    }
  }

  private void quantisation(MemorySegment jpeg, long start, long end) throws DecodeException {
    long at = start;
    while (at < end) {
      int head = u8(jpeg, at++);
      int width16 = head >> 4;
      int table = head & 15;
      if (width16 > 1 || table > 3 || end - at < (long) JpegQuality.TABLE << width16) {
        throw corrupt("quantisation table header %02x".formatted(head), at - 1);
      }
      int bytes = JpegQuality.TABLE << width16;
      MemorySegment.copy(jpeg, JAVA_BYTE, at, coded, 0, bytes); // all at once: one check, not 64
      for (int i = 0; i < JpegQuality.TABLE; i++) {
        int value = coded[i << width16] & 0xff;
        if (width16 == 1) {
          value = (value << 8) | (coded[2 * i + 1] & 0xff);
        }
        tables[table * JpegQuality.TABLE + NATURAL[i]] = value;
      }
      at += bytes;
      definedTables |= 1 << table;
    }
  }

  /// Notes where Huffman tables are. Decoders say what is wrong with them.
  private void huffman(MemorySegment jpeg, long start, long end) {
    long at = start;
    while (end - at > 16) {
      int head = u8(jpeg, at);
      if ((head & 0xec) != 0) {
        return;
      }
      huffmanTables[(head >> 4) * 4 + (head & 3)] = at + 1;
      long symbols = 0;
      for (int length = 0; length < 16; length++) {
        symbols += u8(jpeg, at + 1 + length);
      }
      at += 17 + symbols;
    }
  }

  /// Looks whether the first scan has its tables: libjpeg-turbo would take those of the picture
  /// before. Decoders say what else is wrong with the scan header.
  private void startOfScan(MemorySegment jpeg, long start, long end) throws DecodeException {
    firstScan = start - 4;
    firstScanComponents = u8(jpeg, start);
    standardTables = false;
    if (frame.absent()) {
      throw corrupt("scan before the frame header", firstScan);
    }
    if (end - start != 4 + 2L * firstScanComponents) {
      return;
    }
    for (int i = 0; i < firstScanComponents; i++) {
      int component = frame.find(u8(jpeg, start + 1 + 2L * i), i);
      if (component < 0) {
        return;
      }
      requireQuantisation(component, definedTables, firstScan);
      if (!progressive() && !arithmetic()) {
        int slots = u8(jpeg, start + 2 + 2L * i);
        requireHuffman(0, slots >> 4);
        requireHuffman(1, slots & 15);
      }
    }
  }

  private void requireQuantisation(int component, int defined, long at) throws DecodeException {
    int slot = frame.quantisationSlot(component);
    if (slot > 3 || (defined >> slot & 1) == 0) {
      throw corrupt("quantisation table %d is not defined".formatted(slot), at);
    }
  }

  private void requireHuffman(int kind, int slot) throws DecodeException {
    if (slot < 4 && huffmanTables[4 * kind + slot] != 0) {
      return;
    }
    if (slot > 1) {
      throw corrupt(
          "%s Huffman table %d is not defined".formatted(kind == 0 ? "DC" : "AC", slot), firstScan);
    }
    standardTables = true;
  }

  /// Walks all scans and makes sure that each component has its quantisation table before its first
  /// one; and has one, unless the picture is progressive, whose later scans may be left out. Where
  /// there is no end marker, decoders say so.
  public void requireScans(MemorySegment jpeg) throws DecodeException {
    int defined = definedTables;
    int scanned = 0;
    long at = firstScan;
    while ((at = marker(jpeg, at)) >= 0 && u8(jpeg, at + 1) != EOI) {
      int marker = u8(jpeg, at + 1);
      long end = at + 2 + Math.max(2, u16(jpeg, at + 2));
      if (end > jpeg.byteSize()) {
        return;
      }
      if (marker == DQT) {
        defined |= defined(jpeg, at + 4, end);
      } else if (marker == SOS && end - at > 4) {
        int count = Math.min(u8(jpeg, at + 4), (int) (end - at - 5) / 2);
        for (int i = 0; i < count; i++) {
          int component = frame.find(u8(jpeg, at + 5 + 2L * i), i);
          if (component >= 0 && (scanned >> component & 1) == 0) {
            requireQuantisation(component, defined, at);
            scanned |= 1 << component;
          }
        }
      }
      at = end;
    }
    for (int c = 0; at >= 0 && !progressive() && c < components(); c++) {
      if ((scanned >> c & 1) == 0) {
        throw corrupt("no scan of component %d".formatted(frame.id(c)), at);
      }
    }
  }

  /// {@return the slots of the tables in a segment, as bits}
  private static int defined(MemorySegment jpeg, long start, long end) {
    int slots = 0;
    long at = start;
    while (at < end) {
      int head = u8(jpeg, at);
      slots |= 1 << (head & 15);
      at += 1 + (head > 15 ? 2L : 1L) * JpegQuality.TABLE;
    }
    return slots;
  }

  /// Finds the end of the picture by walking all scans.
  ///
  /// @param jpeg the stream that was [#read]
  /// @return offset in bytes just after the end marker, or -1 if there is none: the stream was
  ///     cut
  public long findEnd(MemorySegment jpeg) {
    long at = firstScan;
    scans = 0;
    while ((at = marker(jpeg, at)) >= 0) {
      int marker = u8(jpeg, at + 1);
      if (marker == EOI) {
        return at + 2;
      }
      scans += marker == SOS ? 1 : 0;
      at += 2 + Math.max(2, u16(jpeg, at + 2));
    }
    return -1;
  }

  /// {@return offset of the next end marker or segment from `from` on, -1 if there is none}
  private static long marker(MemorySegment jpeg, long from) {
    long at = from;
    while (at + 1 < jpeg.byteSize()) {
      int marker = u8(jpeg, at) == 0xff ? u8(jpeg, at + 1) : 0;
      if (marker == EOI) {
        return at;
      }
      if (marker != 0 && marker != 0xff && (marker & 0xf8) != 0xd0) {
        return at + 3 < jpeg.byteSize() ? at : -1;
      }
      at += marker == 0 || marker == 0xff ? 1 : 2; // coded data, fill byte or RSTn
    }
    return -1;
  }

  /// {@return columns, in pixels}
  public int width() {
    return frame.width();
  }

  /// {@return rows, in pixels}
  public int height() {
    return frame.height();
  }

  /// {@return colour components, 1 to 4}
  public int components() {
    return frame.components();
  }

  /// {@return bits of one sample: 8, or 12}
  public int bitDepth() {
    return frame.bitDepth();
  }

  /// {@return columns of samples in one MCU of that component, 1 to 4}
  public int horizontalFactor(int component) {
    return frame.horizontalFactor(component);
  }

  /// {@return rows of samples in one MCU of that component, 1 to 4}
  public int verticalFactor(int component) {
    return frame.verticalFactor(component);
  }

  /// {@return whether the frame is progressive (SOF2, SOF10)}
  public boolean progressive() {
    return frame.progressive();
  }

  /// {@return whether the entropy coding is arithmetic (SOF9, SOF10) rather than Huffman}
  public boolean arithmetic() {
    return frame.arithmetic();
  }

  /// {@return MCUs between restart markers; 0 if there are none}
  public int restartInterval() {
    return restartInterval;
  }

  /// {@return EXIF orientation, 1 to 8; 1 if there is none}
  public int orientation() {
    return orientation;
  }

  /// {@return colour transform of the Adobe segment: 0 none, 1 YCbCr, 2 YCCK; -1 without one}
  public int adobeTransform() {
    return adobeTransform;
  }

  /// {@return offset of the first scan's marker, in bytes}
  public long firstScan() {
    return firstScan;
  }

  /// {@return offset of a Huffman table's sixteen counts before the first scan; 0 if it is not
  ///     defined there}
  ///
  /// @param kind 0 for DC, 1 for AC
  /// @param slot its number, 0 to 3
  public long huffmanTable(int kind, int slot) {
    return huffmanTables[4 * kind + slot];
  }

  /// {@return whether the first scan uses Huffman tables that the file leaves out: the standard's}
  public boolean standardTables() {
    return standardTables;
  }

  /// {@return whether the first scan holds all components}
  public boolean scansTogether() {
    return firstScanComponents >= frame.components();
  }

  /// Copies the factors of a component's coefficients.
  ///
  /// @param zigzag where 64 of them are put, as they stand in the file
  /// @return whether they are defined before the first scan
  public boolean copyQuantisation(int component, int[] zigzag) {
    int slot = frame.quantisationSlot(component);
    if (slot > 3 || (definedTables & (1 << slot)) == 0) {
      return false;
    }
    for (int k = 0; k < JpegQuality.TABLE; k++) {
      zigzag[k] = tables[slot * JpegQuality.TABLE + NATURAL[k]];
    }
    return true;
  }

  /// {@return headers read so far}
  public long reads() {
    return reads;
  }

  /// {@return number that the file gives a component, 0 to 255}
  public int id(int component) {
    return frame.id(component);
  }

  /// {@return whether it is a picture in planes of luminance and chrominance, or of luminance
  ///     alone, sampled in one of the usual ways}
  public boolean inPlanes() {
    return luminanceFirst() && frame.usualFactors() && frame.subsampling() != Subsampling.OTHER;
  }

  /// {@return chroma subsampling}
  public Subsampling subsampling() {
    return frame.subsampling();
  }

  /// {@return estimate of the quality it was encoded with, 1 to 100, as ImageMagick's `%Q`; 0
  ///     where that has none, which is so for tables far from the standard's below quality 51}
  public int estimatedQuality() {
    return JpegQuality.estimate(tables, definedTables);
  }

  /// {@return the header in the form all codecs share}
  public ImageInfo info() {
    return new ImageInfo(
        ImageFormat.JPEG,
        frame.width(),
        frame.height(),
        frame.components(),
        frame.bitDepth(),
        frame.subsampling(),
        progressive(),
        orientation);
  }

  /// {@return whether the coefficients of the whole picture are kept until the last scan}
  public boolean multipleScans() {
    return progressive() || !scansTogether();
  }

  /// {@return whether the components are luminance, or luminance and two of chrominance}
  ///
  /// As libjpeg-turbo guesses it: `default_decompress_parms` of its `jdapimin.c`.
  boolean luminanceFirst() {
    if (frame.components() != 3 || jfif) {
      return frame.components() == 1 || frame.components() == 3;
    }
    if (adobeTransform >= 0) {
      return adobeTransform != 0;
    }
    return frame.id(0) != 'R' || frame.id(1) != 'G' || frame.id(2) != 'B';
  }

  /// {@return what the picture takes}
  public JpegFrame frame() {
    return frame;
  }

  /// {@return scans that the last [#findEnd] passed}
  public int scans() {
    return scans;
  }

  static DecodeException corrupt(String what, long at) {
    return new DecodeException(Fault.CORRUPT, "jpeg: %s, at byte %d".formatted(what, at));
  }
}
