package io.headrace.pipeline.sound;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Gives all sounds one length: `pad_or_trim=SECONDS` from their beginning, `random_crop=SECONDS`
/// from a drawn place. What is shorter gets silence at its end. `pad_or_trim=frames=16384` counts
/// frames instead, whatever the rate.
///
/// @param seconds of the result, whose frames are the nearest whole number; 0 if `frames` says it
/// @param frames of the result; 0 if `seconds` says it
/// @param random whether the place is drawn
public record Cut(double seconds, int frames, boolean random) implements SoundEffect {
  /// The kind of cuts from the beginning.
  public static final StepKind PAD_OR_TRIM =
      new StepKind(
          "pad_or_trim",
          "pad_or_trim=SECONDS or pad_or_trim=frames=N",
          Applies.SOUND,
          "The first so many seconds, with silence after what is shorter.",
          "",
          "whisper.pad_or_trim",
          List.of("pad_or_trim=30", "pad_or_trim=0.5", "pad_or_trim=frames=16384"),
          spec -> parse(spec, false));

  /// The kind of cuts from anywhere.
  public static final StepKind RANDOM_CROP =
      new StepKind(
          "random_crop",
          "random_crop=SECONDS or random_crop=frames=N",
          Applies.SOUND,
          "So many seconds from a drawn place, with silence after what is shorter.",
          "the place, from 0 to the last that fits; nothing for what is not longer",
          "torchvision's RandomCrop in one dimension",
          List.of("random_crop=2.5", "random_crop=frames=16384"),
          spec -> parse(spec, true));

  /// Checks the length.
  public Cut {
    boolean counted = seconds == 0 && frames > 0;
    if (!counted && !(frames == 0 && seconds > 0 && seconds <= SoundShape.MAX_SECONDS)) {
      throw new ConfigException(
          "%s: %s seconds, expected more than 0 and at most a day"
              .formatted(random ? "random_crop" : "pad_or_trim", StepText.number(seconds)));
    }
  }

  private static Cut parse(Spec spec, boolean random) {
    String counted = spec.option("frames");
    return counted != null
        ? new Cut(0, spec.number("frames", counted), random)
        : new Cut(spec.decimal("seconds", StepText.required(spec)), 0, random);
  }

  @Override
  public StepKind kind() {
    return random ? RANDOM_CROP : PAD_OR_TRIM;
  }

  @Override
  public String spec() {
    String length = frames > 0 ? "frames=" + frames : StepText.number(seconds);
    return kind().name() + "=" + length;
  }

  /// {@return frames of the result}
  long frames(int rate) {
    return frames > 0 ? frames : Math.max(1, Math.round(seconds * rate));
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    return before.withFrames(before.rate() == 0 && frames == 0 ? -1 : frames(before.rate()));
  }

  @Override
  public Work work() {
    return (sound, draws) -> {
      long length = frames(sound.rate());
      sound.cut(place(sound.frames() - length, draws), length);
    };
  }

  /// {@return the first frame that stays}
  ///
  /// @param room frames that the sound is longer than the result
  long place(long room, CounterRandom draws) {
    return random && room > 0 ? Math.unsignedMultiplyHigh(draws.nextLong(), room + 1) : 0;
  }
}
