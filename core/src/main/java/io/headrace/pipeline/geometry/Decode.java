package io.headrace.pipeline.geometry;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Decodes: `decode`. Every pipeline does so first, said or not; steps that are done ahead begin
/// with it.
public record Decode() implements Step {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "decode",
          "decode",
          Applies.BYTES,
          "Decodes: every pipeline begins so, said or not.",
          "",
          "",
          List.of("decode"),
          spec -> StepText.bare(spec, new Decode()));

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "decode";
  }
}
