package io.headrace.tensor;

class CheapestCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Cheapest(1e8);
  }
}
