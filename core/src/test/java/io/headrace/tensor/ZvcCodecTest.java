package io.headrace.tensor;

class ZvcCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Zvc();
  }
}
