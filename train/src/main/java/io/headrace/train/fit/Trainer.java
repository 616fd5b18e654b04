package io.headrace.train.fit;

import io.headrace.convert.inspect.FidelityLikeness;
import io.headrace.error.ConfigException;
import io.headrace.format.ClassNames;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.FidelitySchedule;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.step.Applies;
import io.headrace.store.Store;
import io.headrace.train.fit.Checkpoint.Times;
import io.headrace.train.fit.EpochRecord.Validation;
import io.headrace.train.fit.Learner.Outcome;
import io.headrace.train.net.Net;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Runs a training: epochs over stages, validation, checkpoints, records.
///
/// The same options give the same weights on one thread, however often the run was interrupted.
public final class Trainer implements AutoCloseable {
  /// Takes what happens while training; may ask it to stop.
  public interface Watch {
    /// Called after each step.
    ///
    /// @param epoch under way, from 0
    /// @param images trained on in this epoch so far
    /// @param loss of the batch
    /// @param dataSeconds that the batch was waited for
    /// @param computeSeconds that the step took
    default void step(
        long epoch, long images, double loss, double dataSeconds, double computeSeconds) {}

    /// Called after each epoch.
    ///
    /// @param epochs in all
    default void epoch(EpochRecord record, long epochs) {}

    /// Called where something worth a line happened, such as a choice of fidelity.
    default void say(String line) {}

    /// {@return whether to save and stop}
    default boolean stops() {
      return false;
    }
  }

  private static final String RUNS = "runs.jsonl";

  private final TrainOptions options;
  private final Watch watch;
  private final Learner learner;
  private final EventFile events;
  private final String run;
  private final Store store;
  private final @Nullable ClassNames names;
  private @Nullable Dataset dataset;
  private @Nullable Loader loader;
  private @Nullable Dataset asked;
  private @Nullable Loader questions;
  private int stage = -1;
  private Checkpoint at;
  private long saved = System.nanoTime();

  /// Seconds that the tuner took before this epoch.
  private double tuning;

