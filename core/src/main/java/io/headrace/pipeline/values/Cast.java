package io.headrace.pipeline.values;

import io.headrace.memory.DType;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;
import java.util.stream.Stream;

/// Stores elements as another type, rounded to nearest even: `float16`, `bfloat16`, `float32`,
/// `uint8`.
///
/// @param dtype type of the result; uint8 only if no step made fractions
public record Cast(DType dtype) implements Step {
  /// The kinds of step, one for each type.
  public static final List<StepKind> KINDS =
      Stream.of(DType.UINT8, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32).map(Cast::kind).toList();

  private static StepKind kind(DType dtype) {
    String name = dtype.label();
    return new StepKind(
        name,
        name,
        Applies.TYPE,
        "Stores elements as " + name + (dtype == DType.UINT8 ? "." : ", rounded to nearest even."),
        "",
        "IEEE 754",
        List.of(name),
        spec -> StepText.bare(spec, new Cast(dtype)));
  }

  @Override
  public StepKind kind() {
    return KINDS.stream().filter(kind -> kind.name().equals(spec())).findFirst().orElseThrow();
  }

  @Override
  public String spec() {
    return dtype.label();
  }
}
