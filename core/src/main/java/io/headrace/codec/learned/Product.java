package io.headrace.codec.learned;

import io.headrace.natives.WarmKernel;
import java.lang.reflect.Constructor;

/// Multiplies 4 rows of weights with 16 columns: the work of all layers.
///
/// Each sum is made in the order of its terms, each term added with one rounding, whichever form
/// computes it. So both give the same floats. The form with vectors takes over once it is warm.
abstract class Product {
  /// Rows that are multiplied at once.
  static final int ROWS = 4;

  /// Columns that are multiplied at once.
  static final int COLUMNS = 16;

  private static final WarmKernel WARM =
      new WarmKernel("product", 20, () -> form(new Plain()), () -> form(vector()));

  /// {@return the fastest form that is ready}
  static Product fastest() {
    if (!WarmKernel.VECTORS) {
      return new Plain();
    }
    WARM.start();
    return WARM.ready() ? vector() : new Plain();
  }

  /// {@return the form that needs the module, whose class must not be linked without it}
  static Product vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.learned.VectorProduct").getDeclaredConstructor();
      return (Product) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static WarmKernel.Form form(Product product) {
    int terms = 512;
    var weights = new float[ROWS * terms];
    var columns = new float[COLUMNS * terms];
    var sums = new float[ROWS * COLUMNS];
    return () -> product.add(weights, 0, columns, 0, terms, sums);
  }

  /// Adds to each of 4 × 16 sums its terms.
  ///
  /// @param weights [terms, 4], from `at` on
  /// @param columns [terms, 16], from `from` on
  /// @param sums [4, 16]
  abstract void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums);

  /// Runs everywhere.
  static final class Plain extends Product {
    @Override
    void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums) {
      for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < terms; i++) {
          float weight = weights[at + ROWS * i + row];
          int column = from + COLUMNS * i;
          for (int j = 0; j < COLUMNS; j++) {
            int sum = COLUMNS * row + j;
            sums[sum] = Math.fma(weight, columns[column + j], sums[sum]);
          }
        }
      }
    }
  }
}
