package io.headrace.codec.learned.layer;

import io.headrace.error.DecodeException;
import java.util.stream.IntStream;

/// A convolution, one that is transposed, or one whose channels become pixels.
///
/// The last two make 2 × 2 pixels of one. Each of these four phases is a convolution of its own at
/// the size of the input, with the weights that fall on it.
public final class Convolution implements Layer {
  /// What makes the output pixels of one phase.
  private static final class Phase {
    private final int[] down;
    private final int[] right;
    private final float[] weights;
    private final float[] bias;

    /// @param down rows from an input pixel to that of each tap
    /// @param right columns to it
    /// @param weights [out / 4, taps, in, 4], of channels that a multiple of 4 lacks 0
    /// @param bias one number an output channel, filled up likewise
    Phase(int[] down, int[] right, float[] weights, float[] bias) {
      this.down = down;
      this.right = right;
      this.weights = weights;
      this.bias = bias;
    }
  }

  private final int in;
  private final int out;
  private final int kernel;
  private final int stride;
  private final int up;
  private final Phase[] phases;

  private Convolution(int in, int out, int kernel, int stride, int up) {
    this.in = in;
    this.out = out;
    this.kernel = kernel;
    this.stride = stride;
    this.up = up;
    phases = new Phase[up * up];
  }

  /// Where a weight lies in its tensor.
  private interface Place {
    int of(int out, int in, int y, int x);
  }

  /// A convolution with zeros around the input, half a kernel wide.
  ///
  /// @param weights [out, in, kernel, kernel]
  public static Convolution usual(
      float[] weights, float[] bias, int out, int in, int kernel, int stride) {
    var made = new Convolution(in, out, kernel, stride, 1);
    made.phase(0, down(kernel), right(kernel), weights, bias, 1, 0, place(in, kernel, kernel / 2));
    return made;
  }

  private static int[] down(int kernel) {
    return IntStream.range(0, kernel * kernel).map(i -> i / kernel - kernel / 2).toArray();
  }

  private static int[] right(int kernel) {
    return IntStream.range(0, kernel * kernel).map(i -> i % kernel - kernel / 2).toArray();
  }

  private static Place place(int in, int kernel, int middle) {
    return (o, i, y, x) -> ((o * in + i) * kernel + y + middle) * kernel + x + middle;
  }

  /// A convolution to four times the channels, which become 2 × 2 pixels.
  ///
  /// @param weights [4 · out, in, kernel, kernel]
  public static Convolution subpixel(float[] weights, float[] bias, int out, int in, int kernel) {
    var made = new Convolution(in, out, kernel, 1, 2);
    Place place = place(in, kernel, kernel / 2);
    for (int i = 0; i < 4; i++) {
      made.phase(i, down(kernel), right(kernel), weights, bias, 4, i, place);
    }
    return made;
  }

  /// A transposed convolution of stride 2, with as much cut off that the size doubles.
  ///
  /// @param weights [in, out, kernel, kernel]
  public static Convolution transposed(float[] weights, float[] bias, int out, int in, int kernel) {
    var made = new Convolution(in, out, kernel, 1, 2);
    for (int i = 0; i < 4; i++) {
      int a = i / 2 + kernel / 2; // the weight on the input's own row lies here
      int b = i % 2 + kernel / 2;
      int rows = (kernel - 1 - a % 2) / 2 + 1;
      int columns = (kernel - 1 - b % 2) / 2 + 1;
      int[] down = new int[rows * columns];
      int[] right = new int[rows * columns];
      for (int t = 0; t < down.length; t++) {
        down[t] = a / 2 - t / columns;
        right[t] = b / 2 - t % columns;
      }
      Place place = (o, c, y, x) -> ((c * out + o) * kernel + a - 2 * y) * kernel + b - 2 * x;
      made.phase(i, down, right, weights, bias, 1, 0, place);
    }
    return made;
  }

