package io.headrace.pipeline.step;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import java.math.BigDecimal;

/// Words of the text forms of steps.
public final class StepText {
  /// The most rows or columns of an image.
  public static final int MAX_EXTENT = 32768;

  private StepText() {}

  /// {@return a number without an exponent and without zeros at the end}
  public static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  /// {@return a drawn number for people, to three places}
  public static String rounded(double value) {
    return number(Math.rint(1000 * value) / 1000);
  }

  /// {@return `EDGE` for squares, else `HEIGHTxWIDTH`}
  public static String size(int height, int width) {
    return height == width ? String.valueOf(height) : height + "x" + width;
  }

  /// {@return the next value; empty if there is none}
  public static String required(Spec spec) {
    String value = spec.next();
    return value == null ? "" : value;
  }

  /// {@return the height of a size}
  public static int height(Spec spec, String size) {
    int x = size.indexOf('x');
    return spec.number("height", x < 0 ? size : size.substring(0, x));
  }

  /// {@return the width of a size}
  public static int width(Spec spec, String size) {
    return spec.number("width", size.substring(size.indexOf('x') + 1));
  }

  /// Checks a number of rows or columns.
  ///
  /// @throws ConfigException if no image has so many
  public static void requireExtent(String step, int extent) {
    if (extent < 1 || extent > MAX_EXTENT) {
      throw new ConfigException(
          "%s: %d pixels, expected 1 to %d".formatted(step, extent, MAX_EXTENT));
    }
  }

  /// {@return the next value as a probability}
  ///
  /// @param otherwise if there is none
  public static double probability(Spec spec, double otherwise) {
    String probability = spec.next();
    return probability == null ? otherwise : spec.decimal("probability", probability);
  }

  /// Checks a probability.
  ///
  /// @throws ConfigException if it is none
  public static void requireProbability(String step, double probability) {
    if (!(0 <= probability && probability <= 1)) {
      throw new ConfigException("%s: probability %s, expected 0 to 1".formatted(step, probability));
    }
  }

  /// {@return a step without options}
  ///
  /// @throws ConfigException if there are any
  public static <T> T bare(Spec spec, T step) {
    if (!spec.isEmpty()) {
      throw spec.bad("takes no value");
    }
    return step;
  }
}
