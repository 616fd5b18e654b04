package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;
import static io.headrace.codec.jpeg.packed.PackedLayout.BAND_MASKS;
import static io.headrace.codec.jpeg.packed.PackedLayout.FIRST_SECTION;
import static io.headrace.codec.jpeg.packed.PackedLayout.HEAD;
import static io.headrace.codec.jpeg.packed.PackedLayout.LANES;
import static io.headrace.codec.jpeg.packed.PackedLayout.OF_KIND;
import static io.headrace.codec.jpeg.packed.PackedLayout.SECTIONS;
import static io.headrace.codec.jpeg.packed.PackedLayout.U16;
import static io.headrace.codec.jpeg.packed.PackedLayout.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegComponent;
import io.headrace.codec.jpeg.entropy.PackageMerge;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Writes coefficients as a packed picture. One per worker: its arrays grow to those of the largest
/// picture.
final class PackedWriter {
  /// Bytes that a picture's own code must save, since it takes time to read.
  private static final int WORTH = 64;

  private final PackageMerge[] counts = new PackageMerge[SECTIONS];
  private final SymbolCode[] own = new SymbolCode[SECTIONS];
  private final SymbolCode[] chosen = new SymbolCode[SECTIONS];
  private final ByteList[] symbols = new ByteList[SECTIONS];
  private final BitList[] bits = new BitList[BANDS];

  /// By section and tile: symbols up to its end; by band and tile: bytes of bits up to its end.
  private int[][] symbolEnds = new int[SECTIONS][0];

  private final int[][] bitEnds = new int[BANDS][0];
  private final BitList[] lanes = new BitList[LANES];
  private final ByteList index = new ByteList();
  private final ByteList coded = new ByteList();
  private final ByteList tables = new ByteList();
  private final short[] zigzag = new short[64];

  /// The class of a section that waits for another one to make a symbol with, if any.
  private final int[] waiting = new int[SECTIONS];

  PackedWriter() {
    Arrays.setAll(counts, _ -> new PackageMerge(SymbolCode.LONGEST, false));
    Arrays.setAll(own, _ -> new SymbolCode());
    Arrays.setAll(symbols, _ -> new ByteList());
    Arrays.setAll(bits, _ -> new BitList());
    Arrays.setAll(lanes, _ -> new BitList());
  }

  /// Writes all but what stands before the JPEG's header, of which the caller knows the rest.
  ///
  /// @param picture in one scan
  /// @param grid MCUs of it, and of tiles
  /// @param jpegHeader the header as it is to be stored
  /// @param tail the JPEG after its coded data
  /// @return bytes of the packed picture
  long write(
      JpegCoefficients picture, Grid grid, MemorySegment jpegHeader, MemorySegment tail, Block out)
      throws DecodeException {
    gather(picture, grid);
    choose();
    long at = HEAD + jpegHeader.byteSize();
    MemorySegment to = out.ensure(at + tables.size);
    to.asSlice(0, HEAD).fill((byte) 0);
    MemorySegment.copy(
        MemorySegment.ofArray(new byte[] {'H', 'R', 'P', 'J', PackedLayout.VERSION}), 0, to, 0, 5);
    to.set(U16, PackedLayout.TILE_COLUMNS, (short) grid.tileColumns());
    to.set(U16, PackedLayout.TILE_ROWS, (short) grid.tileRows());
    to.set(U32, PackedLayout.HEADER_BYTES, (int) jpegHeader.byteSize());
    to.set(U32, PackedLayout.TABLE_BYTES, tables.size);
    to.set(U32, PackedLayout.TAIL_BYTES, (int) tail.byteSize());
    MemorySegment.copy(jpegHeader, 0, to, HEAD, jpegHeader.byteSize());
    at = append(tables, out, at);
    for (int band = 0; band < BANDS; band++) {
      code(band, grid.tiles());
      at = append(index, out, at);
      at = append(coded, out, at);
      out.memory().set(U32, PackedLayout.BAND_ENDS + 4L * band, (int) at);
    }
    MemorySegment.copy(tail, 0, out.ensureKeeping(at + tail.byteSize()), at, tail.byteSize());
    return at + tail.byteSize();
  }