  /// Opens the datasets and takes up the run where its folder says that it stands.
  ///
  /// @param store where the training data lies
  /// @throws ConfigException if the options make no sense for the data, or the folder is of another
  ///     run
  public Trainer(TrainOptions options, Store store, Watch watch) throws IOException {
    this.options = options;
    this.store = store;
    this.watch = watch;
    Learner.begin(options.threads());
    Files.createDirectories(options.out());
    requireTrainable(options);
    int classes;
    Path path = options.stages().getFirst().data();
    Path where = path == null ? options.data() : path;
    try (Dataset first = Datasets.open(where, options.opening(), store)) {
      classes = classes(first);
      names = first.classes().isEmpty() ? null : new ClassNames(first.classes(), where.toString());
    }
    var spec = new Net.Spec(options.kind(), classes, options.width(), options.small());
    learner = new Learner(spec, options.seed(), options.recipe(), options.half());
    run = options.run(classes);
    try {
      Checkpoint read = Checkpoint.read(options.out(), learner, run);
      at = read == null ? Checkpoint.start(Stage.total(options.stages())) : read;
      if (read != null) {
        watch.say("resumed at epoch %d, step %d".formatted(at.epoch(), at.steps()));
      }
      cutRecords(at.lines());
      events = new EventFile(options.out().resolve("events"), now());
    } catch (IOException | RuntimeException e) {
      learner.close();
      throw e;
    }
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  private Dataset open(Stage of) throws IOException {
    Path path = of.data();
    return Datasets.open(path == null ? options.data() : path, numbered(options.opening()), store);
  }

  /// {@return an opening under which labels have the numbers that they have in the first dataset}
  private OpenOptions numbered(OpenOptions opening) {
    return opening.classes() == null && names != null ? opening.withClasses(names) : opening;
  }

  private static void requireTrainable(TrainOptions options) {
    for (Pipeline pipeline : List.of(options.pipeline(), options.validationPipeline())) {
      if (pipeline.steps().stream().anyMatch(step -> step.kind().applies() == Applies.BATCH)) {
        throw new ConfigException(
            "pipeline '%s': train does not weigh labels, so leave steps on batches out"
                .formatted(pipeline.spec()));
      }
      List<Integer> shape = pipeline.outputSpec().shape();
      if (pipeline.outputSpec().dtype() == DType.BFLOAT16) {
        throw new ConfigException(
            "pipeline '%s' gives bfloat16, which the training library lacks: take float16 or float32"
                .formatted(pipeline.spec()));
      }
      if (shape.size() != 3 || (shape.getFirst() != 3 && shape.getLast() != 3)) {
        throw new ConfigException(
            "pipeline '%s' gives samples of shape %s: expected pictures of three channels"
                .formatted(pipeline.spec(), shape));
      }
    }
    if (options.load().world() != 1) {
      throw new ConfigException("train runs in one process: leave --rank out");
    }
  }

  /// {@return how many classes the labels of a dataset name}
  private static int classes(Dataset dataset) throws IOException {
    if (!dataset.classes().isEmpty()) {
      return dataset.classes().size();
    }
    if (!dataset.indexed()) {
      throw new ConfigException(
          "%s does not say its classes: give them by --classes FILE".formatted(dataset.root()));
    }
    long most = -1;
    try (Dataset.SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (long i = 0; i < dataset.size(); i++) {
        reader.describe(i, sample);
        most = Math.max(most, sample.label());
      }
    }
    if (most < 0) {
      throw new ConfigException(
          "%s has no labels: there is nothing to train for".formatted(dataset.root()));
    }
    return Math.toIntExact(most + 1);
  }

  /// Trains until the end of the run, or until the watch says stop.
  ///
  /// @return whether the run is complete
  /// @throws DivergedException if the loss is no longer a number
  public boolean train() throws IOException, DivergedException {
    while (at.epochs() < 0 || at.epoch() < at.epochs()) {
      if (watch.stops()) {
        save();
        return false;
      }
      if (overBudget()) {
        watch.say(
            "another epoch does not fit into the budget: ended after %d of %d"
                .formatted(at.epoch(), at.epochs()));
        break;
      }
      enterStage();
      chooseFidelity();
      if (!epoch()) {
        save();
        return false;
      }
    }
    return true;
  }

  private boolean overBudget() {
    if (options.budget() == 0 || at.epochs() < 0 || at.epoch() == 0 || !at.loader().isEmpty()) {
      return false;
    }
    return at.spent() + at.spent() / at.epoch() > 1.02 * options.budget();
  }

  /// Opens the dataset of the stage that the epoch is in, if it is not open.
  private void enterStage() throws IOException {
    int number = Stage.at(options.stages(), at.epoch());
    if (number == stage) {
      return;
    }
    closeLoader();
    stage = number;
    Dataset opened = open(options.stages().get(number));
    dataset = opened;
    LoadOptions own = options.load();
    loader = new Loader(opened, options.pipeline(), own);
    if (opened.size() >= 0 && opened.size() < own.batchSize()) {
      throw new ConfigException(
          "%s has %d samples, fewer than a batch of %d"
              .formatted(opened.root(), opened.size(), own.batchSize()));
    }
  }

  private FidelityMix fidelity() {
    FidelityMix own = options.stages().get(stage).fidelity();
    if (own != null) {
      return own;
    }
    return at.fidelity() > 0
        ? FidelityMix.of(at.fidelity())
        : options.load().fidelity().at(at.epoch());
  }

  /// Lets the tuner choose, where it is due.
  private void chooseFidelity() throws IOException {
    long start = System.nanoTime();
    if (at.loader().isEmpty()) {
      switch (options.tuner()) {
        case null -> {}
        case CosineTuner tuner when tuner.due(at.epoch(), at.since()) -> {
          double[] cosines = cosines(tuner);
          chosen(tuner.choose(cosines), cosines, "gradients' cosines");
        }
        case CosineTuner _ -> at = at.tuned(at.fidelity(), at.since() + 1);
        case LikenessTuner tuner when at.epoch() == 0 -> {
          double[] likeness = FidelityLikeness.of(open(), tuner.pictures());
          List<Double> all = Arrays.stream(likeness).boxed().toList();
          chosen(FidelityLikeness.least(all, tuner.least()), likeness, "MS-SSIM");
        }
        case LikenessTuner _ -> {}
      }
    }
    tuning = (System.nanoTime() - start) / 1e9;
  }

  /// Notes a choice; 0 stands for all groups.
  private void chosen(int fidelity, double[] by, String what) {
    watch.say(
        "epoch %d: %s by fidelity %s: %d of %d groups"
            .formatted(at.epoch(), what, rounded(by), fidelity, by.length));
    at = at.tuned(fidelity == by.length ? 0 : fidelity, 0);
  }

  private static String rounded(double[] values) {
    List<String> texts = new ArrayList<>();
    for (double value : values) {
      texts.add("%.3f".formatted(value));
    }
    return String.join(", ", texts);
  }

  /// {@return for each fidelity the cosine of its gradients with those of the full one}
  private double[] cosines(CosineTuner tuner) throws IOException {
    Dataset data = open();
    var all = new float[data.groups()][];
    for (int fidelity = data.groups(); fidelity >= 1; fidelity--) {
      all[fidelity - 1] = gradients(data, tuner, fidelity);
    }
    float[] full = all[all.length - 1];
    var cosines = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      cosines[i] = i == all.length - 1 ? 1 : Gradients.cosine(all[i], full);
    }
    return cosines;
  }

