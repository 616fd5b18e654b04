package io.headrace.codec.jpeg.planes;

import static io.headrace.codec.BigEndian.u16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.entropy.CodeTable;
import io.headrace.codec.jpeg.entropy.Corner;
import io.headrace.codec.jpeg.entropy.PlainScan;
import io.headrace.codec.jpeg.entropy.ScanBits;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.natives.WarmKernel;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes the part of a baseline JPEG that a region shows, to planes. One per worker.
///
/// Law: samples are those of [io.headrace.codec.jpeg.turbo.JpegDecoder#decodePlanes], which are
/// libjpeg-turbo's, at 8 and 1 eighths. Coefficients beyond all measure, which damage makes, are
/// not decoded here, for its vectors keep 16 bits and we keep 32. At 4 and 2 eighths they are those
/// of IJG's libjpeg from version 7 on: of a block only the lowest frequencies count, which come
/// first, and the rest is only skipped over ([Idct] says why that is better, too). So what is
/// decoded at these scales must be decoded here from the first sample to the last, by vectors or
/// not; libjpeg-turbo steps in where it would for any reader of that file.
///
/// Blocks before the region are only skipped over, several symbols at a time, and whatever comes
/// after its last block is not looked at; of a JPEG with a [TileTable] only those tiles are read
/// that the region touches. The inverse DCT is done of the region's blocks alone.
///
/// It decodes what is sound and usual, and leaves the rest, faults above all, to libjpeg-turbo:
/// where it cannot go on, it says so, and the planes are undefined.
public final class BaselineDecoder implements AutoCloseable {
  private static final int MAX_COMPONENTS = 3;
  private static final int FIRST_RESTART = 0xd0;

  /// Four times what pixels give: beyond, libjpeg-turbo's results are not ours.
  private static final int MAX_MEAN = 4095;

  private static final WarmKernel WARM =
      new WarmKernel("jpeg", 20, () -> WarmPicture.form(false), () -> WarmPicture.form(true));

  private final Block memory;
  private final ScanBits scan = new ScanBits();
  private final Idct plain = new ScalarIdct();
  private final Idct fastest = Idcts.fastest();
  private Idct idct = plain;
  private final int[] coefficients = new int[ScanBits.ROOM];
  private final PlainScan tables = new PlainScan();

  // By component:
  private final CodeTable[] dcOf = tables.dc;
  private final CodeTable[] acOf = tables.ac;
  private final int[] columns = tables.columns;
  private final int[] rows = tables.rows;
  private final char[][] skipOf = new char[MAX_COMPONENTS][];
  private final int[][] factors = new int[MAX_COMPONENTS][64];
  private final int[][] cornerFactors = new int[MAX_COMPONENTS][16];
  private final int[] before = new int[MAX_COMPONENTS];

  private int components;

  /// Whether [#skipOf] is made.
  private boolean skips;

  /// Samples that a block becomes, across and down.
  private int edge;

  /// The coefficients of a block that are wanted at 4 or 2 eighths.
  private Corner corner = Corner.OF_4;

  /// MCUs of the region: first ones and last ones.
  private int row0;

  private int row1;
  private int column0;
  private int column1;

  private Planes planes = new Planes();

  /// @param budget for the planes
  public BaselineDecoder(MemoryBudget budget) {
    memory = new Block(budget);
  }

  /// {@return whether samples at a scale are others than libjpeg-turbo's}
  ///
  /// @param scale 8, 4, 2 or 1 eighths
  public static boolean differs(JpegScale scale) {
    return scale.eighths() == 4 || scale.eighths() == 2;
  }

  /// {@return whether it is faster than libjpeg-turbo now: where the JVM has vectors, and has
  ///     compiled them, which the first call makes it begin with}
  public static boolean pays() {
    if (!Idcts.vectors()) {
      return false;
    }
    if (!WARM.ready()) {
      WARM.start();
      return false;
    }
    return true;
  }

