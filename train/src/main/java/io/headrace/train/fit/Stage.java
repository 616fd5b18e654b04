package io.headrace.train.fit;

import io.headrace.error.ConfigException;
import io.headrace.load.plan.FidelityMix;
import io.headrace.store.Places;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a training run: so many epochs on one representation of the data.
///
/// Several make a regimen of "The Art of Losing to Win": `45@low,45@train` trains 45 epochs on the
/// dataset `low` and 45 on `train`. The learning rate's schedule spans all of them.
///
/// @param epochs how many, at least 1; -1 for all there are, which only a single stage can have
/// @param data the dataset, or null for the run's own
/// @param fidelity groups that are read of each sample
/// @param rate factor of the learning rate, above 0
public record Stage(long epochs, @Nullable Path data, @Nullable FidelityMix fidelity, double rate) {
  /// Checks the numbers.
  public Stage {
    if (epochs == 0 || epochs < -1 || !(rate > 0)) {
      throw new ConfigException(
          "stage of %d epochs at rate %s: expected at least 1 and above 0".formatted(epochs, rate));
    }
  }

  /// {@return the stages of a text, such as `80@low:fidelity=1,10@train:rate=0.5`}
  ///
  /// @throws ConfigException if it makes no sense
  public static List<Stage> parseAll(String text) {
    List<Stage> stages = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      stages.add(parse(part.strip(), text));
    }
    return List.copyOf(stages);
  }

  private static Stage parse(String part, String all) {
    int at = part.indexOf('@');
    String[] options = (at < 0 ? part : part.substring(at + 1)).split(":", -1);
    FidelityMix fidelity = null;
    double rate = 1;
    try {
      long epochs = Long.parseLong(at < 0 ? options[0] : part.substring(0, at));
      for (int i = 1; i < options.length; i++) {
        String option = options[i];
        if (option.startsWith("fidelity=")) {
          fidelity = FidelityMix.parse(option.substring("fidelity=".length()));
        } else if (option.startsWith("rate=")) {
          rate = Double.parseDouble(option.substring("rate=".length()));
        } else {
          throw new ConfigException(
              "stages '%s': option '%s': expected fidelity=N or rate=FACTOR"
                  .formatted(all, option));
        }
      }
      if (epochs < 1) {
        throw new ConfigException(
            "stages '%s': %d epochs: expected at least 1".formatted(all, epochs));
      }
      return new Stage(epochs, at < 0 ? null : Places.path(options[0]), fidelity, rate);
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "stages '%s': expected EPOCHS[@DATASET][:fidelity=N][:rate=FACTOR], commas between"
              .formatted(all));
    }
  }

  /// {@return epochs of all stages; -1 if the single one has no number}
  static long total(List<Stage> stages) {
    return stages.getFirst().epochs < 0 ? -1 : stages.stream().mapToLong(Stage::epochs).sum();
  }

  /// {@return the stage of an epoch, the last one for later ones}
  static int at(List<Stage> stages, long epoch) {
    long end = 0;
    for (int i = 0; i < stages.size(); i++) {
      end += stages.get(i).epochs;
      if (stages.get(i).epochs < 0 || epoch < end) {
        return i;
      }
    }
    return stages.size() - 1;
  }
}
