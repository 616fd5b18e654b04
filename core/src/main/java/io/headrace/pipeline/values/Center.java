package io.headrace.pipeline.values;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.pipeline.step.ValueStep;
import java.util.List;

/// Maps 0..255 to -1..1, as `x / 127.5 - 1`: `center`. The centring of PRESTO.
///
/// The result is float32 unless a [Cast] follows; each operation is rounded to float32.
public record Center() implements ValueStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "center",
          "center",
          Applies.VALUES,
          "Maps 0..255 to -1..1; float32.",
          "",
          "PRESTO's 5-center-pixel-values",
          List.of("center"),
          spec -> StepText.bare(spec, new Center()));

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "center";
  }

  @Override
  public float apply(int channel, float value) {
    return value / 127.5f - 1f;
  }
}
