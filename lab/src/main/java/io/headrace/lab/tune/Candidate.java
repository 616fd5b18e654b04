package io.headrace.lab.tune;

import io.headrace.convert.target.Representation;
import org.jspecify.annotations.Nullable;

/// A representation to try.
///
/// @param name for people
/// @param representation what to convert to, or null for the dataset as it was found
public record Candidate(String name, @Nullable Representation representation) {
  /// {@return whether it is the dataset as it was found}
  public boolean original() {
    return representation == null;
  }
}
