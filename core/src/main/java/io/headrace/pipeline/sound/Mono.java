package io.headrace.pipeline.sound;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.sound.signal.Mixdown;
import java.util.List;

/// Makes one channel, the mean of all: `mono`.
public record Mono() implements SoundEffect {
  /// The step's kind.
  public static final StepKind KIND =
      new StepKind(
          "mono",
          "mono",
          Applies.SOUND,
          "One channel, the mean of all.",
          "",
          "torch.mean over channels, librosa.to_mono",
          List.of("mono"),
          spec -> StepText.bare(spec, new Mono()));

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "mono";
  }

  @Override
  public SoundShape after(SoundShape before) {
    before.requireSamples(this);
    return before.mono();
  }

  @Override
  public Work work() {
    return (sound, random) -> mix(sound);
  }

  /// Does it.
  static void mix(Sound sound) {
    if (sound.channels() > 1) {
      long quiet = sound.quiet();
      Mixdown.mono(sound.values(), sound.frames(), sound.channels(), sound.values());
      sound.mixed(quiet);
    }
  }
}
