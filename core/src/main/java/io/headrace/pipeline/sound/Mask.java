package io.headrace.pipeline.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Blanks columns or bands of a spectrogram: `time_mask=30`, `freq_mask=15:count=2`. SpecAugment's
/// masks (Park et al., 2019), drawn as torchaudio's `TimeMasking` and `FrequencyMasking` draw
/// them.
///
/// @param time whether columns are blanked, else bands
/// @param width columns or bands that one mask is narrower than or, at most, has
/// @param count of masks
/// @param value put there
public record Mask(boolean time, int width, int count, double value) implements SoundEffect {
  /// The kind of masks over columns.
  public static final StepKind TIME = kind("time_mask", "columns", true);

  /// The kind of masks over bands.
  public static final StepKind FREQUENCY = kind("freq_mask", "bands", false);

  private static StepKind kind(String name, String what, boolean time) {
    return new StepKind(
        name,
        name + "=WIDTH[:count=N][:value=X]",
        Applies.SOUND,
        "Sets up to so many neighbouring " + what + " to a value, 0 if not said.",
        "for each mask its width, from 0 to WIDTH, then its place",
        "SpecAugment; torchaudio.transforms." + (time ? "TimeMasking" : "FrequencyMasking"),
        List.of(name + "=30", name + "=15:count=2", name + "=8:value=-1"),
        spec -> parse(spec, time));
  }

  private static Mask parse(Spec spec, boolean time) {
    return new Mask(
        time,
        spec.number("width", StepText.required(spec)),
        spec.optionNumber("count", 1),
        spec.optionDecimal("value", 0));
  }

  /// Checks the ranges.
  public Mask {
    if (width < 1 || count < 1 || count > 1000 || !Double.isFinite(value)) {
      throw new ConfigException(
          "%s: width %d, count %d, value %s: expected at least 1, 1 to 1000, a number"
              .formatted(time ? "time_mask" : "freq_mask", width, count, value));
    }
  }

  @Override
  public StepKind kind() {
    return time ? TIME : FREQUENCY;
  }

  @Override
  public String spec() {
    return kind().name()
        + "="
        + width
        + (count == 1 ? "" : ":count=" + count)
        + (value == 0 ? "" : ":value=" + StepText.number(value));
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public SoundShape after(SoundShape before) {
    if (!before.isSpectrogram()) {
      throw new ConfigException(
          "step '%s' works on a spectrogram: put spectrogram or log_mel before".formatted(spec()));
    }
    return before;
  }

  @Override
  public Work work() {
    return this::blank;
  }

  private void blank(Sound sound, CounterRandom random) {
    long extent = time ? sound.frames() : sound.height();
    for (int mask = 0; mask < count; mask++) {
      double drawn = random.nextDouble() * Math.min(width, extent);
      long from = (long) (random.nextDouble() * (extent - drawn));
      fill(sound, from, Math.min(extent, from + (long) drawn));
    }
  }

  private void fill(Sound sound, long from, long to) {
    MemorySegment values = sound.values();
    long rows = sound.heightFirst() ? sound.height() : sound.frames();
    long columns = sound.heightFirst() ? sound.frames() : sound.height();
    boolean across = time == sound.heightFirst();
    for (long row = across ? 0 : from; row < (across ? rows : to); row++) {
      for (long column = across ? from : 0; column < (across ? to : columns); column++) {
        values.set(JAVA_FLOAT_UNALIGNED, (row * columns + column) * Float.BYTES, (float) value);
      }
    }
  }
}
