package io.headrace.tensor;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.payload.Payload;
import java.lang.foreign.MemorySegment;

/// Encodes tensors into blobs that hold all a [TensorDecoder] needs. One per worker.
///
/// Equal values, options and libraries give equal blobs.
public final class TensorEncoder implements AutoCloseable {
  /// The most bytes of values a tensor may have: 1 GiB.
  public static final long MAX_BYTES = 1L << 30;

  private final PayloadSet payloads;
  private final CodecSelector selector;
  private final TensorBlob blob = new TensorBlob();

  /// An encoder without a bound on its own memory.
  public TensorEncoder() {
    this(MemoryBudget.unbounded());
  }

  /// @param budget bounds the encoder's own memory, about three times the largest tensor
  public TensorEncoder(MemoryBudget budget) {
    payloads = new PayloadSet(budget);
    selector = new CodecSelector(payloads, budget);
  }

  /// Encodes one tensor.
  ///
  /// @param values elements in row-major order, little-endian, off heap, exactly as many as `shape`
  ///     says
  /// @param type of the elements
  /// @param shape of the tensor, at most [#MAX_BYTES] in all
  /// @param codec how to encode it
  /// @param out takes the blob at its start
  /// @return bytes of the blob
  /// @throws ConfigException if the codec cannot hold such elements, or its library is missing
  /// @throws DecodeException with [Fault#LIMIT] if a memory budget does not allow it,
  ///     [Fault#UNSUPPORTED] if the codec cannot hold these values
  public long encode(
      MemorySegment values, ElementType type, TensorShape shape, TensorCodec codec, Block out)
      throws DecodeException {
    if (shape.elements() > MAX_BYTES / type.bytes()) {
      throw new ConfigException(
          "tensor %s of %s: at most %d bytes".formatted(shape, type.label(), MAX_BYTES));
    }
    if (values.byteSize() != shape.elements() * type.bytes()) {
      throw new IllegalArgumentException(
          "tensor %s of %s takes %d bytes, the segment has %d"
              .formatted(shape, type.label(), shape.elements() * type.bytes(), values.byteSize()));
    }
    if (!codec.takes(type)) {
      throw new ConfigException(
          "tensor codec %s cannot hold %s".formatted(codec.label(), type.label()));
    }
    TensorCodec chosen = choose(values, type, shape, codec);
    long header = TensorBlob.headerBytes(shape);
    out.ensure(header + TensorBlob.CRC);
    long bytes = 0;
    double error = 0;
    if (shape.elements() > 0) {
      Payload payload = payloads.of(chosen);
      bytes = payload.encode(values, shape.layout(type), out, header);
      error = payload.error();
    }
    MemorySegment to = out.ensureKeeping(header + bytes + TensorBlob.CRC);
    return blob.seal(to, chosen, type, shape, error, bytes);
  }

  /// {@return the codec that [#encode] takes: `codec` itself, or what a [TensorCodec.Cheapest]
  ///     comes to for these values}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow to find out
  public TensorCodec choose(
      MemorySegment values, ElementType type, TensorShape shape, TensorCodec codec)
      throws DecodeException {
    if (!(codec instanceof TensorCodec.Cheapest cheapest)) {
      return codec;
    }
    return shape.elements() == 0
        ? new TensorCodec.Store()
        : selector.choose(values, type, shape, cheapest);
  }

  @Override
  public void close() {
    selector.close();
    payloads.close();
  }
}
