package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// A step that has one effect on the colours of an image: of every image, or as often as a
/// probability says.
///
/// @param kind of the step
/// @param effect what it does
/// @param number what the effect's number is drawn from; null if it takes none
/// @param probability how often it is done
record ColourStep(StepKind kind, Effect effect, @Nullable Range number, double probability)
    implements PixelStep {
  /// Checks the probability.
  ColourStep {
    StepText.requireProbability(kind.name(), probability);
  }

  /// {@return a step whose effect takes no number}
  static ColourStep plain(Spec spec, StepKind kind, Effect effect) {
    return new ColourStep(kind, effect, null, StepText.probability(spec, 1));
  }

  /// {@return a step whose effect takes a factor within bounds}
  static ColourStep byFactor(Spec spec, StepKind kind, Effect effect, double low, double high) {
    Range factor = Range.parse(spec, "factor", StepText.required(spec));
    double probability = Chance.option(spec);
    return new ColourStep(
        kind, effect, factor.within(kind.name(), "factor", low, high), probability);
  }

  @Override
  public boolean random() {
    return (number != null && !number.fixed()) || Chance.drawn(probability);
  }

  @Override
  public String spec() {
    String name = kind.name();
    if (number != null) {
      return name + "=" + number.text() + Chance.text(probability);
    }
    return probability == 1 ? name : name + "=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability, random)) {
      Drawn _ = plan.add(effect).set(0, number == null ? 0 : number.draw(random));
    }
  }
}
