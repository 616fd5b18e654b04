package io.headrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import org.junit.jupiter.api.Test;

class ZfpAccuracyCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.ZfpAccuracy(0.01);
  }

  @Test
  void smoothFieldsShrinkAndStayWithinTheTolerance() throws DecodeException {
    for (ElementType type : new ElementType[] {ElementType.FLOAT32, ElementType.FLOAT64}) {
      var shape = TensorShape.of(64, 64);
      byte[] values = Tensors.smooth(type, shape);
      byte[] blob = encode(values, type, shape);
      assertThat(blob.length).isLessThan(values.length / 3);
      TensorInfo info = decoder.probe(Tensors.offHeap(arena, blob));
      assertThat(info.maxAbsoluteError()).isBetween(1e-6, 0.01);
    }
  }

  @Test
  void whatZfpCannotHoldComesBackBitForBit() throws DecodeException {
    var shape = TensorShape.of(33, 7);
    byte[] values = Tensors.odd(ElementType.FLOAT32, shape, 5);
    byte[] blob = encode(values, ElementType.FLOAT32, shape);
    assertThat(decoder.probe(Tensors.offHeap(arena, blob)).lossless()).isTrue();
    assertThat(decode(blob)).isEqualTo(values);
  }
}
