package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Which fidelity each epoch is read at: stages, one after another.
///
/// @param stages at least one; the last has no end
public record FidelitySchedule(List<Stage> stages) {
  /// Some epochs at one fidelity.
  ///
  /// @param epochs at least 1
  /// @param fidelity of each
  public record Stage(long epochs, FidelityMix fidelity) {
    /// Checks the range.
    ///
    /// @throws ConfigException if there are no epochs
    public Stage {
      if (epochs < 1) {
        throw new ConfigException(
            "%d epochs in a stage of a regimen: expected at least 1".formatted(epochs));
      }
    }
  }

  /// Checks that there is a stage.
  ///
  /// @throws ConfigException if there is none
  public FidelitySchedule {
    stages = List.copyOf(stages);
    if (stages.isEmpty()) {
      throw new ConfigException("a regimen without stages: expected at least one");
    }
  }

  /// {@return one fidelity for every epoch}
  public static FidelitySchedule of(FidelityMix fidelity) {
    return new FidelitySchedule(List.of(new Stage(1, fidelity)));
  }

  /// Reads `[{"epochs": 80, "fidelity": 1}, {"epochs": 10, "fidelity": "full"}]`; a fidelity is a
  /// number or a text that [FidelityMix#parse] understands.
  ///
  /// @throws ConfigException if the text is not a schedule
  public static FidelitySchedule parse(String json) {
    List<Stage> stages = new ArrayList<>();
    try {
      JsonNode root = JsonMapper.shared().readTree(json);
      if (!root.isArray()) {
        throw new ConfigException("regimen: expected a list of stages, found " + shown(root));
      }
      for (JsonNode stage : root) {
        JsonNode epochs = stage.path("epochs");
        JsonNode fidelity = stage.path("fidelity");
        if (!epochs.canConvertToLong()
            || !epochs.isIntegralNumber()
            || !(fidelity.isIntegralNumber() || fidelity.isString())) {
          throw new ConfigException(
              "regimen: stage %s: expected epochs, a number, and fidelity, a number or a text"
                  .formatted(shown(stage)));
        }
        stages.add(new Stage(epochs.asLong(), FidelityMix.parse(fidelity.asString())));
      }
    } catch (JacksonException e) {
      throw new ConfigException("regimen is not JSON: " + e.getOriginalMessage());
    }
    return new FidelitySchedule(stages);
  }

  private static String shown(JsonNode node) {
    String text = node.toString();
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }

  /// {@return the fidelity of an epoch}
  ///
  /// @param epoch from 0; those after the last stage have its fidelity
  public FidelityMix at(long epoch) {
    long end = 0;
    for (Stage stage : stages) {
      end += stage.epochs();
      if (epoch < end) {
        return stage.fidelity();
      }
    }
    return stages.getLast().fidelity();
  }

  /// {@return epochs in all stages}
  public long epochs() {
    return stages.stream().mapToLong(Stage::epochs).sum();
  }
}
