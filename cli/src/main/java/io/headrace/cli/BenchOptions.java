package io.headrace.cli;

import io.headrace.lab.experiment.Bench;
import io.headrace.lab.experiment.Size;
import io.headrace.lab.experiment.Training;
import io.headrace.spec.Spec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What experiments run on and where their results go.
final class BenchOptions {
  @Option(
      names = "--size",
      paramLabel = "tiny|small|full",
      description =
          "small: few samples, minutes; full: all samples, an hour or more; tiny: whether it works,"
              + " its figures mean little (${DEFAULT-VALUE}).")
  private String size = "small";

  @Option(
      names = "--data",
      paramLabel = "DATASET",
      description = "Photos as JPEG; the embedded ones if not given.")
  private @Nullable Path data;

  @Option(
      names = "--sounds",
      paramLabel = "DIR",
      description = "A folder of recordings; without it claims on sound stay open.")
  private @Nullable Path sounds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (${DEFAULT-VALUE}). What it has of an earlier run is kept.")
  private Path out = Path.of("out/evidence");

  /// {@return where results go}
  Path out() {
    return out;
  }

  /// {@return the bench}
  Bench open(Consumer<String> progress) throws IOException, InterruptedException {
    return new Bench(
        out,
        data == null ? DemoFolder.embedded() : data,
        sounds,
        Spec.choice("size", Size.values(), size),
        training(),
        progress);
  }

  /// {@return what trains, or null if the module is not on the class path: `./headrace` puts it
  ///     there for commands that train}
  private static @Nullable Training training() {
    try {
      return TrainRuns.open();
    } catch (NoClassDefFoundError e) {
      return null;
    }
  }

  /// {@return the options as users spell them}
  String words() {
    return (size.equals("small") ? "" : " --size " + size)
        + (data == null ? "" : " --data " + data)
        + (sounds == null ? "" : " --sounds " + sounds);
  }
}
