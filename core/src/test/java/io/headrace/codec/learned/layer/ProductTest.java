package io.headrace.codec.learned.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Both forms of the product.
final class ProductTest {
  /// Law: a sum is the same float whichever form makes it.
  @Test
  void vectorsMakeTheSameSums() {
    var random = new Random(3);
    var weights = new float[Product.ROWS * 77];
    var columns = new float[Product.COLUMNS * 77];
    var plain = new float[Product.ROWS * Product.COLUMNS];
    for (float[] floats : new float[][] {weights, columns, plain}) {
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) random.nextGaussian();
      }
    }
    float[] vectors = plain.clone();
    new PlainProduct().add(weights, 0, columns, 0, 77, plain);
    Scratch.vector().add(weights, 0, columns, 0, 77, vectors);
    assertThat(vectors).isEqualTo(plain);
  }
}
