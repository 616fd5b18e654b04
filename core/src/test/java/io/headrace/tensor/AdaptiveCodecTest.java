package io.headrace.tensor;

import io.headrace.error.DecodeException;
import org.junit.jupiter.api.Test;

class AdaptiveCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return TensorCodec.Adaptive.DEFAULT;
  }

  @Test
  void severalChunksComeBack() throws DecodeException {
    var shape = TensorShape.of((1 << 18) / 512 + 3, 512);
    law(Tensors.smooth(ElementType.UINT8, shape), ElementType.UINT8, shape);
    law(Tensors.sparse(ElementType.INT16, shape, 0.5, 1), ElementType.INT16, shape);
  }
}
