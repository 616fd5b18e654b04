package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedHeader.corrupt;
import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;
import static io.headrace.codec.jpeg.packed.PackedLayout.BAND_MASKS;
import static io.headrace.codec.jpeg.packed.PackedLayout.ENTRY;
import static io.headrace.codec.jpeg.packed.PackedLayout.INTS;
import static io.headrace.codec.jpeg.packed.PackedLayout.LANES;
import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;
import static io.headrace.codec.jpeg.packed.PackedLayout.OF_KIND;
import static io.headrace.codec.jpeg.packed.PackedLayout.SHORTS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Takes the codes off the tiles of a packed picture: what is left are masks
/// and coefficients, which a [BlockReader] puts in their places. One per decoder, reused.
///
/// Nothing is believed before it is checked: each lane ends where the index says, and so do the
/// bits.
final class TileReader {
  /// Bytes after the end of an array that may be read, and mean nothing.
  static final int SLACK = 64;

  /// Most bits of a symbol's code, in bytes, for as many symbols as a block has in a band: a mask
  /// for each eight coefficients, a class for each, and two.
  private static final int BLOCK_BYTES = 64 * SymbolCode.LONGEST / 8;

  private static final long ONES = 0x0101_0101_0101_0101L;

  /// Masks of bytes: 0xff where a bit is set.
  private static final long[] SPREAD = new long[128];

  static {
    for (int i = 0; i < SPREAD.length; i++) {
      for (int bit = 0; bit < 7; bit++) {
        SPREAD[i] |= (i >> bit & 1) == 0 ? 0 : 0xffL << (8 * bit);
      }
    }
  }

  private final PackedTables tables = new PackedTables();

  /// By band: bytes of each lane and of the bits, of each tile.
  private final int[][] lengths = new int[BANDS][0];

  /// By band: where each tile begins in the picture.
  private final int[][] starts = new int[BANDS][0];

  /// By band: the tile's bytes.
  private final byte[][] data = new byte[BANDS][0];

  /// By band: coefficients that are not 0, in order; those of the second kind begin at
  /// [#secondClass].
  final short[][] values = new short[BANDS][0];

  /// Their classes, of one band.
  private byte[] classes = new byte[0];

  /// Sums of classes, of each sixteen of them up to each.
  private byte[] sums = new byte[0];

  final int[] secondClass = new int[BANDS];

  /// By band: the largest class.
  final int[] largest = new int[BANDS];

  /// By block of the tile: which coefficients are not 0, bit i for i + 1 of the zigzag.
  long[] masks = new long[0];

  /// By block of the tile: the first coefficient.
  int[] means = new int[0];

  private byte[] symbols = new byte[0];
  private byte[] which = new byte[0];
  private MemorySegment packed = MemorySegment.NULL;
  private PackedHeader header = new PackedHeader();
  private CoefficientBits reader = new CoefficientBits();
  private int bands;
  private boolean meansOnly;
  private final Lanes lanes = new Lanes();

  /// Blocks of the tile that belong to the first component, and all.
  private int first;

  private int all;

  /// MCUs of the tile.
  private int columns;

  private int rows;
  private int classEnd;

  /// Says who reads coefficients from now on.
  void use(CoefficientBits other) {
    reader = other;
  }

  /// {@return blocks of the tile that belong to the first component}
  int first() {
    return first;
  }

  /// {@return blocks of the tile, of all components}
  int blocks() {
    return all;
  }

  /// Takes up a picture.
  ///
  /// @param header read from it
  /// @param wanted bands to read: 1 to 3, and no more than there are; 0 for the first coefficients
  ///     alone
  void open(MemorySegment packed, PackedHeader header, int wanted) throws DecodeException {
    this.packed = packed;
    this.header = header;
    meansOnly = wanted == 0;
    bands = Math.max(1, wanted);
    Arrays.fill(largest, 0);
    tables.read(packed, header);
    int tiles = header.tilesAcross() * header.tilesDown();
    for (int band = 0; band < bands; band++) {
      if (starts[band].length < tiles) {
        starts[band] = new int[tiles];
        lengths[band] = new int[tiles * ENTRY];
      }
      index(band, tiles);
    }
  }

