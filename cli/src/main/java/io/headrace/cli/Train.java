package io.headrace.cli;

import io.headrace.cli.options.DeliveryOptions;
import io.headrace.cli.options.Source;
import io.headrace.error.ConfigException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
      "Example:  headrace train photos/train --validation photos/val --model resnet18 \\",
      "              --size 64 --small --width 0.25 --epochs 20 --out out/run",
      "          (the same command goes on where it was stopped)",
      "",
      "Stages:   --stages 80@out/low:fidelity=1,10@photos/train:rate=0.5",
      "          EPOCHS[@DATASET][:fidelity=N][:rate=FACTOR]; one schedule over all",
      "",
      "Written to --out: checkpoint.safetensors, runs.jsonl, events/ for TensorBoard"
    })
final class Train implements Callable<Integer> {
  @Mixin Source source = new Source();

  @Mixin DeliveryOptions feeding = new DeliveryOptions();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description =
          "alexnet, resnet18 (the default), resnet50, mobilenet_v3_small, shufflenet_v2_x1_0 or"
              + " squeezenet1_1.")
  String model = "resnet18";

  @Option(
      names = "--width",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Factor of the model's channels (${DEFAULT-VALUE}).")
  double width = 1;

  @Option(
      names = "--small",
      description = "For pictures of about 64 × 64: the first layers keep more pixels.")
  boolean small;

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Edge of the pictures in pixels, unless --pipeline says it (${DEFAULT-VALUE}).")
  int size = 224;

  @Option(
      names = "--validation",
      paramLabel = "DATASET",
      description = "Validate on this dataset after each epoch.")
  @Nullable Path validation;

  @Option(
      names = "--validation-split",
      paramLabel = "NAME",
      description = "The split to validate on, of --validation or else of DATASET.")
  @Nullable String validationSplit;

  @Option(
      names = "--validation-pipeline",
      paramLabel = "STEPS",
      description =
          "Steps on each picture of the validation; by default the shorter side to 8/7 of the size"
              + " and the middle of it.")
  @Nullable String validationPipeline;

  @Option(names = "--epochs", paramLabel = "N", description = "Epochs in all.")
  @Nullable Long epochs;

  @Option(
      names = "--stages",
      paramLabel = "STAGES",
      description = "Epochs on several representations, in place of --epochs; see below.")
  @Nullable String stages;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description =
          "Train for so long, such as 30m or 10h, in place of --epochs: whole epochs that fit, as"
              + " the first one shows; the schedule spans them.")
  @Nullable String budget;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      description =
          "Learning rate; by default the papers' for the model, in proportion to the batch.")
  @Nullable Double rate;

  @Option(names = "--momentum", paramLabel = "M", description = "Momentum (0.875).")
  @Nullable Double momentum;

  @Option(names = "--weight-decay", paramLabel = "D", description = "Weight decay (6.1035e-5).")
  @Nullable Double decay;

  @Option(
      names = "--precision",
      paramLabel = "TYPE",
      description =
          "What the network computes in: float32 (the default) or float16, with weights, batch"
              + " norms and the loss in float32. Meant for GPUs; CPUs are far slower at it.")
  String precision = "float32";

  @Option(names = "--label-smoothing", paramLabel = "S", description = "Label smoothing (0.1).")
  @Nullable Double smoothing;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Epochs in which the learning rate rises (0).")
  @Nullable Integer warmUp;

  @Option(
      names = "--schedule",
      paramLabel = "NAME",
      description = "How the learning rate falls: cosine (the default), steps or constant.")
  String schedule = "cosine";

  @Option(
      names = "--tune-fidelity",
      paramLabel = "auto|msssim",
      description =
          "Choose the fidelity: while training, by gradients,"
              + " auto[:COSINE][:first=N][:every=N][:batches=N]; auto is"
              + " auto:0.8:first=5:every=15:batches=10. Or before, by how like the pictures are to"
              + " the whole ones, msssim[:LIKENESS][:pictures=N]; msssim is"
              + " msssim:0.95:pictures=256.")
  @Nullable String tuner;

  @Option(
      names = "--compute-threads",
      paramLabel = "N",
      description = "Threads of the deep-learning library; as many as cores.")
  int computeThreads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--checkpoint-every",
      paramLabel = "TIME",
      description = "Time between checkpoints within an epoch (${DEFAULT-VALUE}); 0s for none.")
  String checkpointEvery = "10m";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the run (${DEFAULT-VALUE}); if one is there, it goes on.")
  Path out = Path.of("out/train");

  @Option(
      names = "--accuracy-file",
      paramLabel = "FILE",
      description =
          "Add the accuracy of the last epoch to FILE, for tune --max-accuracy-loss, under the"
              + " encoding and size that convert gave the dataset; the original comes first.")
  @Nullable Path accuracyFile;

  @Option(names = "--json", description = "Print one JSON document.")
  boolean json;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    try {
      return new TrainRun(this).call();
    } catch (NoClassDefFoundError e) { // its jars are put on the class path for this command alone
      throw new ConfigException(
          "training needs headrace-train and the deep-learning library, which are not here: run"
              + " ./headrace train in a source tree, which fetches them ("
              + e.getMessage()
              + ")");
    }
  }
}
