package io.headrace.lab.experiment;

import io.headrace.load.plan.LoadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Trains a network from its start: what experiments ask of the module that can. Whoever makes a
/// [Bench] gives it one.
@FunctionalInterface
public interface Training {
  /// The fidelity that gradients choose while training.
  String TUNED = "auto";

  /// A dataset to learn from.
  ///
  /// @param epochs on it
  /// @param data indexed, of labelled pictures
  /// @param fidelity as `--fidelity` spells it; [#TUNED] for what the gradients choose
  record Part(int epochs, Path data, String fidelity) {}

  /// What is trained.
  ///
  /// @param model as `headrace train --model` names it
  /// @param width factor of its channels
  /// @param rate factor of the learning rate that is usual for the model
  /// @param small whether it is for pictures of about 64 × 64
  /// @param parts one after the other, under one schedule
  /// @param validation dataset to validate on after each epoch
  /// @param steps on each picture in training, as `--pipeline` spells them
  /// @param validationSteps on each picture in validation
  /// @param load how batches are loaded; its seed is that of the weights too
  /// @param store that the parts are read from, as `--store` spells it
  /// @param threads that compute
  /// @param out an empty folder
  record Lesson(
      String model,
      double width,
      double rate,
      boolean small,
      List<Part> parts,
      Path validation,
      String steps,
      String validationSteps,
      LoadOptions load,
      String store,
      int threads,
      Path out) {}

  /// {@return what came of each epoch}
  List<Curve.Epoch> train(Lesson lesson) throws IOException, InterruptedException;
}
