package io.headrace.tensor;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.TensorCodec.Cheapest;
import io.headrace.tensor.payload.CsrPayload;
import io.headrace.tensor.payload.DataProfile;
import io.headrace.tensor.payload.WordLayout;
import io.headrace.tensor.payload.ZvcPayload;
import java.lang.foreign.MemorySegment;

/// Chooses a tensor's codec by measured sparsity and cost, as CSWAP does: the least T of
/// [Cheapest], on a tie the codec named first.
///
/// The encoded size comes from a sample of up to four slices of 32 KiB (tensors up to 128 KiB: all
/// of them): by arithmetic from the share of zeros and the run lengths for `store`, `zvc`, `rle`
/// and `csr`, by encoding the sample for the others.
final class CodecSelector implements AutoCloseable {
  private static final long SLICE = 32 << 10;
  private static final int SLICES = 4;

  private final PayloadSet payloads;
  private final Block sample;
  private final Block trial;

  /// @param payloads encodes samples; not closed here
  CodecSelector(PayloadSet payloads, MemoryBudget budget) {
    this.payloads = payloads;
    sample = new Block(budget);
    trial = new Block(budget);
  }

  /// {@return the codec, of those that take the type}
  TensorCodec choose(MemorySegment values, ElementType type, TensorShape shape, Cheapest request)
      throws DecodeException {
    int width = type.bytes();
    MemorySegment part = values;
    TensorShape partShape = shape;
    if (values.byteSize() > SLICES * SLICE) {
      long row = (long) shape.columns() * width;
      boolean rows = row <= SLICE;
      long bytes = rows ? SLICE / row * row : SLICE;
      part = slices(values, bytes, rows ? row : width);
      partShape =
          rows
              ? TensorShape.of((int) (part.byteSize() / row), shape.columns())
              : TensorShape.of((int) (part.byteSize() / width));
    }
    DataProfile profile = DataProfile.of(part, width);
    TensorCodec best = null;
    double least = Double.POSITIVE_INFINITY;
    for (TensorCodec codec : request.among()) {
      if (codec.takes(type)) {
        double scale = (double) values.byteSize() / part.byteSize();
        double stored = scale * estimate(codec, profile, part, partShape.layout(type));
        double seconds =
            request.costs().of(codec).seconds(values.byteSize(), stored, request.reads())
                + stored / request.bytesPerSecond();
        if (best == null || seconds < least) {
          least = seconds;
          best = codec;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no codec takes " + type);
    }
    return best;
  }

  private MemorySegment slices(MemorySegment values, long bytes, long unit) throws DecodeException {
    MemorySegment all = sample.ensure(SLICES * bytes).asSlice(0, SLICES * bytes);
    long last = (values.byteSize() - bytes) / unit;
    for (int i = 0; i < SLICES; i++) {
      long from = last * i / (SLICES - 1) * unit;
      MemorySegment.copy(values, from, all, i * bytes, bytes);
    }
    return all;
  }

  private double estimate(
      TensorCodec codec, DataProfile profile, MemorySegment part, WordLayout layout)
      throws DecodeException {
    long nonZero = Math.round(profile.words() * (1 - profile.zeroFraction()));
    return switch (codec) {
      case TensorCodec.Store _ -> part.byteSize();
      case TensorCodec.Zvc _ -> ZvcPayload.maskBytes(profile.words()) + nonZero * layout.width();
      case TensorCodec.Rle _ -> profile.runBytes();
      case TensorCodec.Csr _ -> CsrPayload.bytes(layout, nonZero);
      case TensorCodec.Lz4 _,
          TensorCodec.Shuffled _,
          TensorCodec.Fpc _,
          TensorCodec.Adaptive _,
          TensorCodec.Zfp _,
          Cheapest _ ->
          payloads.of(codec).encode(part, layout, trial, 0);
    };
  }

  @Override
  public void close() {
    sample.close();
    trial.close();
  }
}
