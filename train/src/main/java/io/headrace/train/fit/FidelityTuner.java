package io.headrace.train.fit;

import io.headrace.error.ConfigException;

/// Chooses how much of each sample is read.
public sealed interface FidelityTuner permits CosineTuner, LikenessTuner {
  /// {@return the tuner of a text: `auto…` goes by gradients, `msssim…` by the pictures}
  ///
  /// @throws ConfigException if it makes no sense
  static FidelityTuner parse(String text) {
    return switch (text.strip().split(":", 2)[0]) {
      case "auto" -> CosineTuner.parse(text.strip());
      case "msssim" -> LikenessTuner.parse(text.strip());
      default ->
          throw new ConfigException(
              "fidelity '%s': expected auto[:COSINE]… or msssim[:LIKENESS]…".formatted(text));
    };
  }
}
