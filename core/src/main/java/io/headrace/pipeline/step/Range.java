package io.headrace.pipeline.step;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;

/// A number, or numbers to draw from uniformly: `1.2`, `0.8-1.2`, `-10..30`.
///
/// @param least from here
/// @param greatest to here, itself almost never drawn
public record Range(double least, double greatest) {
  /// {@return the range of a text}
  ///
  /// @param spec that it is part of, for messages
  /// @param what it is, for messages
  public static Range parse(Spec spec, String what, String text) {
    int dots = text.indexOf("..");
    int dash = dots < 0 ? text.indexOf('-', 1) : -1;
    if (dash > 0 && (text.charAt(dash - 1) == 'e' || text.charAt(dash - 1) == 'E')) {
      dash = text.indexOf('-', dash + 1);
    }
    if (dots < 0 && dash < 0) {
      double number = spec.decimal(what, text);
      return new Range(number, number);
    }
    return new Range(
        spec.decimal(what, text.substring(0, dots < 0 ? dash : dots)),
        spec.decimal(what, text.substring(dots < 0 ? dash + 1 : dots + 2)));
  }

  /// {@return the range of a text in which a number alone means as much below zero as above}
  ///
  /// @param spec that it is part of, for messages
  /// @param what it is, for messages
  public static Range around(Spec spec, String what, String text) {
    Range range = parse(spec, what, text);
    boolean alone = range.fixed() && !text.contains("..");
    return alone ? new Range(-Math.abs(range.greatest), Math.abs(range.greatest)) : range;
  }

  /// {@return an option as a range}
  public static Range option(Spec spec, String option, Range otherwise) {
    String text = spec.option(option);
    return text == null ? otherwise : parse(spec, option, text);
  }

  /// {@return the range, if it is in order and within bounds}
  ///
  /// @param step its name, for messages
  /// @param what the range is of, for messages
  /// @throws ConfigException if it is not
  public Range within(String step, String what, double low, double high) {
    if (!(low <= least && least <= greatest && greatest <= high)) {
      throw new ConfigException(
          "%s: %s %s, expected numbers from %s%s, the least first"
              .formatted(
                  step,
                  what,
                  text(),
                  StepText.number(low),
                  high == Double.MAX_VALUE ? "" : " to " + StepText.number(high)));
    }
    return this;
  }

  /// {@return whether there is but one number}
  public boolean fixed() {
    return least == greatest;
  }

  /// {@return a number of the range; a fixed one is not drawn}
  public double draw(CounterRandom random) {
    return fixed() ? least : least + (greatest - least) * random.nextDouble();
  }

  /// {@return the text form that [#around] reads}
  public String aroundText() {
    return least == -greatest
        ? StepText.number(greatest)
        : StepText.number(least) + ".." + StepText.number(greatest);
  }

  /// {@return the text form}
  public String text() {
    if (fixed()) {
      return StepText.number(least);
    }
    return StepText.number(least) + (least < 0 ? ".." : "-") + StepText.number(greatest);
  }
}
