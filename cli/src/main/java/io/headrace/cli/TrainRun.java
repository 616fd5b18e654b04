package io.headrace.cli;

import io.headrace.cli.print.Json;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.lab.tune.AccuracyFile;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Pipeline;
import io.headrace.train.fit.DivergedException;
import io.headrace.train.fit.EpochRecord;
import io.headrace.train.fit.FidelityTuner;
import io.headrace.train.fit.Recipe;
import io.headrace.train.fit.Recipe.Schedule;
import io.headrace.train.fit.Stage;
import io.headrace.train.fit.TrainOptions;
import io.headrace.train.fit.Trainer;
import io.headrace.train.net.Net.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the command `train` does. Only it and [CodecsTrainRun] know the classes of the module
/// `train`, which are there for these two commands alone.
final class TrainRun {
  private final Train command;

  TrainRun(Train command) {
    this.command = command;
  }

  Integer call() throws IOException, DivergedException {
    TrainOptions options = options();
    Variant variant = command.accuracyFile == null ? null : variant(command.accuracyFile, options);
    PrintWriter text = command.spec.commandLine().getOut();
    PrintWriter err = command.spec.commandLine().getErr();
    var progress = new Progress(command.json ? null : text, err);
    var done = new CountDownLatch(1);
    var hook =
        new Thread(
            () -> {
              progress.stop();
              try {
                boolean _ = done.await(10, TimeUnit.MINUTES); // the step under way, and the file
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    boolean complete;
    try (var trainer = new Trainer(options, command.feeding.openStore(), progress)) {
      Runtime.getRuntime().addShutdownHook(hook);
      complete = trainer.train();
    } finally {
      done.countDown();
      removeHook(hook);
    }
    if (!complete) {
      err.println("saved in " + command.out + ": the same command goes on from there");
      return Exit.FAILED;
    }
    if (variant != null && !progress.records().isEmpty()) {
      variant.add(100 * progress.records().getLast().validation().top1());
    }
    if (command.json) {
      Json.print(text, progress.records().stream().map(EpochRecord::toMap).toList());
    } else {
      progress.printEnd(text, options);
    }
    text.flush();
    return Exit.DONE;
  }

  private static void removeHook(Thread hook) {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // ending already
    }
  }

  /// What the accuracy of a run is noted under.
  ///
  /// @param known what the file says already
  private record Variant(Path file, AccuracyFile known, String encoding, String resize) {
    void add(double reached) throws IOException {
      known.with(encoding, resize, reached).write(file);
    }
  }

  /// {@return what the accuracy is noted under, found before training, so that nothing is trained
  ///     in vain}
  private static Variant variant(Path file, TrainOptions options) throws IOException {
    if (options.validation() == null) {
      throw new ConfigException("--accuracy-file needs --validation or --validation-split");
    }
    if (options.stages().size() > 1
        || options.stages().getFirst().fidelity() != null
        || options.tuner() != null
        || !options.load().fidelity().at(0).equals(FidelityMix.FULL)) {
      throw new ConfigException(
          "--accuracy-file notes one representation at full fidelity: leave stages and fidelity"
              + " out");
    }
    Manifest made =
        Files.isDirectory(options.data()) ? Manifest.readIfPresent(options.data()) : null;
    Map<String, Object> plan = made == null ? Map.of() : made.plan();
    String encoding = String.valueOf(plan.getOrDefault("encoding", "keep"));
    String resize = String.valueOf(plan.getOrDefault("resize", "keep"));
    AccuracyFile known =
        Files.exists(file)
            ? AccuracyFile.read(file)
            : AccuracyFile.of("top-1 accuracy of " + options.kind().label(), 0.5, Map.of());
    AccuracyFile _ = known.with(encoding, resize, 0); // refuses what has no original yet
    return new Variant(file, known, encoding, resize);
  }

  private TrainOptions options() throws IOException {
    Kind kind = Kind.of(command.model);
    LoadOptions load = command.feeding.builder().digest(false).lastBatch(LastBatch.DROP).build();
    if (!load.fields().isEmpty()) {
      throw new ConfigException("training takes images and labels alone: leave --fields out");
    }
    Recipe usual = Recipe.usual(kind, load.batchSize());
    var recipe =
        new Recipe(
            command.rate == null ? usual.rate() : command.rate,
            command.momentum == null ? usual.momentum() : command.momentum,
            command.decay == null ? usual.decay() : command.decay,
            command.smoothing == null ? usual.smoothing() : command.smoothing,
            command.warmUp == null ? usual.warmUp() : command.warmUp,
            Schedule.of(command.schedule));
    OpenOptions opening = command.source.options(command.feeding.planned());
    String split = command.validationSplit;
    Path asked =
        command.validation == null && split != null ? command.source.path() : command.validation;
    return new TrainOptions(
        command.source.path(),
        opening,
        asked,
        split == null ? opening.withSplit("") : opening.withSplit(split),
        kind,
        command.width,
        command.small,
        recipe,
        half(),
        stages(),
        command.budget == null ? 0 : seconds("--budget", command.budget),
        command.tuner == null ? null : FidelityTuner.parse(command.tuner),
        pipeline(opening),
        Pipeline.parse(
            command.validationPipeline == null ? usualValidation() : command.validationPipeline),
        load,
        command.computeThreads,
        load.seed(),
        command.out,
        seconds("--checkpoint-every", command.checkpointEvery));
  }

  private boolean half() {
    return switch (command.precision) {
      case "float16" -> true;
      case "float32" -> false;
      default ->
          throw new ConfigException(
              "--precision %s: expected float32 or float16".formatted(command.precision));
    };
  }

  private Pipeline pipeline(OpenOptions opening) throws IOException {
    if (command.feeding.hasSteps()) {
      try (Dataset dataset = Datasets.open(command.source.path(), opening)) {
        return command.feeding.steps(dataset);
      }
    }
    return Pipeline.parse(
        "random_resized_crop=%d,flip,normalize=imagenet,float32,chw".formatted(command.size));
  }

  private String usualValidation() {
    return "resize_shorter=%d,center_crop=%d,normalize=imagenet,float32,chw"
        .formatted(Math.round(command.size * 8 / 7.0), command.size);
  }

  private List<Stage> stages() {
    int given =
        (command.epochs == null ? 0 : 1)
            + (command.stages == null ? 0 : 1)
            + (command.budget == null ? 0 : 1);
    if (given != 1) {
      throw new ConfigException("expected one of --epochs N, --stages STAGES and --budget TIME");
    }
    if (command.stages != null) {
      return Stage.parseAll(command.stages);
    }
    return List.of(new Stage(command.epochs == null ? -1 : command.epochs, null, null, 1));
  }

  /// {@return seconds of a time such as `90s`, `30m` or `10h`}
  private static double seconds(String option, String text) {
    int unit = "smhd".indexOf(text.isEmpty() ? '?' : text.charAt(text.length() - 1));
    try {
      double number = Double.parseDouble(text.substring(0, Math.max(0, text.length() - 1)));
      if (unit >= 0 && number >= 0) {
        return number * List.of(1, 60, 3600, 86_400).get(unit);
      }
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "%s '%s': expected a time such as 90s, 30m or 10h".formatted(option, text));
    }
    throw new ConfigException(
        "%s '%s': expected a time such as 90s, 30m or 10h".formatted(option, text));
  }

  /// What is printed while training, and whether it should stop.
  private static final class Progress implements Trainer.Watch {
    private final @Nullable PrintWriter out;
    private final PrintWriter err;
    private final boolean live = Terminal.attached();
    private final List<EpochRecord> records = new ArrayList<>();
    private volatile boolean stops;
    private long shown;
    private boolean titled;

    Progress(@Nullable PrintWriter out, PrintWriter err) {
      this.out = out;
      this.err = err;
    }

    void stop() {
      stops = true;
    }

    List<EpochRecord> records() {
      return records;
    }

    @Override
    public boolean stops() {
      return stops;
    }

    @Override
    public void say(String line) {
      clear();
      err.println(line);
      err.flush();
    }

    @Override
    public void step(long epoch, long images, double loss, double data, double computing) {
      long now = System.nanoTime();
      if (live && now - shown > 250_000_000L) {
        shown = now;
        err.print(
            Terminal.over(
                "epoch %d: %,d images, loss %.3f, waited %.0f ms, computed %.0f ms"
                    .formatted(epoch, images, loss, 1e3 * data, 1e3 * computing)));
        err.flush();
      }
    }

    private void clear() {
      if (live) {
        err.print(Terminal.over(""));
        err.flush();
      }
    }

    @Override
    public void epoch(EpochRecord r, long epochs) {
      records.add(r);
      clear();
      PrintWriter text = out;
      if (text == null) {
        return;
      }
      if (!titled) {
        titled = true;
        text.println(
            " epoch   lr       loss   top-1  val top-1  top-5   images/s  trainer's  goodput");
      }
      text.printf(
          Locale.ROOT,
          "%3d/%-3d  %-7.4g %6.3f %6.1f%%   %6.1f%% %6.1f%% %10s %10s %7.1f%%%n",
          r.epoch() + 1,
          epochs,
          r.rate(),
          r.loss(),
          100 * r.top1(),
          100 * r.validation().top1(),
          100 * r.validation().top5(),
          Units.rate(r.imagesPerSecond()),
          Units.rate(r.computeRate()),
          100 * r.goodput());
      text.flush();
    }

    void printEnd(PrintWriter text, TrainOptions options) {
      if (records.isEmpty()) {
        text.println("complete already: nothing left to train in " + options.out());
        return;
      }
      double seconds = records.stream().mapToDouble(EpochRecord::seconds).sum();
      double bytes = records.stream().mapToDouble(EpochRecord::bytesRead).sum() / records.size();
      text.printf(
          Locale.ROOT,
          "%d epochs in %.1f s, %s read an epoch; records in %s%n",
          records.size(),
          seconds,
          Units.size(bytes),
          options.out().resolve("runs.jsonl"));
    }
  }
}
