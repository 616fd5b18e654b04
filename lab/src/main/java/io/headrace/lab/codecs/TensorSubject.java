package io.headrace.lab.codecs;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.ElementType;
import io.headrace.tensor.TensorCodec;
import io.headrace.tensor.TensorDecoder;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Tensors of float32 and their codecs, a tensor a file.
final class TensorSubject implements Subject<TensorCodec> {
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

  private final List<FloatTensor> tensors;
  private final String content;
  private final TensorEncoder encoder = new TensorEncoder();
  private final TensorDecoder decoder = new TensorDecoder();
  private final Block decoded = new Block(MemoryBudget.unbounded());

  /// @param tensors at least one
  /// @param content what they are
  TensorSubject(List<FloatTensor> tensors, String content) {
    this.tensors = tensors;
    this.content = content;
  }

  @Override
  public List<Setting<TensorCodec>> settings(List<String> words) {
    List<Setting<TensorCodec>> usual =
        USUAL.stream().map(spec -> Setting.of(spec, TensorCodec::parse)).toList();
    return Setting.pick(usual, words, TensorCodec::parse);
  }

  @Override
  public int items() {
    return tensors.size();
  }

  @Override
  public String content() {
    return content;
  }

  @Override
  public String base() {
    return "the float32 values";
  }

  @Override
  public long baseBytes() {
    return plainBytes();
  }

  @Override
  public long plainBytes() {
    return tensors.stream().mapToLong(tensor -> tensor.values().byteSize()).sum();
  }

  @Override
  public MemorySegment stored(int item) {
    return tensors.get(item).values();
  }

  @Override
  public long encode(int item, TensorCodec encoding, Block out) throws DecodeException {
    FloatTensor tensor = tensors.get(item);
    return encoder.encode(tensor.values(), ElementType.FLOAT32, tensor.shape(), encoding, out);
  }

  @Override
  public void decode(int item, MemorySegment encoded, Setting<TensorCodec> setting)
      throws DecodeException {
    TensorInfo info = decoder.probe(encoded);
    decoder.decode(encoded, info, decoded.ensure(info.bytes()).asSlice(0, info.bytes()));
  }

  /// Compares all values; what blobs say about their errors is not believed.
  @Override
  public Quality compare(List<MemorySegment> encoded, Setting<TensorCodec> setting)
      throws DecodeException, IOException {
    TensorCodec codec = setting.encoding();
    double bound = codec == null ? 0 : codec.maxAbsoluteError();
    boolean equal = true;
    double most = 0;
    for (int i = 0; i < encoded.size(); i++) {
      MemorySegment values = tensors.get(i).values();
      decode(i, encoded.get(i), setting);
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
    encoder.close();
    decoder.close();
    decoded.close();
  }
}