  /// {@return the gradients that a copy of the network has of the same samples at a fidelity}
  private float[] gradients(Dataset data, CosineTuner tuner, int fidelity) throws IOException {
    try (var copy = new Learner(learner.net().spec(), options.seed(), options.recipe(), false);
        var still =
            new Loader(
                data,
                options.validationPipeline(),
                LoadOptions.builder()
                    .batchSize(options.load().batchSize())
                    .threads(options.load().threads())
                    .seed(options.seed())
                    .decoding(options.load().decoding())
                    .regimen(FidelitySchedule.of(FidelityMix.of(fidelity)))
                    .digest(false)
                    .build());
        Epoch epoch = still.epoch(0)) {
      copy.take(learner);
      for (int i = 0; i < tuner.batches(); i++) {
        try (Batch batch = epoch.next()) {
          if (batch == null) {
            break;
          }
          copy.gradients(batch, i);
        }
      }
      return Gradients.of(copy.net().weights());
    }
  }

  private Dataset open() {
    Dataset open = dataset;
    if (open == null) {
      throw new IllegalStateException("no stage is entered");
    }
    return open;
  }

  /// Trains for an epoch, or what is left of it.
  ///
  /// @return whether it is complete
  private boolean epoch() throws IOException, DivergedException {
    Loader from = loader;
    if (from == null) {
      throw new IllegalStateException("no stage is entered");
    }
    from.fidelity(fidelity());
    long number = at.epoch();
    double rate =
        options.recipe().rateOf(number, at.epochs() < 0 ? Long.MAX_VALUE : at.epochs())
            * options.stages().get(stage).rate();
    Times times = at.times();
    Outcome sums = at.sums();
    long steps = at.steps();
    long bytes;
    try (Epoch epoch =
        at.loader().isEmpty() ? from.epoch(number) : from.epoch(LoaderState.parse(at.loader()))) {
      while (true) {
        long asked = System.nanoTime();
        try (Batch batch = epoch.next()) {
          if (batch == null) {
            break;
          }
          long got = System.nanoTime();
          double scale = learner.scale().factor();
          Outcome outcome = learner.learn(batch, rate, options.seed(), steps);
          long done = System.nanoTime();
          sums = sums.plus(outcome);
          steps++;
          if (learner.scale().factor() < scale) {
            watch.say(
                "step %d: gradients overflow in float16, so weights stay; the loss's scale is %s now"
                    .formatted(steps, learner.scale().factor()));
          }
          double waited = (got - asked) / 1e9;
          double computed = (done - got) / 1e9;
          times = times.plus(waited, computed);
          step(number, steps, outcome, sums, waited, computed);
        }
        boolean stops = watch.stops();
        if (stops || due()) {
          at = at.within(steps, epoch.state().toJson(), sums, times);
          save();
          if (stops) {
            return false;
          }
        }
      }
      EpochReport report = epoch.report();
      bytes = report.bytesRead();
      sayLeftOut(number, report);
    }
    end(number, steps, rate, sums, times, bytes);
    return true;
  }

  private void sayLeftOut(long number, EpochReport report) {
    if (report.skipped() + report.substituted() > 0) {
      watch.say(
          "epoch %d: %d bad samples skipped, %d substituted"
              .formatted(number, report.skipped(), report.substituted()));
    }
    if (number == 0 && report.dropped() > 0) {
      watch.say(
          "%d samples that do not fill a batch are left out of each epoch, others each time"
              .formatted(report.dropped()));
    }
  }

  private boolean due() {
    double every = options.checkpointSeconds();
    return every > 0 && System.nanoTime() - saved > every * 1e9;
  }

