package io.headrace.tensor;

class Lz4CodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return TensorCodec.Lz4.DEFAULT;
  }
}
