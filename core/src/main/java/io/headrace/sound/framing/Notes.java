package io.headrace.sound.framing;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;

/// Takes what is odd about sound that can be decoded nevertheless.
@FunctionalInterface
public interface Notes {
  /// Takes one oddity.
  ///
  /// @param text what was found and what was expected
  void add(Fault fault, String text);

  /// Takes damage.
  ///
  /// @throws DecodeException that says so, unless `lenient`
  default void damaged(Fault fault, String what, boolean lenient) throws DecodeException {
    if (!lenient) {
      throw new DecodeException(fault, what);
    }
    add(fault, what);
  }
}
