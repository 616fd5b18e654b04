package io.headrace.train.fit;

import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import io.headrace.train.net.Net.Kind;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a training run is made of.
///
/// @param data the dataset to train on, unless a stage has its own
/// @param opening how it is opened
/// @param validation dataset to validate on after each epoch, or null for none
/// @param validationOpening how that is opened
/// @param kind the model
/// @param width factor of the model's channels
/// @param small whether the model is for pictures of about 64 × 64
/// @param recipe how weights change
/// @param half whether the network computes in float16, with weights in float32
/// @param stages of the run
/// @param budget seconds of training that may be spent, 0 for no bound; the number of epochs then
///     follows from how long the first one takes
/// @param tuner chooses the fidelity, or null
/// @param pipeline for training
/// @param validationPipeline for validation
/// @param load how batches are loaded
/// @param threads of the deep-learning library
/// @param seed of the weights and of dropout
/// @param out folder for checkpoints, `runs.jsonl` and TensorBoard's events
/// @param checkpointSeconds seconds between checkpoints within an epoch, 0 for none
public record TrainOptions(
    Path data,
    OpenOptions opening,
    @Nullable Path validation,
    OpenOptions validationOpening,
    Kind kind,
    double width,
    boolean small,
    Recipe recipe,
    boolean half,
    List<Stage> stages,
    double budget,
    @Nullable FidelityTuner tuner,
    Pipeline pipeline,
    Pipeline validationPipeline,
    LoadOptions load,
    int threads,
    long seed,
    Path out,
    double checkpointSeconds) {
  /// Checks what belongs together.
  public TrainOptions {
    stages = List.copyOf(stages);
    boolean open = stages.getFirst().epochs() < 0;
    if (open == (budget == 0) || (open && stages.size() > 1)) {
      throw new ConfigException(
          "a run has either a number of epochs or a budget of time: %s stages, budget %s s"
              .formatted(stages.size(), budget));
    }
    if (budget < 0 || threads < 1 || checkpointSeconds < 0) {
      throw new ConfigException(
          "budget %s s, threads %d, checkpoints every %s s: expected at least 0, 1 and 0"
              .formatted(budget, threads, checkpointSeconds));
    }
    if (tuner != null && stages.stream().anyMatch(stage -> stage.fidelity() != null)) {
      throw new ConfigException("a tuner chooses the fidelity: leave it out of the stages");
    }
  }

  /// {@return all that the weights depend on, in words}
  String run(int classes) {
    return "%s on %s of %d classes, width %s%s%s, %s, stages %s, budget %s s, tuner %s, %s, batch %d in order %s, fidelity %s, seed %d"
        .formatted(
            kind.label(),
            data,
            classes,
            width,
            small ? ", small" : "",
            half ? ", float16" : "",
            recipe,
            stages,
            budget,
            tuner,
            pipeline.spec(),
            load.batchSize(),
            load.order(),
            load.fidelity(),
            seed);
  }
}