  /// Decodes the MCUs that show a region.
  ///
  /// @param jpeg one whole JPEG, off heap
  /// @param header as read from it
  /// @param tiles its table, or null to read it from the beginning
  /// @param part in pixels of the picture at `scale`; one pixel around it is decoded too
  /// @param scale 8, 4, 2 or 1 eighths
  /// @param planes tells where they are, in memory of this decoder
  /// @return whether it could be done
  /// @throws DecodeException if the budget does not allow it, or `tiles` are those of another JPEG
  public boolean decode(
      MemorySegment jpeg,
      JpegHeader header,
      @Nullable TileTable tiles,
      Region part,
      JpegScale scale,
      Planes planes)
      throws DecodeException {
    if (!tables.read(jpeg, header)) {
      return false;
    }
    components = tables.components();
    for (int i = 0; i < components; i++) {
      ScanBits.natural(tables.quantisation[i], factors[i]);
    }
    edge = scale.eighths();
    idct = edge == 8 || WARM.ready() ? fastest : plain;
    corner = edge == 2 ? Corner.OF_2 : Corner.OF_4;
    int trueWidth = tiles == null ? header.width() : tiles.width();
    if (edge < 8 && Math.max(trueWidth, header.height()) < 8) {
      return false; // libjpeg-turbo may take another scale that gives as many pixels
    }
    int mcuWidth = 8 * columns[0];
    int mcuHeight = 8 * rows[0];
    int across = Math.ceilDiv(header.width(), mcuWidth);
    int down = Math.ceilDiv(header.height(), mcuHeight);
    column0 = Math.max(0, part.left() - 1) / (edge * columns[0]);
    row0 = Math.max(0, part.top() - 1) / (edge * rows[0]);
    column1 = Math.min(across - 1, (part.left() + part.width()) / (edge * columns[0]));
    row1 = Math.min(down - 1, (part.top() + part.height()) / (edge * rows[0]));
    if (tiles != null && !matches(tiles, jpeg, across, down, mcuWidth, mcuHeight)) {
      return false;
    }
    Arrays.fill(coefficients, 0); // what a damaged block may have left
    // Tiles have only a few MCUs to skip: not worth tables of their own.
    skips = edge < 8 || (tiles == null && (row0 > 0 || column1 - column0 < across - 1));
    for (int i = 0; i < components && skips; i++) {
      skipOf[i] = acOf[i].skip();
      corner.pick(tables.quantisation[i], cornerFactors[i]);
    }
    this.planes = planes;
    int height = (row1 - row0 + 1) * rows[0] * edge;
    int width = (column1 - column0 + 1) * columns[0] * edge;
    planes.in(memory.ensure(planes.layOut(components, columns[0], rows[0], height, width)));
    planes.startAt(row0 * rows[0] * edge, column0 * columns[0] * edge);
    if (tiles != null) {
      return tiles(jpeg, tiles);
    }
    return scan(jpeg, tables.start(), across, down, header.restartInterval());
  }

  private static boolean matches(
      TileTable tiles, MemorySegment jpeg, int across, int down, int mcuWidth, int mcuHeight) {
    return tiles.across() * tiles.interval() == across
        && tiles.down() == down
        && tiles.mcuWidth() == mcuWidth
        && tiles.tileHeight() == mcuHeight
        && tiles.end() <= jpeg.byteSize();
  }

  /// Decodes from the beginning of the scan to the region's last MCU.
  private boolean scan(MemorySegment jpeg, long start, int across, int down, int interval) {
    scan.load(jpeg, start, jpeg.byteSize());
    restart();
    int restarts = 0;
    int left = interval;
    for (int row = 0; row <= row1; row++) {
      int end = row == row1 ? column1 : across - 1;
      for (int column = 0; column <= end; column++) {
        if (interval > 0 && left == 0) {
          if (!scan.resume(FIRST_RESTART + (restarts++ & 7))) {
            return false;
          }
          restart();
          left = interval;
        }
        left--;
        if (!scan.ready() || !mcu(row, column)) {
          return false;
        }
      }
    }
    boolean whole = row1 == down - 1 && column1 == across - 1;
    return whole ? scan.finished() : scan.ready();
  }

