package io.headrace.tensor;

class RleCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Rle();
  }
}
