package io.headrace.cli;

import io.headrace.cli.options.Source;
import io.headrace.error.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "train",
    mixinStandardHelpOptions = true,
    description =
        "Trains a learned image codec on a dataset's pictures, at several rates: the same network,"
            + " a file NAME-QUALITY.safetensors for each. The rate in the middle is trained first,"
            + " the others go on from it.",
    footer = {
      "",
      "Example:  headrace codecs train photos/train --name own --out models",
      "          HEADRACE_MODELS=models headrace convert photos/train out/own \\",
      "              --format race --encoding learned:own:2"
    })
final class CodecsTrain implements Callable<Integer> {
  @Mixin Source source = new Source();

  @Option(
      names = "--architecture",
      paramLabel = "NAME",
      description = "bmshj2018-factorized or bmshj2018-hyperprior (the default).")
  String architecture = "bmshj2018-hyperprior";

  @Option(
      names = "--channels",
      paramLabel = "N",
      description = "Channels of the layers (${DEFAULT-VALUE}).")
  int channels = 24;

  @Option(
      names = "--latent",
      paramLabel = "N",
      description = "Channels of the numbers that are coded (${DEFAULT-VALUE}).")
  int latent = 40;

  @Option(
      names = "--weights",
      paramLabel = "W,W,…",
      split = ",",
      defaultValue = "0.003,0.01,0.03",
      description =
          "For qualities 1, 2 and so on, the weight W of the loss, which is W · 255² · MSE + bits a"
              + " pixel (${DEFAULT-VALUE}).")
  List<Double> weights = List.of(0.003, 0.01, 0.03);

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Steps of all rates together (${DEFAULT-VALUE}).")
  int steps = 6000;

  @Option(
      names = "--crop",
      paramLabel = "N",
      description = "Edge of the crops in pixels, a multiple of 64 (${DEFAULT-VALUE}).")
  int crop = 128;

  @Option(names = "--batch", paramLabel = "N", description = "Crops in a step (${DEFAULT-VALUE}).")
  int batch = 4;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      description = "Learning rate of Adam at the start (${DEFAULT-VALUE}).")
  double rate = 0.001;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of weights, crops and noise (${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--compute-threads",
      paramLabel = "N",
      description = "Threads of the deep-learning library; as many as cores.")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the models (${DEFAULT-VALUE}).")
  String name = "own";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the models (${DEFAULT-VALUE}).")
  Path out = Path.of("out/models");

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    try {
      return new CodecsTrainRun(this).call();
    } catch (NoClassDefFoundError e) { // as for the command train
      throw new ConfigException(
          "training needs headrace-train and the deep-learning library, which are not here: run"
              + " ./headrace codecs train in a source tree, which fetches them ("
              + e.getMessage()
              + ")");
    }
  }
}
