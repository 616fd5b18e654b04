package io.headrace.convert.encode;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageSize;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.plain.RawCodec;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.DecodeException;
import io.headrace.format.Parts;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.TensorSpec;
import io.headrace.pipeline.DoneTensors;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.tensor.TensorCodec;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorShape;
import java.lang.foreign.MemorySegment;

/// Does the first steps of a pipeline, and stores what is there then: a picture in an image
/// encoding, a picture or tensor as a serialised `tensorflow.TensorProto`, as
/// `tf.io.serialize_tensor` writes it, or under a tensor codec. Pixels are those of
/// [io.headrace.pipeline.Decoding#WHOLE]. One per worker thread.
final class StepsAhead implements AutoCloseable {
  private final Pipeline steps;
  private final SampleProcessor processor;
  private final TensorEncoder tensors;
  private final ImageEncoder images = new ImageEncoder();
  private final Block values;
  private final Block encoded;
  private MemorySegment slot = MemorySegment.NULL;

  /// @param steps of which those that the source has done are marked as done
  StepsAhead(Pipeline steps, boolean applyOrientation, MemoryBudget budget) {
    this.steps = steps;
    var options = new SampleProcessor.Options(false, false, applyOrientation);
    processor = new SampleProcessor(steps, budget, options);
    tensors = new TensorEncoder(budget);
    values = new Block(budget);
    encoded = new Block(budget);
  }

  /// {@return what became of one sample}
  Stored run(Sample sample, TargetEncoding wanted) throws DecodeException {
    ImageSize size = processor.sizeOf(sample.encoded(), sample.tiles());
    TensorSpec spec = steps.outputSpecOf(size);
    slot = values.ensure(spec.bytes()).asSlice(0, spec.bytes());
    processor.process(sample, 0, 0, slot);
    return switch (wanted) {
      case TargetEncoding.Tensor(var codec) -> stored(tensor(spec, codec), ImageFormat.RAW, size);
      case TargetEncoding.Encode(var encoding) when steps.givesPicture() -> {
        long bytes = images.encode(slot, size.width(), size.height(), 3, encoding, encoded);
        yield stored(encoded.memory().asSlice(0, bytes), encoding.format(), size);
      }
      default -> stored(raw(spec), ImageFormat.RAW, size);
    };
  }

  private static Stored stored(MemorySegment bytes, ImageFormat format, ImageSize size) {
    return Stored.image(bytes, format, size, 3, Parts.WHOLE);
  }

  private MemorySegment tensor(TensorSpec spec, TensorCodec codec) throws DecodeException {
    int[] sizes = spec.shape().stream().mapToInt(Integer::intValue).toArray();
    long bytes =
        tensors.encode(
            slot, DoneTensors.elementType(spec.dtype()), TensorShape.of(sizes), codec, encoded);
    return encoded.memory().asSlice(0, bytes);
  }

  private MemorySegment raw(TensorSpec spec) throws DecodeException {
    MemorySegment to = encoded.ensure(RawCodec.MAX_HEAD + slot.byteSize());
    DType dtype = spec.dtype();
    long head =
        RawCodec.writeHead(
            dtype, spec.shape().get(0), spec.shape().get(1), spec.shape().get(2), to);
    MemorySegment.copy(slot, 0, to, head, slot.byteSize());
    return to.asSlice(0, head + slot.byteSize());
  }

  /// {@return what the steps gave, not encoded; uint8 [height, width, 3] of a picture}
  MemorySegment given() {
    return slot;
  }

  @Override
  public void close() {
    processor.close();
    tensors.close();
    images.close();
    values.close();
    encoded.close();
  }
}
