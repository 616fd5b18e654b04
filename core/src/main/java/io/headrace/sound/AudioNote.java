package io.headrace.sound;

import io.headrace.error.Fault;

/// Something not as it should be that did not keep sound from being decoded.
///
/// @param fault its kind
/// @param text what was found and what was expected
public record AudioNote(Fault fault, String text) {
  @Override
  public String toString() {
    return fault + ": " + text;
  }
}
