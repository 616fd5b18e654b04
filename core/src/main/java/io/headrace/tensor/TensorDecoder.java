package io.headrace.tensor;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Decodes what a [TensorEncoder] wrote. One per worker.
public final class TensorDecoder implements AutoCloseable {
  private final PayloadSet payloads;
  private final long maxBytes;
  private final TensorBlob frame = new TensorBlob();

  /// A decoder of tensors up to [TensorEncoder#MAX_BYTES].
  public TensorDecoder() {
    this(MemoryBudget.unbounded(), TensorEncoder.MAX_BYTES);
  }

  /// @param budget bounds the decoder's own memory, at most about twice the values of a tensor
  /// @param maxBytes of values that a tensor may have
  public TensorDecoder(MemoryBudget budget, long maxBytes) {
    payloads = new PayloadSet(budget);
    this.maxBytes = Math.min(maxBytes, TensorEncoder.MAX_BYTES);
  }

  /// Reads the header; the checksum is left to [#decode].
  ///
  /// @param blob one whole blob
  /// @throws DecodeException with [Fault#MISMATCH] if it is none, [Fault#TRUNCATED] if it is cut,
  ///     [Fault#CORRUPT] if its fields cannot be, [Fault#UNSUPPORTED] for a codec or type of a
  ///     later version, [Fault#LIMIT] if there are too many values
  public TensorInfo probe(MemorySegment blob) throws DecodeException {
    TensorInfo info = TensorBlob.info(blob);
    if (info.bytes() > maxBytes) {
      throw new DecodeException(
          Fault.LIMIT,
          "tensor %s of %s takes %d bytes, over the limit of %d"
              .formatted(info.shape(), info.type().label(), info.bytes(), maxBytes));
    }
    return info;
  }

  /// Decodes one tensor.
  ///
  /// @param blob one whole blob, off heap
  /// @param info as [#probe] reported it
  /// @param values takes the elements in row-major order, little-endian, off heap, at least
  ///     [TensorInfo#bytes]
  /// @throws DecodeException as [#probe] does, with [Fault#CORRUPT] if the checksum is wrong, with
  ///     [Fault#MISMATCH] if the blob is not as announced; `values` is then undefined
  /// @throws io.headrace.error.ConfigException if the codec's library is missing
  public void decode(MemorySegment blob, TensorInfo info, MemorySegment values)
      throws DecodeException {
    if (values.byteSize() < info.bytes()) {
      throw new IllegalArgumentException(
          "values take %d bytes, the segment has %d".formatted(info.bytes(), values.byteSize()));
    }
    TensorInfo found = probe(blob);
    if (!found.equals(info)) {
      throw new DecodeException(
          Fault.MISMATCH, "tensor: blob holds %s, announced was %s".formatted(found, info));
    }
    MemorySegment payload = frame.open(blob, found.shape());
    if (found.shape().elements() == 0) {
      if (payload.byteSize() != 0) {
        throw new DecodeException(Fault.CORRUPT, "tensor: a payload, but no values");
      }
      return;
    }
    payloads
        .of(TensorBlob.codec(blob))
        .decode(payload, found.shape().layout(found.type()), values.asSlice(0, found.bytes()));
  }

  @Override
  public void close() {
    payloads.close();
  }
}
