package io.headrace.pipeline.step;

import io.headrace.spec.Spec;
import java.util.List;
import java.util.function.Function;

/// What is known of all steps of one name.
///
/// @param name before the `=`
/// @param form how it is typed, such as `flip[=PROBABILITY]`
/// @param applies what it applies to
/// @param help one line: what it does
/// @param draws which random numbers it draws for a sample, in order; empty if none
/// @param source where the arithmetic is from
/// @param examples text forms, each as [Step#spec] prints it
/// @param parser takes what follows the name
public record StepKind(
    String name,
    String form,
    Applies applies,
    String help,
    String draws,
    String source,
    List<String> examples,
    Function<Spec, Step> parser) {
  /// Copies the examples.
  public StepKind {
    examples = List.copyOf(examples);
  }

  /// {@return the step of a spelling, of which nothing is left}
  ///
  /// @throws io.headrace.error.ConfigException if it makes no sense
  public Step parse(Spec spec) {
    return spec.end(parser.apply(spec));
  }
}
