package io.headrace.lab.profile;

import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/// The places at which a pipeline is cut, numbered and named as in PRESTO (Isenko et al., "Where Is
/// My Training Bottleneck?", SIGMOD 2022).
///
/// 0 is the dataset as it is. Position p has the first p steps done ahead: the first lists files,
/// the second reads them, the third decodes, the fourth is the pipeline's first, and so on to the
/// last before a random one.
final class Cuts {
  private static final int DECODE = 3;

  private Cuts() {}

  /// {@return the trial with its pipeline cut at every place that can be stored}
  static List<Trial> of(Trial whole, String format) {
    List<Trial> cuts = new ArrayList<>();
    cuts.add(whole.with(Key.FORMAT, Trial.FOUND));
    Trial packed = whole.with(Key.FORMAT, format);
    cuts.add(packed);
    Pipeline pipeline = whole.pipeline();
    boolean sound = pipeline.input() == Pipeline.Input.SOUND;
    cuts.add(packed.with(Key.ENCODING, sound ? "wav" : "raw"));
    for (int position = 1; position <= pipeline.firstRandomStep(); position++) {
      Pipeline ahead = pipeline.split(position).offline();
      if (!ahead.givesDecoded()) {
        cuts.add(
            packed
                .with(Key.ENCODING, sound && !ahead.givesSpectrogram() ? "wav" : "raw")
                .with(Key.STEPS, ahead.spec()));
      }
    }
    return cuts;
  }

  /// {@return how PRESTO calls the cut of a trial, such as `4-resize-image`; a step that it does
  ///     not have by the step's own name}
  static String name(Trial trial) {
    if (trial.get(Key.FORMAT).equals(Trial.FOUND)) {
      return "0-fully-online";
    }
    Pipeline ahead = Pipeline.parse(trial.get(Key.STEPS));
    String kind = trial.pipeline().input() == Pipeline.Input.SOUND ? "sound" : "image";
    if (ahead.steps().isEmpty()) {
      return (trial.get(Key.ENCODING).equals("keep") ? "2-read-" : "3-decode-") + kind;
    }
    boolean said = Pipeline.parse(ahead.steps().getFirst().spec()).givesDecoded();
    String step = ahead.steps().getLast().kind().name();
    return (DECODE + ahead.steps().size() - (said ? 1 : 0))
        + "-"
        + switch (step) {
          case "resize_shorter", "resize" -> "resize-image";
          case "center" -> "pixel-center";
          default -> step.replace('_', '-');
        };
  }
}
