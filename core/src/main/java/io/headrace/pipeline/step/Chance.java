package io.headrace.pipeline.step;

import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;

/// How often a step is done: the option `p`. A step that is always done draws no number for it.
public final class Chance {
  private Chance() {}

  /// {@return the option `p`, 1 if it is not given}
  public static double option(Spec spec) {
    return spec.optionDecimal("p", 1);
  }

  /// {@return the option as text; empty for 1}
  public static String text(double probability) {
    return probability == 1 ? "" : ":p=" + StepText.number(probability);
  }

  /// {@return whether the step is done this time}
  public static boolean happens(double probability, CounterRandom random) {
    return probability >= 1 || random.nextDouble() < probability;
  }

  /// {@return whether it is drawn}
  public static boolean drawn(double probability) {
    return probability < 1;
  }
}