  /// Decodes the tiles that the region touches.
  private boolean tiles(MemorySegment jpeg, TileTable tiles) throws DecodeException {
    int interval = tiles.interval();
    for (int row = row0; row <= row1; row++) {
      for (int tile = column0 / interval; tile <= column1 / interval; tile++) {
        int number = row * tiles.across() + tile;
        int end = tiles.offset(number + 1) - 2;
        if (end < tiles.offset(number)) {
          return false;
        }
        tiles.requireMarker(number, u16(jpeg, end));
        scan.load(jpeg, tiles.offset(number), end);
        restart();
        int last = Math.min(column1, (tile + 1) * interval - 1);
        for (int column = tile * interval; column <= last; column++) {
          if (!scan.ready() || !mcu(row, column)) {
            return false;
          }
        }
        if (!(last == (tile + 1) * interval - 1 ? scan.finished() : scan.ready())) {
          return false;
        }
      }
    }
    return true;
  }

  private void restart() {
    for (int i = 0; i < components; i++) {
      before[i] = 0;
    }
  }

  private boolean mcu(int row, int column) {
    boolean shown = row >= row0 && column >= column0 && column <= column1;
    return shown ? decodeMcu(row - row0, column - column0) : skipMcu();
  }

  private boolean skipMcu() {
    for (int i = 0; i < components; i++) {
      int value = before[i];
      for (int block = columns[i] * rows[i]; block > 0; block--) {
        value = skips ? scan.skip(dcOf[i], acOf[i], skipOf[i], value) : dropBlock(i, value);
        if (value == ScanBits.BAD) {
          return false;
        }
      }
      before[i] = value;
    }
    return true;
  }

  /// Reads a block that nobody wants.
  ///
  /// @return its first value, or [ScanBits#BAD]
  private int dropBlock(int i, int dc) {
    int found = scan.block(dcOf[i], acOf[i], dc, coefficients);
    Arrays.fill(coefficients, 0, 64, 0);
    return found == ScanBits.BAD ? found : found >> 8;
  }

  private boolean decodeMcu(int row, int column) {
    MemorySegment to = planes.memory();
    for (int i = 0; i < components; i++) {
      int stride = planes.stride(i);
      long at =
          planes.start(i)
              + (long) row * rows[i] * edge * stride
              + (long) column * columns[i] * edge;
      for (int v = 0; v < rows[i]; v++) {
        for (int h = 0; h < columns[i]; h++) {
          long offset = at + (long) v * edge * stride + (long) h * edge;
          boolean done =
              switch (edge) {
                case 8 -> block(i, to, offset, stride);
                case 1 -> mean(i, to, offset);
                default -> corner(i, to, offset, stride);
              };
          if (!done) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean block(int i, MemorySegment to, long offset, int stride) {
    int found = scan.block(dcOf[i], acOf[i], before[i], coefficients);
    if (found == ScanBits.BAD) {
      return false;
    }
    int value = found >> 8;
    before[i] = value;
    return usual(value * factors[i][0])
        && idct.block(coefficients, factors[i], found & 255, to, offset, stride);
  }

  /// Makes 4 x 4 or 2 x 2 samples of a block.
  private boolean corner(int i, MemorySegment to, long offset, int stride) {
    int found = scan.corner(dcOf[i], acOf[i], skipOf[i], corner, before[i], coefficients);
    if (found == ScanBits.BAD) {
      return false;
    }
    int value = found >> 1;
    before[i] = value;
    boolean flat = (found & 1) == 0;
    idct.corner(coefficients, cornerFactors[i], flat, edge, to, offset, stride);
    return usual(value * factors[i][0]);
  }

  /// {@return whether pixels may have such a mean, times 8, quantisation included}
  public static boolean usual(int dc) {
    return dc <= MAX_MEAN && dc >= -MAX_MEAN;
  }

  /// Makes one sample of a block.
  private boolean mean(int i, MemorySegment to, long offset) {
    int value = scan.skip(dcOf[i], acOf[i], skipOf[i], before[i]);
    if (value == ScanBits.BAD) {
      return false;
    }
    before[i] = value;
    int scaled = value * factors[i][0];
    to.set(JAVA_BYTE, offset, (byte) Idct.sample(scaled));
    return usual(scaled);
  }

  @Override
  public void close() {
    memory.close();
  }
}
