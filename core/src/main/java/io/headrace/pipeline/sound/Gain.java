package io.headrace.pipeline.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Makes sound louder or quieter: `gain=-3`, or `gain=-6..6` for a drawn change. Samples are not
/// held to the range from -1 to 1.
///
/// @param decibels by which, or from which to draw
public record Gain(Range decibels) implements SoundEffect {
  /// The step's kind.
  public static final StepKind KIND =
      new StepKind(
          "gain",
          "gain=DB or gain=LEAST..GREATEST",
          Applies.SOUND,
          "Louder or quieter by decibels, samples not clipped.",
          "the decibels, uniformly, of a range",
          "torchaudio.functional.gain",
          List.of("gain=-3", "gain=-6..6"),
          spec -> new Gain(Range.parse(spec, "decibels", StepText.required(spec))));

  /// Checks the range.
  public Gain {
    Range _ = decibels.within("gain", "decibels", -200, 200);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "gain=" + decibels.text();
  }

  @Override
  public boolean random() {
    return !decibels.fixed();
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    return before;
  }

  @Override
  public Work work() {
    return (sound, random) -> {
      float factor = (float) Math.pow(10, decibels.draw(random) / 20);
      MemorySegment samples = sound.values();
      for (long at = 0; at < samples.byteSize(); at += Float.BYTES) {
        float sample = samples.get(JAVA_FLOAT_UNALIGNED, at) * factor;
        samples.set(JAVA_FLOAT_UNALIGNED, at, sample);
      }
    };
  }
}
