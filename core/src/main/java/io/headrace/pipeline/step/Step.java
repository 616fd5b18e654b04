package io.headrace.pipeline.step;

/// One step of a pipeline, as data. Immutable.
///
/// A new step is one class that implements one of the kinds of steps, [PixelStep], [ValueStep],
/// [SoundStep] or [BatchStep], and whose [StepKind] is one line of `pipeline.Steps`.
public interface Step {
  /// {@return the kind: name, help and parser}
  StepKind kind();

  /// {@return the text form, from which [StepKind#parse] makes an equal step}
  String spec();

  /// {@return whether the step draws random numbers, so that it cannot be done ahead}
  default boolean random() {
    return false;
  }

  /// {@return whether the step cannot be done ahead}
  default boolean online() {
    return random();
  }
}
