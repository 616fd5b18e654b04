package io.headrace.lab.tune;

import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.nio.file.Path;
import java.util.List;

/// How to tune.
///
/// @param pipeline the trainer's
/// @param load how batches will be loaded
/// @param limits on the choice
/// @param candidates to try; the first is the original
/// @param samples to convert and load for each
/// @param repeats measured epochs of each candidate, in turn with the others; medians count
/// @param seconds that a measurement lasts at least: epochs are loaded until they are over
/// @param work folder for converted samples, removed at the end
public record TuneOptions(
    Pipeline pipeline,
    LoadOptions load,
    Limits limits,
    List<Candidate> candidates,
    int samples,
    int repeats,
    double seconds,
    Path work) {
  /// Copies the list.
  public TuneOptions {
    candidates = List.copyOf(candidates);
  }
}
