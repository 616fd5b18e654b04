package io.headrace.tensor;

class StoreCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Store();
  }
}
