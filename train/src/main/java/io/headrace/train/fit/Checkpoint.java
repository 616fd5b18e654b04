package io.headrace.train.fit;

import io.headrace.error.ConfigException;
import io.headrace.train.fit.Learner.Outcome;
import io.headrace.train.net.Weights;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Where a run stands: all that is needed to go on to the same numbers.
///
/// The file holds weights, running statistics and velocities as tensors, and the rest as texts
/// beside them. The one before is kept as `checkpoint-before.safetensors`.
///
/// @param epoch that is under way, from 0
/// @param epochs in all, -1 if that is not known yet
/// @param steps made in the whole run
/// @param loader where the epoch under way stands, or empty at its start
/// @param sums over the epoch so far
/// @param times of the epoch so far
/// @param spent seconds of training in the whole run so far
/// @param lines of `runs.jsonl` that count
/// @param fidelity groups that the tuner has chosen; 0 for all
/// @param since epochs since the tuner has chosen
record Checkpoint(
    long epoch,
    long epochs,
    long steps,
    String loader,
    Outcome sums,
    Times times,
    double spent,
    long lines,
    int fidelity,
    int since) {
  /// Seconds of an epoch.
  ///
  /// @param all from the first batch asked for to the last step
  /// @param data of these spent waiting for batches
  /// @param computing of these spent on steps
  record Times(double all, double data, double computing) {
    static final Times NONE = new Times(0, 0, 0);

    Times plus(double waited, double computed) {
      return new Times(all + waited + computed, data + waited, computing + computed);
    }
  }

  static final String FILE = "checkpoint.safetensors";
  private static final String BEFORE = "checkpoint-before.safetensors";
  private static final String STATE = "headrace_train";
  private static final String RUN = "headrace_run";
  private static final String VELOCITY = "velocity.";

  static Checkpoint start(long epochs) {
    return new Checkpoint(0, epochs, 0, "", Outcome.NONE, Times.NONE, 0, 0, 0, 0);
  }

  /// {@return the same with the tuner's choice}
  Checkpoint tuned(int groups, int epochsSince) {
    return new Checkpoint(
        epoch, epochs, steps, loader, sums, times, spent, lines, groups, epochsSince);
  }

  /// {@return the same within its epoch}
  Checkpoint within(long stepsMade, String state, Outcome outcome, Times time) {
    return new Checkpoint(
        epoch, epochs, stepsMade, state, outcome, time, spent, lines, fidelity, since);
  }

  /// Writes the state of a run; the file appears whole or not at all.
  ///
  /// @param run what the run is: another one does not go on from it
  void write(Path folder, Learner learner, String run) throws IOException {
    Map<String, Safetensors.Tensor> tensors = new LinkedHashMap<>();
    learner.net().weights().forEach((name, array) -> tensors.put(name, Weights.tensor(array)));
    learner
        .sgd()
        .velocities()
        .forEach((name, array) -> tensors.put(VELOCITY + name, Weights.tensor(array)));
    Path file = folder.resolve(FILE);
    Path fresh = folder.resolve(FILE + ".new");
    Safetensors.write(fresh, tensors, Map.of(STATE, json(learner.scale()), RUN, run));
    if (Files.exists(file)) {
      Files.move(
          file,
          folder.resolve(BEFORE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /// {@return the state in a folder, with the learner as it was; null if there is none}
  ///
  /// @throws ConfigException if it is of another run
  static @Nullable Checkpoint read(Path folder, Learner learner, String run) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      file = folder.resolve(BEFORE); // killed between two renamings
    }
    if (!Files.exists(file)) {
      return null;
    }
    Safetensors read = Safetensors.read(file);
    String other = read.metadata().getOrDefault(RUN, "");
    if (!other.equals(run)) {
      throw new ConfigException(
          "%s is of another run: it was %s, this one is %s: take another --out"
              .formatted(file, other, run));
    }
    learner.net().weights().load(read.without(VELOCITY));
    learner.sgd().velocities().forEach((name, array) -> array.set(read.floats(VELOCITY + name)));
    JsonNode node = JsonMapper.shared().readTree(read.metadata().getOrDefault(STATE, "{}"));
    if (node.has("loss_scale")) {
      learner.scale(
          new LossScale(node.path("loss_scale").asDouble(), node.path("loss_scale_steps").asInt()));
    }
    return new Checkpoint(
        node.path("epoch").asLong(),
        node.path("epochs").asLong(),
        node.path("steps").asLong(),
        node.path("loader").asString(),
        new Outcome(
            node.path("images").asLong(),
            Double.longBitsToDouble(node.path("loss").asLong()),
            node.path("top1").asLong(),
            node.path("top5").asLong()),
        new Times(
            node.path("seconds").asDouble(),
            node.path("data_seconds").asDouble(),
            node.path("compute_seconds").asDouble()),
        node.path("spent").asDouble(),
        node.path("lines").asLong(),
        node.path("fidelity").asInt(),
        node.path("since").asInt());
  }

  private String json(LossScale scale) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("epoch", epoch);
    map.put("epochs", epochs);
    map.put("steps", steps);
    map.put("loader", loader);
    map.put("images", sums.images());
    map.put("loss", Double.doubleToRawLongBits(sums.loss()));
    map.put("top1", sums.top1());
    map.put("top5", sums.top5());
    map.put("seconds", times.all);
    map.put("data_seconds", times.data);
    map.put("compute_seconds", times.computing);
    map.put("spent", spent);
    map.put("lines", lines);
    map.put("fidelity", fidelity);
    map.put("since", since);
    if (!scale.equals(LossScale.NONE)) {
      map.put("loss_scale", scale.factor());
      map.put("loss_scale_steps", scale.steps());
    }
    return JsonMapper.shared().writeValueAsString(map);
  }
}