  private static long append(ByteList bytes, Block out, long at) throws DecodeException {
    MemorySegment to = out.ensureKeeping(at + bytes.size);
    MemorySegment.copy(bytes.bytes, 0, to, JAVA_BYTE, at, bytes.size);
    return at + bytes.size;
  }

  /// Makes symbols and bits of all blocks, and counts the symbols.
  private void gather(JpegCoefficients picture, Grid grid) {
    for (int section = 0; section < SECTIONS; section++) {
      symbols[section].size = 0;
      counts[section].clear();
      symbolEnds[section] = fit(symbolEnds[section], grid.tiles());
    }
    for (int band = 0; band < BANDS; band++) {
      bits[band].clear();
      bitEnds[band] = fit(bitEnds[band], grid.tiles());
    }
    for (int tile = 0; tile < grid.tiles(); tile++) {
      int row = tile / grid.across();
      int column = tile % grid.across();
      Arrays.fill(waiting, -1);
      means(picture, grid, row, column);
      for (int c = 0; c < picture.components(); c++) {
        JpegComponent component = picture.component(c);
        for (int y = grid.firstRow(component, row); y < grid.lastRow(component, row); y++) {
          int end = grid.lastColumn(component, column);
          for (int x = grid.firstColumn(component, column); x < end; x++) {
            picture.copyBlock(c, y, x, zigzag);
            block(c == 0 ? 0 : OF_KIND);
          }
        }
      }
      for (int section = 0; section < SECTIONS; section++) {
        if (waiting[section] >= 0) {
          symbol(section, waiting[section]);
        }
        symbolEnds[section][tile] = symbols[section].size;
      }
      for (int band = 0; band < BANDS; band++) {
        bits[band].align();
        bitEnds[band][tile] = bits[band].size;
      }
    }
  }

  private static int[] fit(int[] array, int size) {
    return array.length < size ? new int[size] : array;
  }

