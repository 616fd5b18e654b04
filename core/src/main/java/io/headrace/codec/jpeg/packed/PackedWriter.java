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

  /// Symbols of one section that a block has at most: two classes each.
  private static final int MAX_SYMBOLS = 32;

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

  /// Coefficients of a block that are not 0, but for the first.
  private final short[] values = new short[64];

  /// By band: classes of coefficients that are no symbols yet.
  private final ByteList[] classes = new ByteList[BANDS];

  PackedWriter() {
    Arrays.setAll(counts, _ -> new PackageMerge(SymbolCode.LONGEST, false));
    Arrays.setAll(own, _ -> new SymbolCode());
    Arrays.setAll(symbols, _ -> new ByteList());
    Arrays.setAll(bits, _ -> new BitList());
    Arrays.setAll(lanes, _ -> new BitList());
    Arrays.setAll(classes, _ -> new ByteList());
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
      room(picture, grid, row, column);
      means(picture, grid, row, column);
      for (int c = 0; c < picture.components(); c++) {
        blocks(picture, grid, row, column, c);
        if (c == 0 || c == picture.components() - 1) {
          pairs(c == 0 ? 0 : OF_KIND);
        }
      }
      for (int section = 0; section < SECTIONS; section++) {
        symbolEnds[section][tile] = symbols[section].size;
      }
      for (int band = 0; band < BANDS; band++) {
        bits[band].align();
        bitEnds[band][tile] = bits[band].size;
      }
    }
    for (int section = 0; section < SECTIONS; section++) {
      int[] times = counts[section].counts();
      byte[] of = symbols[section].bytes;
      int size = symbols[section].size;
      for (int i = 0; i < size; i++) {
        times[of[i] & 0xff]++;
      }
    }
  }

  /// Makes room for whatever the blocks of a tile may be.
  private void room(JpegCoefficients picture, Grid grid, int row, int column) {
    int all = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      all +=
          (grid.lastRow(component, row) - grid.firstRow(component, row))
              * (grid.lastColumn(component, column) - grid.firstColumn(component, column));
    }
    for (ByteList list : symbols) {
      list.room(MAX_SYMBOLS * all + 1);
    }
    for (int band = 0; band < BANDS; band++) {
      bits[band].room(2 * 64 * all + BitList.SLACK);
      classes[band].size = 0;
      classes[band].room(64 * all + 1);
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
      ByteList sizes = symbols[(c == 0 ? 0 : OF_KIND) + PackedLayout.DC];
      int above = 0;
      for (int y = grid.firstRow(component, row); y < grid.lastRow(component, row); y++) {
        int before = above;
        int start = grid.firstColumn(component, column);
        for (int x = start; x < grid.lastColumn(component, column); x++) {
          int mean = picture.coefficient(c, y, x, 0);
          int difference = mean - before;
          int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(difference));
          sizes.append(size);
          int extra = (difference < 0 ? difference - 1 : difference) & ((1 << size) - 1);
          bits[0].put(extra, size);
          before = mean;
          above = x == start ? mean : above;
        }
      }
    }
  }

  /// The other coefficients of a component's blocks: masks as symbols, and bits; classes wait for
  /// [#pairs].
  private void blocks(JpegCoefficients picture, Grid grid, int row, int column, int c) {
    JpegComponent component = picture.component(c);
    int kind = c == 0 ? 0 : OF_KIND;
    ByteList low = symbols[kind + PackedLayout.MASK_1];
    ByteList which = symbols[kind + PackedLayout.WHICH];
    ByteList middle = symbols[kind + PackedLayout.MASK_2];
    ByteList high = symbols[kind + PackedLayout.MASK_3];
    int first = grid.firstColumn(component, column);
    int count = grid.lastColumn(component, column) - first;
    for (int y = grid.firstRow(component, row); y < grid.lastRow(component, row); y++) {
      picture.ready(c, y, first);
      for (int x = 0; x < count; x++) {
        long mask = picture.nonzero(x, values);
        low.append((int) mask);
        int found = 0;
        for (long left = mask & ~0xffL; left != 0; ) {
          int place = Long.numberOfTrailingZeros(left) >>> 3;
          found |= 1 << place;
          (place < 3 ? middle : high).append((int) (left >>> (8 * place)));
          left &= ~(0xffL << (8 * place));
        }
        which.append(found >> 1);
        int from = 0;
        for (int band = 0; band < BANDS; band++) {
          int to = from + Long.bitCount(mask & BAND_MASKS[band]);
          ByteList of = classes[band];
          bits[band].numbers(values, from, to, of.bytes, of.size);
          of.size += to - from;
          from = to;
        }
      }
    }
  }

  /// Makes symbols of classes, two to a symbol.
  private void pairs(int kind) {
    for (int band = 0; band < BANDS; band++) {
      int section = kind + FIRST_SECTION[band + 1] - 1;
      ByteList list = symbols[section];
      byte[] to = list.bytes;
      byte[] of = classes[band].bytes;
      int size = classes[band].size;
      of[size] = 0;
      for (int i = 0; i < size; i += 2) {
        to[list.size++] = (byte) (of[i] | (of[i + 1] << 4));
      }
      classes[band].size = 0;
    }
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
    int start = tile == 0 ? 0 : symbolEnds[section][tile - 1];
    int end = symbolEnds[section][tile];
    for (int lane = 0; lane < LANES; lane++) {
      lanes[lane].room((end - start) / LANES * 2 + 2 + BitList.SLACK);
      lanes[lane].codes(chosen[section].codes, symbols[section].bytes, start + lane, end);
    }
  }

  /// {@return how often a symbol occurred in the last picture}
  int counted(int section, int symbol) {
    return counts[section].counts()[symbol];
  }
}
