package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// A step that has one effect on the colours of an image: of every image, or as often as a
/// probability says.
interface ColourStep extends PixelStep {
  /// {@return how often it is done}
  double probability();

  /// {@return what it does}
  Effect effect();

  /// {@return what the effect's number is drawn from; null if it takes none, or another kind of
  ///     one}
  default @Nullable Range factor() {
    return null;
  }

  /// {@return the effect's number, 0 if it takes none}
  default double number(CounterRandom random) {
    Range range = factor();
    return range == null ? 0 : range.draw(random);
  }

  /// Makes a step of what was parsed.
  interface Made {
    ColourStep of(Range factor, double probability);
  }

  /// {@return a step with a factor}
  static ColourStep parse(Spec spec, Made made) {
    Range factor = Range.parse(spec, "factor", StepText.required(spec));
    return made.of(factor, Chance.option(spec));
  }

  @Override
  default boolean random() {
    Range range = factor();
    return (range != null && !range.fixed()) || Chance.drawn(probability());
  }

  @Override
  default String spec() {
    String name = kind().name();
    Range range = factor();
    if (range != null) {
      return name + "=" + range.text() + Chance.text(probability());
    }
    return probability() == 1 ? name : name + "=" + StepText.number(probability());
  }

  @Override
  default void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability(), random)) {
      double number = number(random);
      Drawn _ = plan.add(effect()).set(0, number);
    }
  }
}
