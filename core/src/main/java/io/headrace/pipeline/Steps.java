package io.headrace.pipeline;

import io.headrace.pipeline.geometry.CenterCrop;
import io.headrace.pipeline.geometry.Decode;
import io.headrace.pipeline.geometry.RandomCrop;
import io.headrace.pipeline.geometry.RandomFlip;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import io.headrace.pipeline.geometry.Resize;
import io.headrace.pipeline.geometry.ResizeShorter;
import io.headrace.pipeline.geometry.VerticalFlip;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.values.Cast;
import io.headrace.pipeline.values.Center;
import io.headrace.pipeline.values.Normalize;
import io.headrace.pipeline.values.ToLayout;
import io.headrace.spec.Spec;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The list of all steps.
public final class Steps {
  /// All kinds of steps, in the order in which help shows them.
  public static final List<StepKind> KINDS =
      Stream.of(
              List.of(
                  Resize.KIND,
                  ResizeShorter.KIND,
                  CenterCrop.KIND,
                  RandomCrop.KIND,
                  RandomResizedCrop.KIND,
                  RandomFlip.KIND,
                  VerticalFlip.KIND,
                  Normalize.KIND,
                  Center.KIND),
              Cast.KINDS,
              ToLayout.KINDS,
              List.of(Decode.KIND))
          .flatMap(List::stream)
          .toList();

  private Steps() {}

  /// {@return the step of a text form}
  ///
  /// @throws io.headrace.error.ConfigException naming the step that makes no sense
  public static Step parse(String text) {
    Spec spec = Spec.step("step", text);
    for (StepKind kind : KINDS) {
      if (kind.name().equals(spec.name())) {
        return kind.parse(spec);
      }
    }
    throw spec.bad(
        KINDS.stream().map(StepKind::name).collect(Collectors.joining(", ", "expected ", "")));
  }
}
