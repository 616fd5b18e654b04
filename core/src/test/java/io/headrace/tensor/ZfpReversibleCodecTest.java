package io.headrace.tensor;

class ZfpReversibleCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.ZfpReversible();
  }
}
