package io.headrace.train.fit;

import io.headrace.convert.inspect.FidelityLikeness;
import io.headrace.error.ConfigException;
import java.util.List;

/// Chooses before training the least fidelity whose pictures are like the whole ones: the static
/// tuner of "Progressive Compressed Records".
///
/// @param least mean MS-SSIM that is enough, above 0 and below 1
/// @param pictures that are looked at, spread over the dataset
public record LikenessTuner(double least, int pictures) implements FidelityTuner {
  /// Checks ranges.
  public LikenessTuner {
    if (!(least > 0 && least < 1) || pictures < 1) {
      throw new ConfigException(
          "tuner msssim:%s:pictures=%d: expected a likeness of 0 to 1, and 1 or more"
              .formatted(least, pictures));
    }
  }

  /// {@return the tuner of a text: `msssim[:LIKENESS][:pictures=N]`}
  ///
  /// @throws ConfigException if it makes no sense
  static LikenessTuner parse(String text) {
    double least = FidelityLikeness.ENOUGH;
    int pictures = FidelityLikeness.PICTURES;
    String[] parts = text.split(":", -1);
    try {
      for (String part : List.of(parts).subList(1, parts.length)) {
        if (part.startsWith("pictures=")) {
          pictures = Integer.parseInt(part.substring("pictures=".length()));
        } else {
          least = Double.parseDouble(part);
        }
      }
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "fidelity '%s': expected msssim[:LIKENESS][:pictures=N]".formatted(text));
    }
    return new LikenessTuner(least, pictures);
  }
}
