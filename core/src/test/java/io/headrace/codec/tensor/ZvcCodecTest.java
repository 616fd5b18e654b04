package io.headrace.codec.tensor;

class ZvcCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Zvc();
  }
}