  /// Reads the index of a band.
  private void index(int band, int tiles) throws DecodeException {
    int[] of = lengths[band];
    long end = header.end(band);
    if (end > Integer.MAX_VALUE) {
      throw corrupt("a band ends after %d bytes".formatted(end));
    }
    long at = header.start(band);
    for (int i = 0; i < tiles * ENTRY; i++) {
      int value = 0;
      int shift = 0;
      int next;
      do {
        if (at >= end || shift > 21) {
          throw corrupt("the index of band %d is cut or damaged".formatted(band + 1));
        }
        next = packed.get(JAVA_BYTE, at++);
        value |= (next & 127) << shift;
        shift += 7;
      } while (next < 0);
      of[i] = value;
    }
    for (int tile = 0; tile < tiles; tile++) {
      int entry = tile * ENTRY;
      starts[band][tile] = (int) at;
      at += of[entry] + of[entry + LANES];
      for (int lane = 1; lane < LANES; lane++) {
        int length = of[entry] + ((of[entry + lane] >>> 1) ^ -(of[entry + lane] & 1));
        if (length < 0) {
          throw corrupt("tile %d has a lane of %d bytes".formatted(tile, length));
        }
        of[entry + lane] = length;
        at += length;
      }
      if (at > end) {
        break;
      }
    }
    if (at != end) {
      throw corrupt("the tiles of band %d do not end where it does".formatted(band + 1));
    }
  }

  /// Reads a tile.
  ///
  /// @param row of the tile
  /// @param column of the tile
  void read(int row, int column) throws DecodeException {
    columns = header.columnsOf(column);
    rows = header.rowsOf(row);
    int mcus = columns * rows;
    all = 0;
    for (int c = 0; c < header.components(); c++) {
      all += mcus * header.across(c) * header.down(c);
      first = c == 0 ? all : first;
    }
    if (masks.length < all) {
      masks = new long[all];
      means = new int[all];
      symbols = new byte[64 * all + SLACK];
      which = new byte[all + SLACK];
      classes = new byte[64 * all + SLACK];
      sums = new byte[64 * all + SLACK];
      for (int band = 0; band < BANDS; band++) {
        values[band] = new short[64 * all + SLACK];
      }
    }
    int tile = row * header.tilesAcross() + column;
    for (int band = 0; band < bands; band++) {
      int at = load(band, tile);
      switch (band) {
        case 0 -> {
          meanClasses(0, first, 0);
          meanClasses(first, all, OF_KIND);
          if (meansOnly) {
            long _ = means(at);
            return;
          }
          firstBand(0, first, 0);
          firstBand(first, all, OF_KIND);
        }
        case 1 -> {
          secondBand(0, first, 0);
          secondBand(first, all, OF_KIND);
        }
        default -> {
          thirdBand(0, first, 0);
          thirdBand(first, all, OF_KIND);
        }
      }
      if (!lanes.end(lengths[band], tile * ENTRY)) {
        throw corrupt("tile %d of band %d has damaged codes".formatted(tile, band + 1));
      }
      long have = 8L * lengths[band][tile * ENTRY + LANES];
      int start = band == 0 ? means(at) : 8 * at;
      long used = start - 8L * at + sum(classes, classEnd, sums);
      if (used > have || have - used >= 8) {
        throw corrupt(
            "tile %d of band %d uses %d of %d bits".formatted(tile, band + 1, used, have));
      }
      largest[band] = reader.read(classes, sums, classEnd, data[band], start, values[band]);
    }
  }

  /// Copies a tile's bytes of one band.
  ///
  /// @return where its bits begin
  private int load(int band, int tile) {
    int entry = tile * ENTRY;
    int[] of = lengths[band];
    int coded = of[entry] + of[entry + 1] + of[entry + 2] + of[entry + 3];
    int size = coded + of[entry + LANES];
    // damaged codes may be read beyond their end, by no more than symbols have bits
    int room = size + BLOCK_BYTES * all + SLACK;
    if (data[band].length < room) {
      data[band] = new byte[Math.max(room, data[band].length * 2)];
    }
    byte[] to = data[band];
    MemorySegment.copy(packed, JAVA_BYTE, starts[band][tile], to, 0, size);
    Arrays.fill(to, size, size + SLACK, (byte) 0);
    lanes.start(to, of, entry);
    classEnd = 0;
    secondClass[band] = 0;
    return coded;
  }

  private void meanClasses(int from, int to, int kind) {
    int n = to - from;
    lanes.read(tables.code(kind + PackedLayout.DC), n, symbols);
    for (int i = 0; i < n; i++) {
      means[from + i] = symbols[i] & 15;
    }
  }

  private void firstBand(int from, int to, int kind) {
    int n = to - from;
    lanes.read(tables.code(kind + PackedLayout.MASK_1), n, symbols);
    int count = 0;
    for (int i = 0; i < n; i++) {
      int mask = symbols[i] & 0xff;
      masks[from + i] = mask;
      count += Integer.bitCount(mask);
    }
    classes(0, kind + PackedLayout.CLASS_1, count, kind);
  }