  /// @param step between the channels of the tensor that the phase has
  /// @param first of them
  private void phase(
      int number,
      int[] down,
      int[] right,
      float[] weights,
      float[] bias,
      int step,
      int first,
      Place place) {
    int blocks = Math.ceilDiv(out, Product.ROWS);
    var packed = new float[blocks * Product.ROWS * down.length * in];
    var biases = new float[blocks * Product.ROWS];
    for (int o = 0; o < out; o++) {
      int channel = step * o + first;
      biases[o] = bias[channel];
      int at = o / Product.ROWS * Product.ROWS * down.length * in + o % Product.ROWS;
      for (int t = 0; t < down.length; t++) {
        for (int c = 0; c < in; c++, at += Product.ROWS) {
          packed[at] = weights[place.of(channel, c, down[t], right[t])];
        }
      }
    }
    phases[number] = new Phase(down, right, packed, biases);
  }

  @Override
  public FeatureMap apply(FeatureMap map, Scratch scratch) throws DecodeException {
    Layer.require(map.channels == in, "a convolution of channels", in, map.channels);
    int rows = (map.height + kernel / 2 * 2 - kernel) / stride + 1;
    int columns = (map.width + kernel / 2 * 2 - kernel) / stride + 1;
    FeatureMap made = scratch.take(out, up * rows, up * columns);
    for (int i = 0; i < phases.length; i++) {
      int terms = phases[i].down.length * in;
      float[] panel = scratch.columns(terms);
      for (int at = 0; at < rows * columns; at += Product.COLUMNS) {
        int some = Math.min(Product.COLUMNS, rows * columns - at);
        gather(phases[i], map, at, some, columns, panel, scratch.sources);
        multiply(i, terms, panel, made, at, some, columns, scratch);
      }
    }
    return made;
  }

  /// Fills the columns of a product, each with what the taps see from one output pixel.
  private void gather(
      Phase phase, FeatureMap map, int first, int some, int width, float[] panel, int[] sources) {
    int y = first / width * stride;
    int x = first % width * stride;
    boolean oneRow = some == Product.COLUMNS && first % width + some <= width;
    int to = 0;
    for (int t = 0; t < phase.down.length; t++) {
      int row = y + phase.down[t];
      int left = x + phase.right[t];
      int last = left + (some - 1) * stride;
      if (oneRow && row >= 0 && row < map.height && left >= 0 && last < map.width) {
        int from = row * map.width + left;
        for (int c = 0; c < in; c++, from += map.area()) {
          if (stride == 1) {
            System.arraycopy(map.data, from, panel, to, Product.COLUMNS);
          } else {
            for (int j = 0; j < Product.COLUMNS; j++) {
              panel[to + j] = map.data[from + stride * j];
            }
          }
          to += Product.COLUMNS;
        }
      } else {
        seen(map, first, some, width, phase.down[t], phase.right[t], sources);
        for (int c = 0, from = 0; c < in; c++, from += map.area()) {
          for (int j = 0; j < Product.COLUMNS; j++) {
            panel[to++] = sources[j] < 0 ? 0 : map.data[from + sources[j]];
          }
        }
      }
    }
  }

  /// Says where in a channel a tap sees from each output pixel, or -1 if outside of it.
  private void seen(
      FeatureMap map, int first, int some, int width, int down, int right, int[] sources) {
    for (int j = 0; j < Product.COLUMNS; j++) {
      int y = (first + j) / width * stride + down;
      int x = (first + j) % width * stride + right;
      boolean inside = j < some && y >= 0 && y < map.height && x >= 0 && x < map.width;
      sources[j] = inside ? y * map.width + x : -1;
    }
  }

  private void multiply(
      int number,
      int terms,
      float[] panel,
      FeatureMap made,
      int first,
      int some,
      int width,
      Scratch scratch) {
    Phase phase = phases[number];
    float[] sums = scratch.sums;
    int[] targets = scratch.sources;
    for (int j = 0; j < some; j++) {
      int y = (first + j) / width * up + number / up;
      targets[j] = y * made.width + (first + j) % width * up + number % up;
    }
    for (int o = 0; o < out; o += Product.ROWS) {
      for (int j = 0; j < sums.length; j++) {
        sums[j] = phase.bias[o + j / Product.COLUMNS];
      }
      scratch.product().add(phase.weights, o * terms, panel, 0, terms, sums);
      int last = Math.min(Product.ROWS, out - o);
      for (int row = 0; row < last; row++) {
        int base = (o + row) * made.area();
        for (int j = 0; j < some; j++) {
          made.data[base + targets[j]] = sums[Product.COLUMNS * row + j];
        }
      }
    }
  }
}
