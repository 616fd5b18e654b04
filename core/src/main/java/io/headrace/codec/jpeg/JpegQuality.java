package io.headrace.codec.jpeg;

import java.util.List;
import java.util.stream.IntStream;

/// Guesses the IJG quality that quantisation tables were scaled with, exactly as ImageMagick's
/// `%Q` does (`JPEGSetImageQuality` in coders/jpeg.c). Its arrays are computed here from the
/// tables of ITU-T T.81, annex K, instead of being listed.
final class JpegQuality {
  /// Entries of one table.
  static final int TABLE = 64;

  /// Table K.1, luminance, in natural (row) order.
  private static final int[] LUMA = {
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, //
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, //
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, //
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99
  };

  /// Table K.2, chrominance, in natural order.
  private static final int[] CHROMA = {
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, //
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99, //
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, //
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99
  };

  private static final int[] HASH_1 = new int[101];
  private static final int[] HASH_2 = new int[101];
  private static final int[] SUM_1 = new int[101];
  private static final int[] SUM_2 = new int[101];

  static {
    for (int q = 1; q <= 100; q++) {
      for (int i = 0; i < TABLE; i++) {
        SUM_1[q] += scaled(LUMA, q, i);
        SUM_2[q] += scaled(LUMA, q, i) + scaled(CHROMA, q, i);
      }
      HASH_1[q] = scaled(LUMA, q, 2) + scaled(LUMA, q, 53);
      HASH_2[q] = HASH_1[q] + scaled(CHROMA, q, 0) + scaled(CHROMA, q, 63);
    }
  }

  private JpegQuality() {}

  /// {@return table K.1 scaled to a quality, 1 to 100, in natural order}
  static List<Integer> luminance(int quality) {
    return IntStream.range(0, TABLE).mapToObj(i -> scaled(LUMA, quality, i)).toList();
  }

  /// {@return table K.2 scaled likewise}
  static List<Integer> chrominance(int quality) {
    return IntStream.range(0, TABLE).mapToObj(i -> scaled(CHROMA, quality, i)).toList();
  }

  private static int scaled(int[] base, int quality, int i) {
    int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    return Math.clamp((base[i] * scale + 50) / 100, 1, 255);
  }

  /// {@return the estimate, 1 to 100, or 0 where ImageMagick has none}
  ///
  /// @param tables up to four tables of 64 entries, one after the other, in natural order
  /// @param defined bit i is set where table i is in the file
  static int estimate(int[] tables, int defined) {
    if ((defined & 1) == 0) {
      return 0;
    }
    int sum = 0;
    for (int i = 0; i < tables.length; i++) {
      sum += ((defined >> (i / TABLE)) & 1) * tables[i];
    }
    int value = tables[2] + tables[53];
    if ((defined & 2) == 0) {
      return search(HASH_1, SUM_1, value, sum);
    }
    return search(HASH_2, SUM_2, value + tables[TABLE] + tables[TABLE + 63], sum);
  }

  private static int search(int[] hash, int[] sums, int value, int sum) {
    for (int q = 1; q <= 100; q++) {
      if (value < hash[q] && sum < sums[q]) {
        continue;
      }
      return (value <= hash[q] && sum <= sums[q]) || q - 1 >= 50 ? q : 0;
    }
    return 0;
  }
}