  private void secondBand(int from, int to, int kind) {
    int n = to - from;
    lanes.read(tables.code(kind + PackedLayout.WHICH), n, symbols);
    System.arraycopy(symbols, 0, which, from, n);
    int masksCount = 0;
    for (int i = from; i < to; i++) {
      masksCount += Integer.bitCount(which[i] & 3);
    }
    lanes.read(tables.code(kind + PackedLayout.MASK_2), masksCount, symbols);
    int count = 0;
    int at = 0;
    for (int i = from; i < to; i++) {
      int bytes = which[i] & 3;
      long mask = Long.expand((short) SHORTS.get(symbols, at), SPREAD[bytes]);
      at += Integer.bitCount(bytes);
      masks[i] |= mask << 8;
      count += Long.bitCount(mask);
    }
    classes(1, kind + PackedLayout.CLASS_2, count, kind);
  }

  private void thirdBand(int from, int to, int kind) {
    int masksCount = 0;
    for (int i = from; i < to; i++) {
      masksCount += Integer.bitCount(which[i] >> 2 & 31);
    }
    lanes.read(tables.code(kind + PackedLayout.MASK_3), masksCount, symbols);
    int count = 0;
    int at = 0;
    for (int i = from; i < to; i++) {
      int bytes = which[i] >> 2 & 31;
      long mask = Long.expand((long) LONGS.get(symbols, at), SPREAD[bytes]) << 24 & BAND_MASKS[2];
      at += Integer.bitCount(bytes);
      masks[i] |= mask;
      count += Long.bitCount(mask);
    }
    classes(2, kind + PackedLayout.CLASS_3, count, kind);
  }

  /// Reads classes, two to a symbol.
  private void classes(int band, int section, int count, int kind) {
    byte[] to = classes;
    if (kind > 0) {
      secondClass[band] = classEnd;
    }
    int pairs = (count + 1) >> 1;
    lanes.read(tables.code(section), pairs, symbols);
    for (int i = 0; i < pairs; i += 4) {
      long nibbles = (int) INTS.get(symbols, i) & 0xffff_ffffL;
      nibbles = (nibbles | (nibbles << 16)) & 0x0000_ffff_0000_ffffL;
      nibbles = (nibbles | (nibbles << 8)) & 0x00ff_00ff_00ff_00ffL;
      nibbles = (nibbles | (nibbles << 4)) & 0x0f0f_0f0f_0f0f_0f0fL;
      LONGS.set(to, classEnd + 2 * i, nibbles);
    }
    classEnd += count;
    if ((count & 1) != 0) {
      to[classEnd++] = 0;
    }
    Arrays.fill(to, classEnd, classEnd + SLACK / 2, (byte) 0);
  }

  /// Makes first coefficients of their classes and bits.
  ///
  /// @param start where the bits begin, in bytes
  /// @return where they end, in bits
  private int means(int start) {
    byte[] in = data[0];
    int bit = 8 * start;
    int at = 0;
    for (int c = 0; c < header.components(); c++) {
      int across = columns * header.across(c);
      int down = rows * header.down(c);
      for (int y = 0; y < down; y++) {
        int before = y == 0 ? 0 : means[at - across];
        for (int x = 0; x < across; x++) {
          int size = means[at];
          int value = (int) ((long) LONGS.get(in, bit >>> 3) >>> (bit & 7)) & ((1 << size) - 1);
          bit += size;
          before += signed(value, size);
          means[at++] = before;
        }
      }
    }
    return bit;
  }

  /// {@return the number that the bits of a class mean: ITU-T T.81, F.2.2.1, EXTEND}
  static int signed(int value, int size) {
    int low = (value >> (size - 1)) - 1; // all ones where the highest bit is 0
    return value + (low & ((-1 << size) + 1));
  }

  /// Adds up classes.
  ///
  /// @param sums takes those of each sixteen up to each, which are at most 16 x 15
  private static long sum(byte[] classes, int count, byte[] sums) {
    long sum = 0;
    for (int i = 0; i < count; i += 16) {
      long first = (long) LONGS.get(classes, i) * ONES;
      long second = ((long) LONGS.get(classes, i + 8) + (first >>> 56)) * ONES;
      LONGS.set(sums, i, first);
      LONGS.set(sums, i + 8, second);
      sum += second >>> 56;
    }
    return sum;
  }
}
