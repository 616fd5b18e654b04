package io.headrace.codec.jpeg.tiles;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegComponent;
import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.HuffmanCode;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.codec.jpeg.entropy.PackageMerge;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Counts or writes the symbols of a picture's one scan, with other restarts and another width
/// (ITU-T T.81, F.1.2). Blocks that only pad the picture stay what they are.
///
/// The scan's first component gets its own tables, the others share theirs, however they were read.
final class TileWriter {
  private static final int MAX = 3;

  /// Tables of each class: one for the first component, one for the others.
  private static final int KINDS = 2;

  /// Largest number of bits of a DC difference in baseline (T.81, F.1.2.1.2).
  private static final int MAX_DC_BITS = 11;

  private static final int END_OF_BLOCK = 0;

  /// More bytes than one MCU takes: 10 blocks of 64 coefficients of 32 bits, every byte stuffed.
  private static final int MCU_BYTES = 8192;

  private final ScanHeader scan = new ScanHeader();
  private final PackageMerge[] counts = new PackageMerge[2 * KINDS];
  private final HuffmanCode[] codes = new HuffmanCode[2 * KINDS];

  // By block of an MCU: the place of its component in the scan; its row, and where it stands there
  // in the first MCU; blocks of the component across an MCU.
  private final int[] places = new int[ScanHeader.MAX_BLOCKS];
  private final BlockRow[] rows = new BlockRow[ScanHeader.MAX_BLOCKS];
  private final int[] starts = new int[ScanHeader.MAX_BLOCKS];
  private final int[] across = new int[ScanHeader.MAX_BLOCKS];
  private int blockCount;

  /// DC of each component's last block.
  private final int[] written = new int[MAX];

  private JpegCoefficients picture;
  private JpegHeader header = new JpegHeader();
  private int components;
  private int inColumns;
  private int outColumns;
  private int down;

  /// @param picture to begin with
  TileWriter(JpegCoefficients picture) {
    this.picture = picture;
    Arrays.setAll(counts, _ -> new PackageMerge());
    Arrays.setAll(codes, _ -> new HuffmanCode());
    Arrays.setAll(rows, _ -> new BlockRow());
  }

  /// Takes up a picture, and reads the header of its scan in the JPEG that it was read from.
  void reset(JpegCoefficients picture, JpegHeader header, MemorySegment jpeg, long start, long end)
      throws DecodeException {
    this.picture = picture;
    this.header = header;
    components = header.components();
    scan.read(header, jpeg, start, end);
  }

  /// Sets MCUs in a row, as there are and as written, and rows.
  void grid(int inColumns, int outColumns, int down) {
    this.inColumns = inColumns;
    this.outColumns = outColumns;
    this.down = down;
  }

