package io.headrace.pipeline.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Adds white Gaussian noise: `noise=20` at a signal-to-noise ratio of 20 dB, or `noise=10-30` at a
/// drawn one. The ratio is that of the energies of the whole sound and of the noise that is added
/// to it. Silence stays silent.
///
/// @param ratio in decibels, or from which to draw
public record Noise(Range ratio) implements SoundEffect {
  /// The step's kind.
  public static final StepKind KIND =
      new StepKind(
          "noise",
          "noise=DB or noise=LEAST-GREATEST",
          Applies.SOUND,
          "White noise, so many decibels below the sound.",
          "the decibels of a range; then two numbers for every two samples (Box and Muller)",
          "torchaudio.functional.add_noise",
          List.of("noise=20", "noise=10-30"),
          spec -> new Noise(Range.parse(spec, "decibels", StepText.required(spec))));

  /// Checks the range.
  public Noise {
    Range _ = ratio.within("noise", "decibels", -100, 200);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "noise=" + ratio.text();
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    return before;
  }

  @Override
  public Work work() {
    return this::add;
  }

  private void add(Sound sound, CounterRandom random) throws DecodeException {
    double decibels = ratio.draw(random);
    MemorySegment samples = sound.values();
    long bytes = samples.byteSize();
    MemorySegment noise = sound.spare().ensure(bytes + Float.BYTES);
    double energy = 0;
    double noisy = 0;
    for (long at = 0; at < bytes; at += 2 * Float.BYTES) {
      double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
      double angle = 2 * Math.PI * random.nextDouble();
      float one = (float) (radius * Math.cos(angle));
      noise.set(JAVA_FLOAT_UNALIGNED, at, one);
      noisy += (double) one * one;
      float sample = samples.get(JAVA_FLOAT_UNALIGNED, at);
      energy += (double) sample * sample;
      if (at + Float.BYTES < bytes) {
        float other = (float) (radius * Math.sin(angle));
        noise.set(JAVA_FLOAT_UNALIGNED, at + Float.BYTES, other);
        noisy += (double) other * other;
        sample = samples.get(JAVA_FLOAT_UNALIGNED, at + Float.BYTES);
        energy += (double) sample * sample;
      }
    }
    if (energy == 0 || noisy == 0) {
      return;
    }
    float scale = (float) (Math.sqrt(energy / noisy) * Math.pow(10, -decibels / 20));
    for (long at = 0; at < bytes; at += Float.BYTES) {
      float sample = samples.get(JAVA_FLOAT_UNALIGNED, at);
      samples.set(JAVA_FLOAT_UNALIGNED, at, sample + scale * noise.get(JAVA_FLOAT_UNALIGNED, at));
    }
    sound.noisy();
  }
}
