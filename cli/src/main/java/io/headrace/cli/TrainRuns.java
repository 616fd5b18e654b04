package io.headrace.cli;

import io.headrace.format.OpenOptions;
import io.headrace.lab.experiment.Curve;
import io.headrace.lab.experiment.Training;
import io.headrace.load.plan.FidelityMix;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Stores;
import io.headrace.train.fit.CosineTuner;
import io.headrace.train.fit.DivergedException;
import io.headrace.train.fit.EpochRecord;
import io.headrace.train.fit.Recipe;
import io.headrace.train.fit.Stage;
import io.headrace.train.fit.TrainOptions;
import io.headrace.train.fit.Trainer;
import io.headrace.train.net.Net.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What trains networks for experiments: the module `train`, where it is there.
final class TrainRuns implements Training {
  /// The tuner's own epochs are those of 90: the first time before epoch 5, then every 15.
  private static final int USUAL_EPOCHS = 90;

  private TrainRuns() {}

  /// {@return what trains}
  ///
  /// @throws NoClassDefFoundError if the module is not on the class path; it may come from the call
  ///     itself, since this class names the module's
  static Training open() {
    var _ = Kind.values();
    return new TrainRuns();
  }

  @Override
  public List<Curve.Epoch> train(Lesson lesson) throws IOException {
    Kind kind = Kind.of(lesson.model());
    List<Stage> stages = new ArrayList<>();
    boolean tuned = false;
    for (Part stage : lesson.parts()) {
      boolean auto = stage.fidelity().equals(TUNED);
      tuned |= auto;
      FidelityMix fidelity = auto ? null : FidelityMix.parse(stage.fidelity());
      stages.add(new Stage(stage.epochs(), stage.data(), fidelity, lesson.rate()));
    }
    var options =
        new TrainOptions(
            lesson.parts().getFirst().data(),
            OpenOptions.DEFAULT,
            lesson.validation(),
            OpenOptions.DEFAULT,
            kind,
            lesson.width(),
            lesson.small(),
            Recipe.usual(kind, lesson.load().batchSize()),
            false,
            stages,
            0,
            tuned ? tuner(lesson) : null,
            Pipeline.parse(lesson.steps()),
            Pipeline.parse(lesson.validationSteps()),
            lesson.load(),
            lesson.threads(),
            lesson.load().seed(),
            lesson.out(),
            0);
    var recorder = new TrainRunRecorder();
    try (var trainer = new Trainer(options, Stores.parse(lesson.store()), recorder)) {
      boolean _ = trainer.train();
    } catch (DivergedException e) {
      throw new IOException(lesson.model() + ": " + e.getMessage(), e);
    }
    return recorder.epochs;
  }

  /// {@return the paper's tuner, its epochs in proportion to those of the lesson} In a short lesson
  /// it looks at two batches, since the paper's ten would cost more than they save.
  private static CosineTuner tuner(Lesson lesson) {
    int epochs = lesson.parts().stream().mapToInt(Part::epochs).sum();
    CosineTuner usual = CosineTuner.USUAL;
    return new CosineTuner(
        usual.least(),
        Math.max(1, Math.round((float) usual.first() * epochs / USUAL_EPOCHS)),
        Math.max(2, Math.round((float) usual.every() * epochs / USUAL_EPOCHS)),
        epochs < USUAL_EPOCHS ? 2 : usual.batches());
  }

  /// Keeps what experiments ask of an epoch.
  private static final class TrainRunRecorder implements Trainer.Watch {
    private final List<Curve.Epoch> epochs = new ArrayList<>();

    @Override
    public void epoch(EpochRecord r, long all) {
      epochs.add(
          new Curve.Epoch(
              r.validation().top1(),
              r.images(),
              r.seconds() + r.tuningSeconds(),
              r.computeSeconds(),
              r.bytesRead(),
              r.fidelity()));
    }
  }
}
