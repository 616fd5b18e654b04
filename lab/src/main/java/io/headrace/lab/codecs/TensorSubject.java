package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.tensor.ElementType;
import io.headrace.tensor.TensorCodec;
import io.headrace.tensor.TensorDecoder;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Tensors of float32 and their codecs, a tensor a file.
final class TensorSubject extends Subject<TensorCodec, FloatTensor> {
  private static final List<String> USUAL =
      List.of(
          "store",
          "zvc",
          "rle",
          "csr",
          "lz4",
          "lz4:level=9",
          "shuffle:level=1",
          "shuffle",
          "fpc",
          "adaptive:level=1",
          "adaptive",
          "zfp",
          "zfp:accuracy=0.001",
          "zfp:accuracy=0.01",
          "zfp:accuracy=0.1",
          "zfp:rate=8");

  private final TensorEncoder encoder = new TensorEncoder();
  private final TensorDecoder decoder = new TensorDecoder();

  /// @param tensors at least one
  /// @param content what they are
  TensorSubject(List<FloatTensor> tensors, String content) {
    super(tensors, content, "the float32 values");
  }

  @Override
  List<Setting<TensorCodec>> settings(List<String> words) {
    return Setting.pick(USUAL, words, TensorCodec::parse);
  }

  @Override
  long encode(FloatTensor tensor, TensorCodec encoding, Block out) throws DecodeException {
    return encoder.encode(tensor.plain(), ElementType.FLOAT32, tensor.shape(), encoding, out);
  }

  @Override
  void decode(FloatTensor tensor, MemorySegment encoded, Setting<TensorCodec> setting)
      throws DecodeException {
    TensorInfo info = decoder.probe(encoded);
    decoder.decode(encoded, info, decoded.ensure(info.bytes()).asSlice(0, info.bytes()));
  }

  /// Compares all values; what blobs say about their errors is not believed.
  @Override
  Quality compare(List<MemorySegment> encoded, Setting<TensorCodec> setting)
      throws DecodeException, IOException {
    TensorCodec codec = setting.encoding();
    double bound = codec == null ? 0 : codec.maxAbsoluteError();
    boolean equal = true;
    double most = 0;
    for (int i = 0; i < encoded.size(); i++) {
      MemorySegment values = items.get(i).plain();
      decode(items.get(i), encoded.get(i), setting);
      MemorySegment found = decoded.memory().asSlice(0, values.byteSize());
      equal &= found.mismatch(values) < 0;
      for (long k = 0; k < values.byteSize() / Float.BYTES && !equal; k++) {
        double a = values.getAtIndex(JAVA_FLOAT, k);
        most = Math.max(most, Math.abs(a - found.getAtIndex(JAVA_FLOAT, k)));
      }
    }
    if (!equal && bound == 0) {
      throw new IOException("%s gives other values".formatted(setting.name()));
    }
    return equal ? new Quality.Exact() : new Quality.Values(bound, most);
  }

  @Override
  public void close() {
    super.close();
    encoder.close();
    decoder.close();
  }
}
