package io.headrace.codec.learned.entropy;

import java.util.Arrays;

/// Cumulative frequencies of symbols under several distributions, in 65,536ths.
///
/// The last symbol of each is the escape: it says that a value outside the table follows.
/// Immutable.
public final class CdfTables {
  /// Bits of a frequency.
  static final int PRECISION = 16;

  private static final int ONE = 1 << PRECISION;

  private final int[] cdf;
  private final int[] starts;
  private final int[] lengths;
  private final int[] offsets;

  /// @param cdf a row for each distribution: 0, then rising to 65,536 at its length; rows are
  ///     packed, or all of one length and filled up
  /// @param lengths numbers that count in each row: symbols, the escape included, and one more
  /// @param offsets the value of each distribution's first symbol
  /// @throws IllegalArgumentException if a row does not rise from 0 to 65,536
  public CdfTables(int[] cdf, int[] lengths, int[] offsets) {
    int rows = lengths.length;
    boolean packed = Arrays.stream(lengths).asLongStream().sum() == cdf.length;
    if (rows == 0 || offsets.length != rows || (!packed && cdf.length % rows > 0)) {
      throw new IllegalArgumentException(
          "%d frequencies, %d lengths, %d offsets".formatted(cdf.length, rows, offsets.length));
    }
    starts = new int[rows];
    for (int row = 0, at = 0; row < rows; row++) {
      starts[row] = at;
      int room = packed ? cdf.length - at : cdf.length / rows;
      boolean rises = lengths[row] >= 2 && lengths[row] <= room && cdf[at] == 0;
      for (int i = 1; rises && i < lengths[row]; i++) {
        rises = cdf[at + i] > cdf[at + i - 1];
      }
      if (!rises || cdf[at + lengths[row] - 1] != ONE) {
        throw new IllegalArgumentException(
            "distribution %d does not rise from 0 to %d".formatted(row, ONE));
      }
      at += packed ? lengths[row] : room;
    }
    this.cdf = cdf;
    this.lengths = lengths;
    this.offsets = offsets;
  }

  /// {@return distributions}
  public int size() {
    return lengths.length;
  }

  public int offset(int row) {
    return offsets[row];
  }

  /// {@return the number of the escape, which is that of symbols with a frequency of their own}
  int escape(int row) {
    return lengths[row] - 2;
  }

  /// {@return where a symbol's share of the 65,536ths starts}
  int start(int row, int symbol) {
    return cdf[starts[row] + symbol];
  }

  /// {@return 65,536ths of a symbol}
  int frequency(int row, int symbol) {
    int at = starts[row] + symbol;
    return cdf[at + 1] - cdf[at];
  }

  /// {@return the symbol whose share holds a number below 65,536}
  int symbol(int row, int number) {
    int low = starts[row];
    int high = low + lengths[row] - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (cdf[middle] <= number) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low - starts[row];
  }

  /// {@return probabilities as cumulative frequencies: 0, then rising to 65,536; none is without}
  ///
  /// As CompressAI's `pmf_to_quantized_cdf`: rounded to 65,536ths, brought to a sum of 65,536,
  /// rounded down; the last takes the rest. A symbol without a frequency takes 1 from the rarest
  /// symbol that has more, the first of these.
  ///
  /// @param pmf at most 65,536 probabilities, the escape's last; they need not add up to 1
  public static int[] quantize(float[] pmf) {
    var cdf = new int[pmf.length + 1];
    long total = 0;
    for (int i = 0; i < pmf.length; i++) {
      cdf[i + 1] = (int) Math.floor((double) (pmf[i] * ONE) + 0.5);
      total += cdf[i + 1];
    }
    if (total <= 0 || pmf.length > ONE) {
      throw new IllegalArgumentException(
          "%d probabilities with a sum of %d".formatted(pmf.length, total));
    }
    for (int i = 1; i < cdf.length; i++) {
      cdf[i] = cdf[i - 1] + (int) (((long) cdf[i] << PRECISION) / total);
    }
    cdf[pmf.length] = ONE;
    for (int i = 0; i < pmf.length; i++) {
      if (cdf[i] == cdf[i + 1]) {
        give(cdf, i);
      }
    }
    return cdf;
  }

  private static void give(int[] cdf, int poor) {
    int least = Integer.MAX_VALUE;
    int rich = -1;
    for (int j = 0; j < cdf.length - 1; j++) {
      int frequency = cdf[j + 1] - cdf[j];
      if (frequency > 1 && frequency < least) {
        least = frequency;
        rich = j;
      }
    }
    for (int j = rich + 1; j <= poor; j++) {
      cdf[j]--;
    }
    for (int j = poor + 1; j <= rich; j++) {
      cdf[j]++;
    }
  }
}
