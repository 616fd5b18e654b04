package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.DType;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.sound.Excerpt;
import io.headrace.pipeline.sound.Sound;
import io.headrace.pipeline.sound.SoundEffect;
import io.headrace.pipeline.sound.SoundShape;
import io.headrace.random.CounterRandom;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns encoded sounds into samples of a batch: [channels, frames], or a spectrogram. One per
/// worker; the sibling of [SampleProcessor].
///
/// Values depend only on the encoded bytes, the steps and the place (seed, epoch, sample id). One
/// thread at a time may use it; any thread may close it when none uses it.
public final class SoundProcessor implements AutoCloseable {
  private final List<SoundEffect.Work> works;
  private final DType dtype;

  /// What the steps done ahead give.
  private final SoundShape shape;

  private final @Nullable DoneTensors spectrograms;
  /// Null where all of every sound is needed, or it is stored as tensors.
  private final @Nullable Excerpt excerpt;

  private final AudioDecoder decoder = new AudioDecoder();
  private final Sound sound;
  private final CounterRandom random = new CounterRandom();
  private long decodeNanos;
  private long transformNanos;

  /// A processor without memory yet.
  ///
  /// @param pipeline whose input is sound
  /// @param budget for the decoded sound and what lies between steps; not for the slot
  public SoundProcessor(Pipeline pipeline, MemoryBudget budget) {
    dtype = pipeline.dtype();
    Pipeline ahead = pipeline.ahead();
    shape = ahead.soundShape();
    spectrograms = ahead.givesSpectrogram() ? new DoneTensors(pipeline, budget) : null;
    works = pipeline.soundEffects().stream().map(SoundEffect::work).toList();
    excerpt = spectrograms == null ? Excerpt.of(pipeline.soundEffects()) : null;
    sound = new Sound(budget);
  }

  /// Decodes and transforms one sound.
  ///
  /// @param encoded one whole sound, off heap
  /// @param seed of the run
  /// @param epoch from 0
  /// @param sampleId the sample's own number, whatever its position
  /// @param slot the sample, exactly as large as the pipeline says
  /// @throws DecodeException if the sound is damaged, of an unknown kind, too large for the memory
  ///     budget, or the steps make another size of it; the content of `slot` is then undefined
  public void process(
      MemorySegment encoded, long seed, long epoch, long sampleId, MemorySegment slot)
      throws DecodeException {
    run(encoded, seed, epoch, sampleId, dtype == DType.FLOAT32 ? slot : MemorySegment.NULL);
    long start = System.nanoTime();
    put(slot);
    transformNanos += System.nanoTime() - start;
  }

  /// Puts the sound processed last into a slot: as [#process] does.
  ///
  /// @throws DecodeException if it has another size
  public void put(MemorySegment slot) throws DecodeException {
    long bytes = sound.values().byteSize() / Float.BYTES * dtype.bytes();
    if (bytes != slot.byteSize()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "becomes %s, which is no sample of %d bytes".formatted(sound.words(), slot.byteSize()));
    }
    store(slot);
  }

  /// Decodes and transforms one sound, of whatever size it then has.
  ///
  /// @return the result, valid until the next
  /// @throws DecodeException as [#process]
  public Sound process(MemorySegment encoded) throws DecodeException {
    run(encoded, 0, 0, 0, MemorySegment.NULL);
    return sound;
  }

  private void run(MemorySegment encoded, long seed, long epoch, long sampleId, MemorySegment aim)
      throws DecodeException {
    long start = System.nanoTime();
    random.reset(seed, epoch, sampleId);
    DoneTensors stored = spectrograms;
    Excerpt part = excerpt;
    int done = 0;
    if (part != null) {
      AudioInfo info = decoder.probe(encoded);
      if (part.decode(decoder, encoded, info, sound, random)) {
        done = part.steps();
      } else {
        random.reset(seed, epoch, sampleId);
        decode(encoded, info);
      }
    } else if (stored != null) {
      stored.open(encoded);
      stored.floats(sound.begin(shape, stored.height(), stored.width()));
    } else {
      decode(encoded, decoder.probe(encoded));
    }
    long between = System.nanoTime();
    if (part != null && done > 0) {
      part.run(sound);
    }
    for (int i = done; i < works.size(); i++) {
      if (i == works.size() - 1) {
        sound.aim(aim);
      }
      works.get(i).run(sound, random);
    }
    decodeNanos += between - start;
    transformNanos += System.nanoTime() - between;
  }

  private void decode(MemorySegment encoded, AudioInfo info) throws DecodeException {
    MemorySegment samples = sound.begin(info.sampleRate(), info.channels(), info.frames());
    decoder.decode(encoded, info, SampleType.FLOAT32, samples);
  }

  /// Puts the values into a slot: a channel after the other.
  private void store(MemorySegment slot) {
    MemorySegment values = sound.values();
    int channels = sound.height() == 0 ? sound.channels() : 1;
    long frames = values.byteSize() / Float.BYTES / channels;
    if (dtype == DType.FLOAT32 && channels == 1) {
      if (values.address() != slot.address()) {
        MemorySegment.copy(values, 0, slot, 0, values.byteSize());
      }
      return;
    }
    for (int channel = 0; channel < channels; channel++) {
      for (long i = 0; i < frames; i++) {
        float value = values.get(JAVA_FLOAT_UNALIGNED, (i * channels + channel) * Float.BYTES);
        long at = (channel * frames + i) * dtype.bytes();
        switch (dtype) {
          case FLOAT32 -> slot.set(JAVA_FLOAT_UNALIGNED, at, value);
          case FLOAT16 -> slot.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
          case BFLOAT16 -> slot.set(JAVA_SHORT_UNALIGNED, at, bfloat16(value));
          case UINT8 -> throw new IllegalStateException("refused when this was made");
        }
      }
    }
  }

  /// {@return the upper half of a float32, rounded to nearest even}
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.isNaN(value)
        ? (short) ((bits >>> 16) | 0x40)
        : (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }

  /// {@return what is done to a sound, step by step, in words}
  ///
  /// @param pipeline whose input is sound
  public static String explain(Pipeline pipeline) {
    var text = new StringBuilder();
    text.append(pipeline.spec()).append(" of a sound\ndecode: to float32 [frames, channels]\n");
    SoundShape shape = SoundShape.ANY;
    for (SoundEffect step : pipeline.soundEffects()) {
      shape = step.after(shape);
      text.append("%s: to %s\n".formatted(step.spec(), shape.words()));
    }
    return text.append("  as %s, in its place in the batch\n".formatted(pipeline.outputSpec()))
        .toString();
  }

  /// {@return nanoseconds spent so far reading headers and decoding sounds that came out whole}
  public long decodeNanos() {
    return decodeNanos;
  }

  /// {@return nanoseconds spent so far on everything after decoding}
  public long transformNanos() {
    return transformNanos;
  }

  @Override
  public void close() {
    works.forEach(SoundProcessor::close);
    decoder.close();
    if (spectrograms != null) {
      spectrograms.close();
    }
    sound.close();
  }

  private static void close(SoundEffect.Work work) {
    work.close();
  }
}
