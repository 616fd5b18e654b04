package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.LastBatch;
import io.headrace.pipeline.Pipeline;
import io.headrace.train.fit.CosineTuner;
import io.headrace.train.fit.DivergedException;
import io.headrace.train.fit.EpochRecord;
import io.headrace.train.fit.Recipe;
import io.headrace.train.fit.Recipe.Schedule;
import io.headrace.train.fit.Stage;
import io.headrace.train.fit.TrainOptions;
import io.headrace.train.fit.Trainer;
import io.headrace.train.net.Net.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "train",
    mixinStandardHelpOptions = true,
    description = "Trains a network on a dataset; says what it learns and where the time goes.",
    footer = {
      "",
      "Example:  headrace train photos/train --validation photos/val --model resnet18",
      "              --size 64 --small --width 0.25 --epochs 20 --batch 64 --out out/run",
      "          (the same command goes on where it was stopped)",
      "",
      "Stages:   --stages 80@out/low:fidelity=1,10@photos/train:rate=0.5",
      "          EPOCHS[@DATASET][:fidelity=N][:rate=FACTOR]; one schedule over all",
      "",
      "Written to --out: checkpoint.safetensors, runs.jsonl, events/ for TensorBoard"
    })
final class Train implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Mixin private DeliveryOptions feeding = new DeliveryOptions();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "resnet18",
      description =
          "alexnet, resnet18 (the default), resnet50, mobilenet_v3_small, shufflenet_v2_x1_0 or"
              + " squeezenet1_1.")
  private String model = "resnet18";

  @Option(
      names = "--width",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Factor of the model's channels (${DEFAULT-VALUE}).")
  private double width = 1;

  @Option(
      names = "--small",
      description = "For pictures of about 64 × 64: the first layers keep more pixels.")
  private boolean small;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "224",
      description = "Edge of the pictures in pixels, unless --pipeline says it (${DEFAULT-VALUE}).")
  private int size = 224;

  @Option(
      names = "--validation",
      paramLabel = "DATASET",
      description = "Validate on this dataset after each epoch.")
  private @Nullable Path validation;

  @Option(
      names = "--validation-split",
      paramLabel = "NAME",
      description = "The split to validate on, of --validation or else of DATASET.")
  private @Nullable String validationSplit;

  @Option(
      names = "--validation-pipeline",
      paramLabel = "STEPS",
      description =
          "Steps on each picture of the validation; by default the shorter side to 8/7 of the size"
              + " and the middle of it.")
  private @Nullable String validationPipeline;

  @Option(names = "--epochs", paramLabel = "N", description = "Epochs in all.")
  private @Nullable Long epochs;

  @Option(
      names = "--stages",
      paramLabel = "STAGES",
      description = "Epochs on several representations, in place of --epochs; see below.")
  private @Nullable String stages;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description =
          "Train for so long, such as 30m or 10h, in place of --epochs: whole epochs that fit, as"
              + " the first one shows; the schedule spans them.")
  private @Nullable String budget;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      description = "Learning rate; by default the papers' for the model, in proportion to the batch.")
  private @Nullable Double rate;

  @Option(names = "--momentum", paramLabel = "M", description = "Momentum (0.875).")
  private @Nullable Double momentum;

  @Option(names = "--weight-decay", paramLabel = "D", description = "Weight decay (6.1035e-5).")
  private @Nullable Double decay;

  @Option(names = "--label-smoothing", paramLabel = "S", description = "Label smoothing (0.1).")
  private @Nullable Double smoothing;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Epochs in which the learning rate rises (0).")
  private @Nullable Integer warmUp;

  @Option(
      names = "--schedule",
      paramLabel = "NAME",
      defaultValue = "cosine",
      description = "How the learning rate falls: cosine (the default), steps or constant.")
  private String schedule = "cosine";

  @Option(
      names = "--tune-fidelity",
      paramLabel = "auto[:COSINE]",
      description =
          "Choose the fidelity while training, by gradients:"
              + " auto[:COSINE][:first=N][:every=N][:batches=N]; auto is"
              + " auto:0.8:first=5:every=15:batches=10.")
  private @Nullable String tuner;

  @Option(
      names = "--compute-threads",
      paramLabel = "N",
      description = "Threads of the deep-learning library; as many as cores.")
  private int computeThreads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--checkpoint-every",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "Time between checkpoints within an epoch (${DEFAULT-VALUE}); 0s for none.")
  private String checkpointEvery = "10m";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/train",
      description = "Folder of the run (${DEFAULT-VALUE}); if one is there, it goes on.")
  private Path out = Path.of("out/train");

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  Train() {}

  @Override
  public Integer call() throws IOException, DivergedException {
    TrainOptions options = options();
    PrintWriter text = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    var progress = new Progress(json ? null : text, err);
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
    try (var trainer = new Trainer(options, feeding.openStore(), progress)) {
      Runtime.getRuntime().addShutdownHook(hook);
      complete = trainer.train();
    } finally {
      done.countDown();
      removeHook(hook);
    }
    if (!complete) {
      err.println("saved in " + out + ": the same command goes on from there");
      return Exit.FAILED;
    }
    if (json) {
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

  private TrainOptions options() throws IOException {
    Kind kind = Kind.of(model);
    LoadOptions load = feeding.builder().digest(false).lastBatch(LastBatch.DROP).build();
    Recipe usual = Recipe.usual(kind, load.batchSize());
    var recipe =
        new Recipe(
            rate == null ? usual.rate() : rate,
            momentum == null ? usual.momentum() : momentum,
            decay == null ? usual.decay() : decay,
            smoothing == null ? usual.smoothing() : smoothing,
            warmUp == null ? usual.warmUp() : warmUp,
            Schedule.of(schedule));
    OpenOptions opening = source.options(feeding.planned());
    String split = validationSplit;
    Path asked = validation == null && split != null ? source.path() : validation;
    return new TrainOptions(
        source.path(),
        opening,
        asked,
        split == null ? opening.withSplit("") : opening.withSplit(split),
        kind,
        width,
        small,
        recipe,
        stages(),
        budget == null ? 0 : seconds("--budget", budget),
        tuner == null ? null : CosineTuner.parse(tuner),
        feeding.hasSteps() ? feeding.steps() : usualPipeline(),
        Pipeline.parse(validationPipeline == null ? usualValidation() : validationPipeline),
        load,
        computeThreads,
        load.seed(),
        out,
        seconds("--checkpoint-every", checkpointEvery));
  }

  private Pipeline usualPipeline() {
    return Pipeline.parse(
        "random_resized_crop=%d,flip,normalize=imagenet,float32,chw".formatted(size));
  }

  private String usualValidation() {
    return "resize_shorter=%d,center_crop=%d,normalize=imagenet,float32,chw"
        .formatted(Math.round(size * 8 / 7.0), size);
  }

  private List<Stage> stages() {
    int given = (epochs == null ? 0 : 1) + (stages == null ? 0 : 1) + (budget == null ? 0 : 1);
    if (given != 1) {
      throw new ConfigException("expected one of --epochs N, --stages STAGES and --budget TIME");
    }
    if (stages != null) {
      return Stage.parseAll(stages);
    }
    return List.of(new Stage(epochs == null ? -1 : epochs, null, null, 1));
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
