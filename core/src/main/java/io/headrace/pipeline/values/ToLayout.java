package io.headrace.pipeline.values;

import io.headrace.memory.Layout;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;
import java.util.Locale;

/// Orders the axes: `chw` for [3, height, width], `hwc` for [height, width, 3].
///
/// @param layout order of the result
public record ToLayout(Layout layout) implements Step {
  /// The kinds of step, one for each order.
  public static final List<StepKind> KINDS =
      List.of(
          kind(Layout.HWC, "Orders the axes as [height, width, 3]."),
          kind(Layout.CHW, "Orders the axes as [3, height, width]."));

  private static StepKind kind(Layout layout, String help) {
    String name = layout.name().toLowerCase(Locale.ROOT);
    return new StepKind(
        name,
        name,
        Applies.LAYOUT,
        help,
        "",
        "",
        List.of(name),
        spec -> StepText.bare(spec, new ToLayout(layout)));
  }

  @Override
  public StepKind kind() {
    return layout == Layout.HWC ? KINDS.getFirst() : KINDS.getLast();
  }

  @Override
  public String spec() {
    return layout.name().toLowerCase(Locale.ROOT);
  }
}
