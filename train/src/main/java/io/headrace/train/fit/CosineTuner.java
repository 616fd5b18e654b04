package io.headrace.train.fit;

import io.headrace.error.ConfigException;
import java.util.List;

/// Chooses the least fidelity whose gradients point where those of full fidelity do: the dynamic
/// tuner of "Progressive Compressed Records".
///
/// Before an epoch it takes the same batches at every fidelity, without random steps, and compares
/// the gradients that a copy of the network has of them.
///
/// @param least cosine that is enough, above 0 and below 1
/// @param first epoch in which it chooses
/// @param every so many epochs it chooses again
/// @param batches that it looks at
public record CosineTuner(double least, int first, int every, int batches)
    implements FidelityTuner {
  /// The released code's own values: 0.8, epoch 5, every 15, 10 batches.
  public static final CosineTuner USUAL = new CosineTuner(0.8, 5, 15, 10);

  /// Checks ranges.
  public CosineTuner {
    if (!(least > 0 && least < 1) || first < 0 || every < 1 || batches < 1) {
      throw new ConfigException(
          "tuner %s:first=%d:every=%d:batches=%d: expected a cosine of 0 to 1, 0, 1 and 1 or more"
              .formatted(least, first, every, batches));
    }
  }

  /// {@return the tuner of a text: `auto[:COSINE][:first=N][:every=N][:batches=N]`}
  ///
  /// @throws ConfigException if it makes no sense
  public static CosineTuner parse(String text) {
    String[] parts = text.split(":", -1);
    double least = USUAL.least;
    int first = USUAL.first;
    int every = USUAL.every;
    int batches = USUAL.batches;
    try {
      for (String part : List.of(parts).subList(1, parts.length)) {
        int equals = part.indexOf('=');
        String value = part.substring(equals + 1);
        switch (equals < 0 ? "" : part.substring(0, equals)) {
          case "" -> least = Double.parseDouble(value);
          case "first" -> first = Integer.parseInt(value);
          case "every" -> every = Integer.parseInt(value);
          case "batches" -> batches = Integer.parseInt(value);
          default -> throw new NumberFormatException(part);
        }
      }
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "fidelity '%s': expected auto[:COSINE][:first=N][:every=N][:batches=N]".formatted(text));
    }
    return new CosineTuner(least, first, every, batches);
  }

  /// {@return whether it chooses before an epoch}
  ///
  /// @param since epochs since it has chosen
  boolean due(long epoch, int since) {
    return epoch == first || (epoch > first && since >= every);
  }

  /// {@return the fidelity to take: the first whose cosine is large enough, else the last}
  ///
  /// @param cosines of fidelity 1, 2, …, the last one 1
  int choose(double[] cosines) {
    for (int i = 0; i < cosines.length; i++) {
      if (cosines[i] > least) {
        return i + 1;
      }
    }
    return cosines.length;
  }
}