  private void step(
      long epoch, long steps, Outcome outcome, Outcome sums, double data, double computing)
      throws IOException, DivergedException {
    if (!Double.isFinite(outcome.loss())) {
      throw new DivergedException(
          "the loss is %s in epoch %d, step %d: the last checkpoint in %s stands; try a lower --lr"
              .formatted(outcome.loss(), epoch, steps, options.out()));
    }
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("step/loss", outcome.meanLoss());
    values.put("step/data_seconds", data);
    values.put("step/compute_seconds", computing);
    values.put("step/images_per_second", outcome.images() / Math.max(1e-9, data + computing));
    events.scalars(now(), steps, values);
    watch.step(epoch, sums.images(), outcome.meanLoss(), data, computing);
  }

  /// Validates, records and saves.
  private void end(long number, long steps, double rate, Outcome sums, Times times, long bytes)
      throws IOException {
    double spent = at.spent() + times.all();
    long epochs = at.epochs();
    if (epochs < 0) { // the first epoch of a run with a budget says how many there will be
      epochs = Math.max(1, (long) (options.budget() / times.all()));
      watch.say(
          "an epoch takes %.1f s: %d fit into the budget of %.0f s"
              .formatted(times.all(), epochs, options.budget()));
    }
    var record =
        new EpochRecord(
            number,
            stage,
            open().root().toString(),
            fidelity().toString(),
            rate,
            sums.images(),
            sums.meanLoss(),
            sums.share1(),
            validate(),
            times.all(),
            times.data(),
            times.computing(),
            tuning,
            bytes);
    Files.writeString(
        options.out().resolve(RUNS),
        JsonMapper.shared().writeValueAsString(record.toMap()) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    Map<String, Double> values = new LinkedHashMap<>();
    record
        .toMap()
        .forEach(
            (name, value) -> {
              if (value instanceof Number n && !name.equals("epoch")) {
                values.put("epoch/" + name, n.doubleValue());
              }
            });
    events.scalars(now(), number, values);
    at =
        new Checkpoint(
            number + 1,
            epochs,
            steps,
            "",
            Outcome.NONE,
            Times.NONE,
            spent,
            at.lines() + 1,
            at.fidelity(),
            at.since());
    save();
    watch.epoch(record, epochs);
  }

  private void save() throws IOException {
    at.write(options.out(), learner, run);
    saved = System.nanoTime();
  }

  /// Leaves out records of epochs after the checkpoint: they are run again.
  private void cutRecords(long lines) throws IOException {
    Path file = options.out().resolve(RUNS);
    if (!Files.exists(file)) {
      return;
    }
    List<String> all = Files.readAllLines(file);
    if (all.size() > lines) {
      Path fresh = options.out().resolve(RUNS + ".new");
      Files.write(fresh, all.subList(0, (int) lines));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Validation validate() throws IOException {
    Path path = options.validation();
    if (path == null) {
      return Validation.NONE;
    }
    long start = System.nanoTime();
    Loader from = questions;
    if (from == null) {
      Dataset opened = Datasets.open(path, numbered(options.validationOpening()));
      asked = opened;
      Pipeline pipeline = options.validationPipeline();
      from =
          new Loader(
              opened,
              pipeline,
              LoadOptions.builder()
                  .batchSize(options.load().batchSize())
                  .threads(options.load().threads())
                  .order(OrderSpec.parse("sequential"))
                  .decoding(options.load().decoding())
                  .digest(false)
                  .build());
      questions = from;
    }
    Outcome sums = Outcome.NONE;
    try (Epoch epoch = from.epoch(0)) {
      while (true) {
        try (Batch batch = epoch.next()) {
          if (batch == null) {
            break;
          }
          sums = sums.plus(learner.ask(batch));
        }
      }
    }
    return new Validation(
        sums.images(),
        sums.meanLoss(),
        sums.share1(),
        sums.share5(),
        (System.nanoTime() - start) / 1e9);
  }

  private void closeLoader() throws IOException {
    Loader open = loader;
    if (open != null) {
      open.close();
      loader = null;
    }
    Dataset data = dataset;
    if (data != null) {
      data.close();
      dataset = null;
    }
  }

  @Override
  public void close() throws IOException {
    closeLoader();
    Loader open = questions;
    if (open != null) {
      open.close();
    }
    Dataset data = asked;
    if (data != null) {
      data.close();
    }
    events.close();
    learner.close();
  }
}
