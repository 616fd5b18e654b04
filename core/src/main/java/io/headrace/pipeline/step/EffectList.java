package io.headrace.pipeline.step;

/// Takes effects, one after another.
public interface EffectList {
  /// Adds an effect.
  ///
  /// @return the effect, whose numbers are to be set
  Drawn add(Effect effect);
}
