package io.headrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import org.junit.jupiter.api.Test;

class ZfpRateCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.ZfpRate(8);
  }

  @Override
  boolean takesOdd() {
    return false;
  }

  @Test
  void theRateIsTheSize() throws DecodeException {
    var shape = TensorShape.of(64, 64);
    byte[] blob = encode(Tensors.smooth(ElementType.FLOAT32, shape), ElementType.FLOAT32, shape);
    assertThat(blob.length).isBetween(64 * 64, 64 * 64 + 80);
  }

  @Test
  void notANumberHasNoRate() {
    var shape = TensorShape.of(1);
    byte[] nan = Tensors.constant(ElementType.FLOAT32, shape, Double.NaN);
    assertThatThrownBy(() -> encode(nan, ElementType.FLOAT32, shape))
        .extracting(e -> ((DecodeException) e).fault())
        .isEqualTo(Fault.UNSUPPORTED);
  }
}
