package io.headrace.tensor;

class CsrCodecTest extends TensorCodecContract {
  @Override
  TensorCodec codec() {
    return new TensorCodec.Csr();
  }
}
