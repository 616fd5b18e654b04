package io.headrace.pipeline.step;

import io.headrace.natives.WarmKernel;

/// The loops over pixels that colour steps spend their time in, in plain Java. `VectorColourRows`
/// has them with vectors and gives the same bits.
///
/// Rows are int [3, width], 0 to 255: all reds, all greens, all blues. Sources of the arithmetic:
/// `_rgb_to_grayscale_image`, `_blend`, `_rgb_to_hsv` and `_hsv_to_rgb` of torchvision's
/// `transforms/v2/functional/_color.py`, in float32 as there.
public class ColourRows {
  static final ColourRows PLAIN = new ColourRows();
  private static final WarmKernel WARM =
      new WarmKernel("colours", 200, () -> form(PLAIN), () -> form(Warm.VECTORS));

  /// What torchvision multiplies shares of white with to make them whole.
  static final float WHOLE = 256 - 1e-3f;

  ColourRows() {}

  /// Loaded only where there are vectors.
  private static final class Warm {
    static final ColourRows VECTORS = new VectorColourRows();
  }

  /// {@return the fastest loops of this JVM once they are warm; at first, plain ones}
  public static ColourRows fastest() {
    if (!WarmKernel.VECTORS) {
      return PLAIN;
    }
    if (WARM.ready()) {
      return Warm.VECTORS;
    }
    WARM.start();
    return PLAIN;
  }

  private static WarmKernel.Form form(ColourRows rows) {
    int width = 224;
    int[] row = new int[3 * width];
    byte[] bytes = new byte[3 * width];
    for (int i = 0; i < row.length; i++) {
      bytes[i] = (byte) (7 * i);
    }
    float[] spare = new float[3 * width];
    float[] padded = new float[width + 22];
    float[] weights = new float[12];
    float[] sums = new float[24 * width];
    return () -> {
      rows.across(padded, weights, 11, sums, 12 * width, width);
      rows.down(sums, 12, 24, width, weights, 11, row);
      rows.load(bytes, 0, row, 0, row.length);
      rows.saturate(row, width, 0.9f, 0.1f);
      rows.turn(row, width, 0.1f, spare);
      rows.store(row, 0, bytes, 0, row.length);
      long _ = rows.greys(bytes, width);
      rows.blend(bytes, bytes.length, 0.9f, 0.1f * 128);
      rows.grey(row, width);
      for (int i = 0; i < 8; i++) {
        bytes[31 * i] = (byte) (bytes[31 * i] + 31);
      }
    };
  }

  /// {@return the grey of a colour, truncated}
  public static int grey(int red, int green, int blue) {
    return (int) (0.2989f * red + 0.587f * green + 0.114f * blue);
  }

  /// Makes whole numbers of bytes.
  public void load(byte[] from, int at, int[] to, int start, int n) {
    for (int i = 0; i < n; i++) {
      to[start + i] = from[at + i] & 0xff;
    }
  }

  /// Makes bytes of whole numbers.
  public void store(int[] from, int start, byte[] to, int at, int n) {
    for (int i = 0; i < n; i++) {
      to[at + i] = (byte) from[start + i];
    }
  }

  /// Makes all three channels grey.
  public void grey(int[] rgb, int width) {
    greyFrom(0, rgb, width);
  }

  final void greyFrom(int begin, int[] rgb, int width) {
    for (int x = begin; x < width; x++) {
      int grey = grey(rgb[x], rgb[width + x], rgb[2 * width + x]);
      rgb[x] = grey;
      rgb[width + x] = grey;
      rgb[2 * width + x] = grey;
    }
  }

  /// Blends every pixel with its grey.
  ///
  /// @param factor of the pixel
  /// @param rest of the grey
  public void saturate(int[] rgb, int width, float factor, float rest) {
    saturateFrom(0, rgb, width, factor, rest);
  }

  final void saturateFrom(int begin, int[] rgb, int width, float factor, float rest) {
    for (int x = begin; x < width; x++) {
      int r = rgb[x];
      int g = rgb[width + x];
      int b = rgb[2 * width + x];
      float grey = rest * grey(r, g, b);
      rgb[x] = (int) Math.max(0f, Math.min(255f, r * factor + grey));
      rgb[width + x] = (int) Math.max(0f, Math.min(255f, g * factor + grey));
      rgb[2 * width + x] = (int) Math.max(0f, Math.min(255f, b * factor + grey));
    }
  }

  /// Turns the hue, by way of HSV.
  ///
  /// @param turn share of the circle, -0.5 to 0.5
  /// @param spare [3, width], with any content
  public void turn(int[] rgb, int width, float turn, float[] spare) {
    turnFrom(0, rgb, width, turn);
  }

