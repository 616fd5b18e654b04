package io.headrace.sound;

import io.headrace.error.Fault;

/// Something wrong with sound that could be decoded nevertheless.
///
/// @param fault its kind
/// @param text what was found and what was expected
public record AudioNote(Fault fault, String text) {
  @Override
  public String toString() {
    return fault + ": " + text;
  }
}
