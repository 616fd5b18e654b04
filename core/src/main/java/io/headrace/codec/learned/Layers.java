package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.CdfTables;
import io.headrace.codec.learned.layer.Convolution;
import io.headrace.codec.learned.layer.Dense;
import io.headrace.codec.learned.layer.Layer;
import io.headrace.codec.learned.layer.Normalisation;
import io.headrace.error.ConfigException;
import io.headrace.weights.Safetensors;

/// Makes layers of a file's tensors, which have CompressAI's names. Their extents come from the
/// tensors.
final class Layers {
  private static final float SLOPE = 0.01f;

  private final Safetensors file;

  Layers(Safetensors file) {
    this.file = file;
  }

  /// {@return extents of a tensor}
  ///
  /// @throws ConfigException if it is missing, or has not so many
  int[] shape(String name, int extents) {
    long[] shape = file.shape(name);
    if (shape == null || shape.length != extents) {
      throw new ConfigException(
          "%s: tensor '%s' %s"
              .formatted(
                  file.name(),
                  name,
                  shape == null
                      ? "is missing"
                      : "has %d extents, expected %d".formatted(shape.length, extents)));
    }
    int[] found = new int[extents];
    for (int i = 0; i < extents; i++) {
      found[i] = Math.toIntExact(shape[i]);
    }
    return found;
  }

  /// {@return a tensor's elements}
  ///
  /// @throws ConfigException if it is missing, or has another number of elements
  float[] floats(String name, int count) {
    float[] floats;
    try {
      floats = file.floats(name);
    } catch (IllegalArgumentException e) { // missing, or of another type
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
    if (floats.length != count) {
      throw new ConfigException(
          "%s: tensor '%s' has %d elements, expected %d"
              .formatted(file.name(), name, floats.length, count));
    }
    return floats;
  }

  private static int product(int[] shape) {
    int product = 1;
    for (int extent : shape) {
      product = Math.multiplyExact(product, extent);
    }
    return product;
  }

  Convolution convolution(String name, int stride) {
    int[] shape = shape(name + ".weight", 4);
    return Convolution.usual(
        floats(name + ".weight", product(shape)),
        floats(name + ".bias", shape[0]),
        shape[0],
        shape[1],
        shape[2],
        stride);
  }

  Layer transposed(String name) {
    int[] shape = shape(name + ".weight", 4);
    return Convolution.transposed(
        floats(name + ".weight", product(shape)),
        floats(name + ".bias", shape[1]),
        shape[1],
        shape[0],
        shape[2]);
  }

  Layer subpixel(String name) {
    int[] shape = shape(name + ".0.weight", 4);
    return Convolution.subpixel(
        floats(name + ".0.weight", product(shape)),
        floats(name + ".0.bias", shape[0]),
        shape[0] / 4,
        shape[1],
        shape[2]);
  }

  Layer normalisation(String name, boolean inverse) {
    int channels = shape(name + ".beta", 1)[0];
    return Normalisation.of(
        floats(name + ".beta", channels), floats(name + ".gamma", channels * channels), inverse);
  }

  static Layer relu() {
    return Layer.rectifier(0);
  }

  static Layer leaky() {
    return Layer.rectifier(SLOPE);
  }

  Dense dense(String name) {
    int[] shape = shape(name + ".weight", 4);
    return new Dense(floats(name + ".weight", product(shape)), floats(name + ".bias", shape[0]));
  }

  /// Two convolutions beside none, each with a rectifier.
  Layer residual(String name) {
    return Layer.sum(
        Layer.chain(
            convolution(name + ".conv1", 1), leaky(), convolution(name + ".conv2", 1), leaky()),
        (in, scratch) -> in);
  }

  /// The same to half the size, with a normalisation.
  Layer residualDown(String name) {
    return Layer.sum(
        Layer.chain(
            convolution(name + ".conv1", 2),
            leaky(),
            convolution(name + ".conv2", 1),
            normalisation(name + ".gdn", false)),
        convolution(name + ".skip", 2));
  }

  /// The same to twice the size.
  Layer residualUp(String name) {
    return Layer.sum(
        Layer.chain(
            subpixel(name + ".subpel_conv"),
            leaky(),
            convolution(name + ".conv", 1),
            normalisation(name + ".igdn", true)),
        subpixel(name + ".upsample"));
  }

  Layer attention(String name) {
    Layer[] main = new Layer[3];
    Layer[] gate = new Layer[4];
    for (int i = 0; i < 3; i++) {
      main[i] = unit(name + ".conv_a." + i);
      gate[i] = unit(name + ".conv_b." + i);
    }
    gate[3] = convolution(name + ".conv_b.3", 1);
    return Layer.attention(Layer.chain(main), Layer.chain(gate));
  }

  private Layer unit(String name) {
    Layer main =
        Layer.chain(
            convolution(name + ".conv.0", 1),
            relu(),
            convolution(name + ".conv.2", 1),
            relu(),
            convolution(name + ".conv.4", 1));
    return Layer.chain(Layer.sum(main, (in, scratch) -> in), relu());
  }

  /// {@return the distributions of an entropy model}
  CdfTables tables(String name) {
    try {
      return new CdfTables(
          file.ints(name + "._quantized_cdf"),
          file.ints(name + "._cdf_length"),
          file.ints(name + "._offset"));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("%s: %s: %s".formatted(file.name(), name, e.getMessage()));
    }
  }

  Bottleneck bottleneck(String name) {
    CdfTables tables = tables(name);
    float[] quantiles = floats(name + ".quantiles", 3 * tables.size());
    var medians = new float[tables.size()];
    for (int i = 0; i < medians.length; i++) {
      medians[i] = quantiles[3 * i + 1];
    }
    return new Bottleneck(tables, medians);
  }

  /// {@return the Gaussian conditional, with CompressAI's usual tables where the file has none}
  Gaussian gaussian(String name) {
    if (file.shape(name + "._quantized_cdf") == null) {
      return new Layers(Models.resource("gaussian")).gaussian("gaussian_conditional");
    }
    CdfTables tables = tables(name);
    return new Gaussian(tables, floats(name + ".scale_table", tables.size()));
  }
}
