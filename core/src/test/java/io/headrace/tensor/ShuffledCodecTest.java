package io.headrace.tensor;

class ShuffledCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return TensorCodec.Shuffled.DEFAULT;
  }
}
