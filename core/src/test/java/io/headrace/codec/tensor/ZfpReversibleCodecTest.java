package io.headrace.codec.tensor;

class ZfpReversibleCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.ZfpReversible();
  }
}
