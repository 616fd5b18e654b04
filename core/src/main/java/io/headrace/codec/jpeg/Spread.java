package io.headrace.codec.jpeg;

import java.util.List;
import java.util.stream.IntStream;

/// How far the DCT coefficients of each frequency spread over the blocks of some pictures, and the
/// quantisation tables that follow from it: the further they spread, the finer they are kept.
///
/// Source: Liu et al., "DeepN-JPEG: A Deep Neural Network Favorable JPEG-based Image Compression
/// Framework", DAC 2018. From the standard deviation σ the step is 255 − 9.75 σ up to a σ of 20, 80
/// − σ up to 60, 240 − 3 σ above, and at least 5. These are the constants of the paper; its
/// function jumps up at 60.
public final class Spread {
  private final long[] blocks = new long[2];
  private final long[][] sums = new long[2][JpegQuality.TABLE];
  private final long[][] squares = new long[2][JpegQuality.TABLE];

  /// Begins without a picture.
  public Spread() {}

  /// Adds blocks. Their order does not matter.
  ///
  /// @param table 0 for luminance, 1 for chrominance
  /// @param coefficients in steps of 1; 64 of each block, in natural order
  /// @param count of the coefficients
  public void add(int table, short[] coefficients, int count) {
    blocks[table] += count / JpegQuality.TABLE;
    for (int i = 0; i < count; i++) {
      int value = coefficients[i];
      sums[table][i % JpegQuality.TABLE] += value;
      squares[table][i % JpegQuality.TABLE] += (long) value * value;
    }
  }

  /// {@return the standard deviation at a frequency; 0 without blocks}
  ///
  /// @param table 0 for luminance, 1 for chrominance
  /// @param frequency in natural order, 0 to 63
  double deviation(int table, int frequency) {
    double n = Math.max(1, blocks[table]);
    double mean = sums[table][frequency] / n;
    return Math.sqrt(Math.max(0, squares[table][frequency] / n - mean * mean));
  }

  /// {@return the step of the paper for a standard deviation}
  static double step(double deviation) {
    double step =
        deviation <= 20
            ? 255 - 9.75 * deviation
            : deviation <= 60 ? 80 - deviation : 240 - 3 * deviation;
    return Math.max(5, step);
  }

  /// {@return the tables, all steps multiplied by `scale`}
  public QuantTables.Made tables(double scale) {
    return new QuantTables.Made(table(0, scale), table(1, scale));
  }

  private List<Integer> table(int table, double scale) {
    return IntStream.range(0, JpegQuality.TABLE)
        .mapToObj(i -> (int) Math.clamp(Math.rint(scale * step(deviation(table, i))), 1, 255))
        .toList();
  }
}
