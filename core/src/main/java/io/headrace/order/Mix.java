package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;

/// Whether batches hold the kinds of samples of a mixed dataset in constant numbers.
public enum Mix {
  /// As the order gives them: constant only on average.
  FREE,
  /// Every batch has each kind's share, as near as whole numbers come.
  CONSTANT;

  /// {@return the one of that name}
  ///
  /// @throws ConfigException if there is none
  public static Mix of(String name) {
    return Spec.choice("mix", values(), name);
  }

  /// {@return the name users type}
  public String label() {
    return Spec.word(this);
  }
}
