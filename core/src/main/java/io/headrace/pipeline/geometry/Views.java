package io.headrace.pipeline.geometry;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Makes several samples of every image: `views=2`. The steps before are done to all views alike,
/// those after it to each with draws of its own. The first view has the draws that the pipeline has
/// without this step.
///
/// @param count of views
public record Views(int count) implements PixelStep {
  private static final int MAX = 64;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "views",
          "views=COUNT",
          Applies.PLACES,
          "Several samples of each image, in fields view_1, view_2 … beside it; later steps draw"
              + " anew for each.",
          "",
          "the two views of SimCLR (Chen et al., 2020)",
          List.of("views=2"),
          Views::parse);

  /// Checks the number.
  public Views {
    if (count < 2 || count > MAX) {
      throw new ConfigException("views: %d, expected 2 to %d".formatted(count, MAX));
    }
  }

  private static Views parse(Spec spec) {
    return new Views(spec.number("count", StepText.required(spec)));
  }

  /// {@return the name of a view's field}
  ///
  /// @param view from 1; the first view, 0, is the image itself
  public static String field(int view) {
    return "view_" + view;
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "views=" + count;
  }

  @Override
  public boolean online() {
    return true;
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (plan.view() > 0) {
      random.branch(plan.view());
    }
  }
}
