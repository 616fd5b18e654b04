package io.headrace.lab.profile;

import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The places at which a pipeline on images is cut, numbered and named as in PRESTO (Isenko et al.,
/// "Where Is My Training Bottleneck?", SIGMOD 2022).
///
/// 0 is the dataset as it is. Position p has the first p steps done ahead: the first lists files,
/// the second reads them, the third decodes.
final class Cuts {
  private static final Pattern SHORTER = Pattern.compile("resize_shorter=(\\d{1,6})(,|$)");

  private Cuts() {}

  /// {@return the trial with its pipeline cut at every place that can be stored}
  static List<Trial> of(Trial whole, String format) {
    List<Trial> cuts = new ArrayList<>();
    cuts.add(whole.with(Key.FORMAT, Trial.FOUND));
    Trial packed = whole.with(Key.FORMAT, format);
    cuts.add(packed);
    Trial decoded = packed.with(Key.ENCODING, "raw");
    cuts.add(decoded);
    String steps = whole.get(Key.PIPELINE);
    Matcher shorter = SHORTER.matcher(steps);
    if (shorter.lookingAt()) {
      cuts.add(
          decoded
              .with(Key.RESIZE, "shortest=" + shorter.group(1))
              .with(Key.PIPELINE, Pipeline.parse(steps.substring(shorter.end())).spec()));
    }
    return cuts;
  }

  /// {@return how PRESTO calls the cut of a trial, such as `4-resize-image`}
  static String name(Trial trial) {
    if (trial.get(Key.FORMAT).equals(Trial.FOUND)) {
      return "0-fully-online";
    }
    if (!trial.get(Key.RESIZE).equals(Key.RESIZE.usual())) {
      return "4-resize-image";
    }
    return trial.get(Key.ENCODING).equals("raw") ? "3-decode-image" : "2-read-image";
  }
}
