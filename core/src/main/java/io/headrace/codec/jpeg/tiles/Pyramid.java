package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Makes smaller tiled JPEGs of a picture, to be kept beside it: levels at 1/2, 1/4 and 1/8. A crop
/// that is shrunk anyway is then decoded from a level at a cost that does not depend on the
/// picture's size. One per worker.
///
/// A level's pixel is the mean of the 2 x 2, 4 x 4 or 8 x 8 pixels it stands for, fewer at the
/// right and lower edge. Levels are lossy copies; the picture stays for crops that need it.
public final class Pyramid implements AutoCloseable {
  /// All the levels there can be, the largest first.
  public static final List<JpegScale> LEVELS =
      List.of(JpegScale.HALF, JpegScale.QUARTER, JpegScale.EIGHTH);

  private final JpegEncoder encoder = new JpegEncoder();
  private final TiledTranscoder transcoder;
  private final Block small;
  private final Block jpeg;
  private byte[] row = new byte[0];
  private int[] sums = new int[0];

  /// @param budget for a level's pixels and its JPEG
  /// @throws ConfigException if libturbojpeg is missing
  public Pyramid(MemoryBudget budget) {
    transcoder = new TiledTranscoder(budget);
    small = new Block(budget);
    jpeg = new Block(budget);
  }

  /// Makes one level, in 4:2:0 with tiles of the default width.
  ///
  /// @param rgb uint8 [height, width, 3] of the picture, off heap, rows packed
  /// @param height rows of the picture, at least 1
  /// @param width columns of the picture, at least 1
  /// @param level its size: one of [#LEVELS], rounded up as [JpegScale#scaled] does
  /// @param quality 1 to 100 on the scale of the IJG
  /// @param out takes the JPEG at its start
  /// @param tiles becomes its table
  /// @return bytes of the JPEG
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it
  public long make(
      MemorySegment rgb,
      int height,
      int width,
      JpegScale level,
      int quality,
      Block out,
      TileTable tiles)
      throws DecodeException {
    if (!LEVELS.contains(level)) {
      throw new IllegalArgumentException("level of %d eighths".formatted(level.eighths()));
    }
    int h = level.scaled(height);
    int w = level.scaled(width);
    MemorySegment pixels = small.ensure(3L * h * w);
    shrink(rgb, height, width, 8 / level.eighths(), pixels);
    long bytes = encoder.encode(pixels, w, h, 3, quality, Subsampling.S420, jpeg);
    MemorySegment plain = jpeg.memory().asSlice(0, bytes);
    return transcoder.tile(plain, out, tiles);
  }

  /// Averages boxes of `side` x `side` pixels, rounded to nearest.
  private void shrink(MemorySegment rgb, int height, int width, int side, MemorySegment to) {
    int w = Math.ceilDiv(width, side);
    if (row.length < 3 * width) {
      row = new byte[3 * width];
      sums = new int[3 * width];
    }
    long out = 0;
    for (int top = 0; top < height; top += side) {
      int rows = Math.min(side, height - top);
      Arrays.fill(sums, 0, 3 * w, 0);
      for (int y = top; y < top + rows; y++) {
        MemorySegment.copy(rgb, JAVA_BYTE, 3L * y * width, row, 0, 3 * width);
        add(row, width, side, sums);
      }
      for (int x = 0; x < w; x++) {
        int count = rows * Math.min(side, width - x * side);
        for (int c = 0; c < 3; c++) {
          row[3 * x + c] = (byte) ((sums[3 * x + c] + count / 2) / count);
        }
      }
      MemorySegment.copy(row, 0, to, JAVA_BYTE, out, 3 * w);
      out += 3L * w;
    }
  }

  private static void add(byte[] row, int width, int side, int[] sums) {
    int out = 0;
    for (int left = 0; left < width; left += side) {
      int end = 3 * Math.min(width, left + side);
      int red = 0;
      int green = 0;
      int blue = 0;
      for (int i = 3 * left; i < end; i += 3) {
        red += row[i] & 0xff;
        green += row[i + 1] & 0xff;
        blue += row[i + 2] & 0xff;
      }
      sums[out++] += red;
      sums[out++] += green;
      sums[out++] += blue;
    }
  }

  @Override
  public void close() {
    encoder.close();
    transcoder.close();
    small.close();
    jpeg.close();
  }
}
