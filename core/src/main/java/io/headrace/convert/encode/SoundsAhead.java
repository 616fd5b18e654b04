package io.headrace.convert.encode;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.plain.RawCodec;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.DecodeException;
import io.headrace.format.Parts;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.DoneTensors;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SoundProcessor;
import io.headrace.pipeline.sound.Sound;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioFormat;
import io.headrace.sound.SampleType;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorShape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Does the first steps of a pipeline on sound, and stores what is there then: samples as WAV of
/// 32-bit floating-point numbers, which keeps them as they are; a spectrogram as a serialised
/// `tensorflow.TensorProto` or under a tensor codec. One per worker thread.
final class SoundsAhead implements AutoCloseable {
  private static final AudioEncoding WAV = new AudioEncoding.Wav(32, true);

  private final SoundProcessor processor;
  private final DType dtype;
  private final TensorEncoder tensors;
  private final Block values;
  private final Block encoded;
  private @Nullable AudioEncoder encoder;

  /// @param steps of which those that the source has done are marked as done
  SoundsAhead(Pipeline steps, MemoryBudget budget) {
    processor = new SoundProcessor(steps, budget);
    dtype = steps.dtype();
    tensors = new TensorEncoder(budget);
    values = new Block(budget);
    encoded = new Block(budget);
  }

  /// {@return what became of one sample}
  Stored run(Sample sample, TargetEncoding wanted) throws DecodeException {
    Sound sound = processor.process(sample.encoded());
    if (sound.height() == 0) {
      return samples(sound);
    }
    boolean heightFirst = sound.heightFirst();
    int columns = Math.toIntExact(sound.frames());
    int height = heightFirst ? sound.height() : columns;
    int width = heightFirst ? columns : sound.height();
    long bytes = (long) height * width * dtype.bytes();
    MemorySegment slot = values.ensure(bytes).asSlice(0, bytes);
    processor.put(slot);
    if (wanted instanceof TargetEncoding.Tensor(var codec)) {
      long length =
          tensors.encode(
              slot, DoneTensors.elementType(dtype), TensorShape.of(height, width), codec, encoded);
      return raw(encoded.memory().asSlice(0, length), width, height);
    }
    MemorySegment to = encoded.ensure(RawCodec.MAX_HEAD + bytes);
    long head = RawCodec.writeHead(dtype, height, width, to);
    MemorySegment.copy(slot, 0, to, head, bytes);
    return raw(to.asSlice(0, head + bytes), width, height);
  }

  private static Stored raw(MemorySegment bytes, int width, int height) {
    return new Stored(bytes, ImageFormat.RAW.label(), width, height, 1, Parts.WHOLE);
  }

  private Stored samples(Sound sound) throws DecodeException {
    AudioEncoder writer = encoder;
    if (writer == null) {
      writer = new AudioEncoder();
      encoder = writer;
    }
    long bytes =
        writer.encode(
            sound.values(),
            SampleType.FLOAT32,
            sound.frames(),
            sound.channels(),
            sound.rate(),
            WAV,
            encoded);
    MemorySegment wav = encoded.memory().asSlice(0, bytes);
    return Stored.sound(wav, AudioFormat.WAV, sound.rate(), sound.frames(), sound.channels());
  }

  @Override
  public void close() {
    processor.close();
    tensors.close();
    values.close();
    encoded.close();
    if (encoder != null) {
      encoder.close();
    }
  }
}