  final void turnFrom(int begin, int[] rgb, int width, float turn) {
    for (int x = begin; x < width; x++) {
      turnPixel(rgb, x, width, turn);
    }
  }

  private static void turnPixel(int[] rgb, int x, int width, float turn) {
    float r = rgb[x] / 255f;
    float g = rgb[width + x] / 255f;
    float b = rgb[2 * width + x] / 255f;
    float most = Math.max(r, Math.max(g, b));
    float least = Math.min(r, Math.min(g, b));
    float range = most - least;
    if (range == 0) {
      return; // grey has no hue
    }
    float saturation = range / most;
    float hue;
    if (most == r) {
      hue = (g - b) / range;
    } else if (most == g) {
      hue = 2 + (b - r) / range;
    } else {
      hue = 4 + (r - g) / range;
    }
    float turned = hue / 6 + turn + 2; // above 0
    float sixth = (turned - (int) turned) * 6;
    int sector = (int) sixth;
    float f = sixth - sector;
    int high = whole(most);
    int low = whole(most * (1 - saturation));
    int falling = whole(most * (1 - saturation * f));
    int rising = whole(most * (1 - saturation * (1 - f)));
    rgb[x] = pick(sector, high, falling, low, low, rising, high);
    rgb[width + x] = pick(sector, rising, high, high, falling, low, low);
    rgb[2 * width + x] = pick(sector, low, low, rising, high, high, falling);
  }

  private static int pick(int sector, int a, int b, int c, int d, int e, int f) {
    return switch (sector) {
      case 0, 6 -> a;
      case 1 -> b;
      case 2 -> c;
      case 3 -> d;
      case 4 -> e;
      default -> f;
    };
  }

  /// {@return a share of white as torchvision makes it whole}
  private static int whole(float share) {
    return (int) Math.max(0f, Math.min(255f, share * WHOLE));
  }

  /// {@return the sum of all greys}
  ///
  /// @param pixels uint8 [3, area]
  public long greys(byte[] pixels, int area) {
    return greysFrom(0, pixels, area);
  }

  static long greysFrom(int begin, byte[] pixels, int area) {
    long sum = 0;
    for (int i = begin; i < area; i++) {
      sum += grey(pixels[i] & 0xff, pixels[area + i] & 0xff, pixels[2 * area + i] & 0xff);
    }
    return sum;
  }

  /// Multiplies bytes and adds to them.
  ///
  /// @param n how many, from the first
  public void blend(byte[] pixels, int n, float factor, float more) {
    blendFrom(0, pixels, n, factor, more);
  }

  static void blendFrom(int begin, byte[] pixels, int n, float factor, float more) {
    for (int i = begin; i < n; i++) {
      int value = pixels[i] & 0xff;
      pixels[i] = (byte) (int) Math.max(0f, Math.min(255f, value * factor + more));
    }
  }

  /// Blurs a row along itself.
  ///
  /// @param padded the row, with `radius` numbers before and after it
  /// @param weights by distance, from 0 to `radius`
  /// @param sums takes the row, from `at` on
  public void across(float[] padded, float[] weights, int radius, float[] sums, int at, int n) {
    acrossFrom(0, padded, weights, radius, sums, at, n);
  }

  static void acrossFrom(
      int begin, float[] padded, float[] weights, int radius, float[] sums, int at, int n) {
    for (int x = begin; x < n; x++) {
      sums[at + x] = weights[0] * padded[radius + x];
    }
    for (int t = 1; t <= radius; t++) {
      float weight = weights[t];
      int left = radius - t;
      int right = radius + t;
      for (int x = begin; x < n; x++) {
        sums[at + x] += weight * (padded[left + x] + padded[right + x]);
      }
    }
  }

  /// Blurs a row of a plane across the rows above and below it, and rounds. The plane is mirrored
  /// at its edges.
  ///
  /// @param sums float32 [height, width]
  /// @param y the row
  /// @param weights by distance, from 0 to `radius`, which is below the height
  /// @param to takes the row, 0 to 255
  public void down(
      float[] sums, int y, int height, int width, float[] weights, int radius, int[] to) {
    downFrom(0, sums, y, height, width, weights, radius, to);
  }

  static void downFrom(
      int begin,
      float[] sums,
      int y,
      int height,
      int width,
      float[] weights,
      int radius,
      int[] to) {
    for (int x = begin; x < width; x++) {
      float sum = weights[0] * sums[y * width + x];
      for (int t = 1; t <= radius; t++) {
        float both = sums[above(y, t) * width + x] + sums[below(y, t, height) * width + x];
        sum += weights[t] * both;
      }
      to[x] = (int) (sum + 0.5f);
    }
  }

  static int above(int y, int t) {
    return Math.abs(y - t);
  }

  static int below(int y, int t, int height) {
    return height - 1 - Math.abs(height - 1 - y - t);
  }
}
