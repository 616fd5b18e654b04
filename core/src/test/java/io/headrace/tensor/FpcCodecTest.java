package io.headrace.tensor;

class FpcCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return TensorCodec.Fpc.DEFAULT;
  }
}
