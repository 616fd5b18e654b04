package io.headrace.codec.tensor;

class ShuffledCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return TensorCodec.Shuffled.DEFAULT;
  }
}