  /// Counts the symbols that [#write] will write.
  ///
  /// @param interval MCUs between restarts; 0 for none
  void count(int interval) throws DecodeException {
    for (PackageMerge symbols : counts) {
      symbols.clear();
    }
    run(interval, null, null);
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      codes[kind].ofLengths(counts[kind].lengths());
      codes[KINDS + kind].ofLengths(counts[KINDS + kind].lengths());
    }
  }

  /// Writes the DHT segment.
  void writeTables(JpegOutput out) throws DecodeException {
    int bytes = 0;
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      bytes += codes[kind].bytes() + codes[KINDS + kind].bytes();
    }
    out.segment(Markers.DHT, bytes);
    for (int kind = 0; kind < Math.min(components, KINDS); kind++) {
      codes[kind].writeTable(out, kind);
      codes[KINDS + kind].writeTable(out, KINDS + kind);
    }
  }

  void writeScanHeader(JpegOutput out) throws DecodeException {
    out.segment(Markers.SOS, 4 + 2L * components);
    out.u8(components);
    for (int i = 0; i < components; i++) {
      out.u8(header.id(scan.component(i)));
      out.u8(i == 0 ? 0 : 0x11);
    }
    out.u8(0);
    out.u8(63); // all coefficients, in full precision
    out.u8(0);
  }

  /// Writes the coded data and the end marker.
  ///
  /// @param out ends with the scan header
  /// @param tiles takes the offsets of the segments, if there are restarts
  void write(int interval, JpegOutput out, TileTable tiles) throws DecodeException {
    tiles.add(offset(out.size()));
    run(interval, out, tiles);
  }

  private void run(int interval, @Nullable JpegOutput out, @Nullable TileTable tiles)
      throws DecodeException {
    Arrays.fill(written, 0);
    int done = 0;
    int restarts = 0;
    for (int row = 0; row < down; row++) {
      layOut(row);
      for (int column = 0; column < outColumns; column++) {
        if (out != null) {
          out.room(MCU_BYTES);
        }
        if (interval > 0 && done == interval) {
          marker(Markers.RST0 + (restarts & 7), out, tiles);
          restarts++;
          done = 0;
          Arrays.fill(written, 0);
        }
        if (column < inColumns) {
          mcu(column, out);
        } else {
          padding(out);
        }
        done++;
      }
    }
    marker(Markers.EOI, out, tiles);
  }

  /// Finds the blocks of a row of MCUs. A scan of one component has MCUs of one block.
  private void layOut(int row) {
    blockCount = 0;
    for (int i = 0; i < components; i++) {
      int c = scan.component(i);
      JpegComponent component = picture.component(c);
      int wide = components == 1 ? 1 : component.horizontalFactor();
      int high = components == 1 ? 1 : component.verticalFactor();
      for (int b = 0; b < wide * high; b++, blockCount++) {
        places[blockCount] = i;
        rows[blockCount] = picture.row(c, row * high + b / wide);
        starts[blockCount] = b % wide;
        across[blockCount] = wide;
      }
    }
  }

  /// Ends a segment.
  private static void marker(int marker, @Nullable JpegOutput out, @Nullable TileTable tiles)
      throws DecodeException {
    if (out != null && tiles != null) {
      out.endBits();
      out.marker(marker);
      tiles.add(offset(out.size()));
    }
  }

  private static int offset(long bytes) throws DecodeException {
    if (bytes > Integer.MAX_VALUE) {
      throw new DecodeException(Fault.LIMIT, "jpeg: more than 2 GiB when cut into tiles");
    }
    return (int) bytes;
  }

  private void padding(@Nullable JpegOutput out) {
    for (int b = 0; b < blockCount; b++) {
      int kind = Math.min(places[b], 1);
      if (out == null) {
        counts[kind].counts()[0]++;
        counts[KINDS + kind].counts()[END_OF_BLOCK]++;
      } else {
        out.symbol(codes[kind], 0, 0, 0);
        out.symbol(codes[KINDS + kind], END_OF_BLOCK, 0, 0);
      }
    }
  }

  private void mcu(int column, @Nullable JpegOutput out) throws DecodeException {
    for (int b = 0; b < blockCount; b++) {
      int i = places[b];
      int kind = Math.min(i, 1);
      BlockRow row = rows[b];
      int x = column * across[b] + starts[b];
      int dc = row.first(x);
      int difference = dc - written[i];
      written[i] = dc;
      if (out == null) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(difference));
        if (bits > MAX_DC_BITS) {
          throw new DecodeException(
              Fault.UNSUPPORTED,
              "jpeg: cannot be cut into tiles: a DC difference of %d bits".formatted(bits));
        }
        counts[kind].counts()[bits]++;
        row.count(x, counts[KINDS + kind].counts());
      } else {
        // no symbol lacks a code, since all were counted
        HuffmanCode dcCode = codes[kind];
        HuffmanCode acCode = codes[KINDS + kind];
        long mask = row.masks[x] >>> 1;
        int _ = out.block(dcCode, acCode, difference, mask, row.values, row.starts[x] + 1);
      }
    }
  }
}
