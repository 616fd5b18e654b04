package io.headrace.pipeline.sound;

import io.headrace.pipeline.step.StepKind;
import java.util.List;

/// The steps on sound that there are.
public final class SoundSteps {
  /// Their kinds, in the order in which a pipeline usually has them.
  public static final List<StepKind> ALL =
      List.of(
          Mono.KIND,
          Resample.KIND,
          Cut.RANDOM_CROP,
          Cut.PAD_OR_TRIM,
          Gain.KIND,
          Noise.KIND,
          ToSpectrogram.SPECTROGRAM,
          ToSpectrogram.LOG_MEL,
          Mask.TIME,
          Mask.FREQUENCY);

  private SoundSteps() {}
}
