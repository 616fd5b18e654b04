package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;

/// What becomes of the last batch of an epoch if it is not full.
public enum LastBatch {
  /// It is shorter, never empty.
  PARTIAL,
  /// It is not delivered.
  DROP,
  /// It is filled up with repetitions of its samples, outside the mask.
  PAD;

  /// {@return the one of that name}
  ///
  /// @throws ConfigException if there is none
  public static LastBatch of(String name) {
    return Spec.choice("last batch", values(), name);
  }

  /// {@return the name users type}
  public String label() {
    return Spec.word(this);
  }
}