  /// The first coefficient of each block: its difference to the block before, or, in the first
  /// column of a tile, to the block above.
  private void means(JpegCoefficients picture, Grid grid, int row, int column) {
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      int section = (c == 0 ? 0 : OF_KIND) + PackedLayout.DC;
      int above = 0;
      for (int y = grid.firstRow(component, row); y < grid.lastRow(component, row); y++) {
        int before = above;
        int start = grid.firstColumn(component, column);
        for (int x = start; x < grid.lastColumn(component, column); x++) {
          int mean = picture.coefficient(c, y, x, 0);
          int difference = mean - before;
          int size = size(difference);
          symbol(section, size);
          bits[0].put(extra(difference, size), size);
          before = mean;
          above = x == start ? mean : above;
        }
      }
    }
  }

  private static int size(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
  }

  /// {@return the bits that tell a number from the others of its class}
  private static int extra(int value, int size) {
    return (value < 0 ? value - 1 : value) & ((1 << size) - 1);
  }

  private void block(int kind) {
    long mask = 0;
    for (int k = 1; k < 64; k++) {
      mask |= (zigzag[k] == 0 ? 0L : 1L) << (k - 1);
    }
    symbol(kind + PackedLayout.MASK_1, (int) mask & 0xff);
    int which = 0;
    for (int i = 1; i < 8; i++) {
      int bytes = (int) (mask >>> (8 * i)) & 0xff;
      if (bytes != 0) {
        which |= 1 << (i - 1);
        symbol(kind + (i < 3 ? PackedLayout.MASK_2 : PackedLayout.MASK_3), bytes);
      }
    }
    symbol(kind + PackedLayout.WHICH, which);
    for (int band = 0; band < BANDS; band++) {
      int section = kind + FIRST_SECTION[band + 1] - 1;
      for (long left = mask & BAND_MASKS[band]; left != 0; left &= left - 1) {
        int value = zigzag[Long.numberOfTrailingZeros(left) + 1];
        int size = size(value);
        if (waiting[section] < 0) {
          waiting[section] = size;
        } else {
          symbol(section, waiting[section] | (size << 4));
          waiting[section] = -1;
        }
        bits[band].put(extra(value, size), size);
      }
    }
  }

  private void symbol(int section, int symbol) {
    counts[section].counts()[symbol]++;
    symbols[section].add(symbol);
  }

  /// Chooses a code for each section: one that is known, or the best there is.
  private void choose() {
    tables.size = 0;
    for (int section = 0; section < SECTIONS; section++) {
      PackageMerge counted = counts[section];
      int set = -1;
      long least = Long.MAX_VALUE;
      for (int known = 0; known < PackedTables.sets(); known++) {
        long cost = cost(counted, PackedTables.known(known, section));
        if (cost < least) {
          least = cost;
          set = known;
        }
      }
      if (set < 0 || leastOwn(counted) < least) {
        byte[] lengths = complete(counted, section);
        own[section].set(lengths, 0);
        int start = tables.size;
        tables.add(PackedTables.OWN);
        tables.room(SymbolCode.SLACK);
        tables.size = SymbolCode.write(lengths, tables.bytes, tables.size);
        long cost = cost(counted, own[section]) + 8L * (tables.size - start + WORTH);
        if (set < 0 || cost < least) {
          chosen[section] = own[section];
          continue;
        }
        tables.size = start;
      }
      chosen[section] = PackedTables.known(set, section);
      tables.add(set);
    }
  }

  /// {@return bits that a section takes at least with a code of its own: its entropy, and half a
  ///     byte for each symbol; so the code is only made where it may pay}
  private static double leastOwn(PackageMerge counted) {
    double bits = 0;
    int different = 0;
    double all = 0;
    for (int count : counted.counts()) {
      if (count > 0) {
        different++;
        all += count;
        bits -= count * Math.log(count);
      }
    }
    bits = all == 0 ? 0 : (bits + all * Math.log(all)) / Math.log(2);
    return bits - 1 + 8 * (1 + different / 2 + WORTH);
  }

  /// {@return lengths of a complete code, which takes two symbols at least}
  private byte[] complete(PackageMerge counted, int section) {
    int different = 0;
    int one = 0;
    for (int symbol = 0; symbol < SymbolCode.SYMBOLS; symbol++) {
      if (counted.counts()[symbol] > 0) {
        different++;
        one = symbol;
      }
    }
    if (different < 2) {
      counted.counts()[one ^ 1]++;
      if (symbols[section].size == 0) {
        counted.counts()[one]++;
      }
    }
    return counted.lengths();
  }

  /// {@return bits of all symbols, or the most there can be if one has no code}
  private static long cost(PackageMerge counted, SymbolCode code) {
    long sum = 0;
    for (int symbol = 0; symbol < SymbolCode.SYMBOLS; symbol++) {
      int count = counted.counts()[symbol];
      if (count > 0) {
        if (code.length(symbol) == 0) {
          return Long.MAX_VALUE;
        }
        sum += (long) count * code.length(symbol);
      }
    }
    return sum;
  }

  /// Makes the index and the bytes of one band.
  private void code(int band, int tiles) {
    index.size = 0;
    coded.size = 0;
    for (int tile = 0; tile < tiles; tile++) {
      for (BitList lane : lanes) {
        lane.clear();
      }
      if (band == 0) {
        section(PackedLayout.DC, tile);
        section(OF_KIND + PackedLayout.DC, tile);
      }
      for (int kind = 0; kind < SECTIONS; kind += OF_KIND) {
        for (int s = FIRST_SECTION[band] + (band == 0 ? 1 : 0); s < FIRST_SECTION[band + 1]; s++) {
          section(kind + s, tile);
        }
      }
      int length = 0;
      for (int lane = 0; lane < LANES; lane++) {
        lanes[lane].align();
        int size = lanes[lane].size;
        int more = size - length;
        index.number(lane == 0 ? size : (more << 1) ^ (more >> 31));
        length = lane == 0 ? size : length;
        coded.add(lanes[lane].bytes, 0, size);
      }
      int from = tile == 0 ? 0 : bitEnds[band][tile - 1];
      index.number(bitEnds[band][tile] - from);
      coded.add(bits[band].bytes, from, bitEnds[band][tile] - from);
    }
  }

  private void section(int section, int tile) {
    int[] codes = chosen[section].codes;
    byte[] from = symbols[section].bytes;
    int start = tile == 0 ? 0 : symbolEnds[section][tile - 1];
    for (int i = start; i < symbolEnds[section][tile]; i++) {
      int code = codes[from[i] & 0xff];
      lanes[(i - start) % LANES].put(code & 0xffff, code >>> 16);
    }
  }

  /// {@return how often a symbol occurred in the last picture}
  int counted(int section, int symbol) {
    return counts[section].counts()[symbol];
  }
}
