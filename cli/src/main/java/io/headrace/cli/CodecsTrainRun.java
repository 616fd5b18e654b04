package io.headrace.cli;

import io.headrace.codec.learned.Architecture;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import io.headrace.train.fit.CodecTrainer;
import io.headrace.train.fit.DivergedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/// What the command `codecs train` does. Only it and [TrainRun] know the classes of the module
/// `train`, which are there for these two commands alone.
final class CodecsTrainRun {
  private final CodecsTrain command;

  CodecsTrainRun(CodecsTrain command) {
    this.command = command;
  }

  Integer call() throws IOException, DivergedException {
    PrintWriter text = command.spec.commandLine().getOut();
    var options =
        new CodecTrainer.Options(
            command.source.path(),
            command.source.options(OpenOptions.DEFAULT),
            Architecture.of(command.architecture),
            command.channels,
            command.latent,
            command.weights,
            command.steps,
            command.crop,
            command.batch,
            command.rate,
            command.seed,
            command.threads,
            command.out,
            command.name);
    new CodecTrainer(
            options,
            new CodecTrainer.Watch() {
              private boolean begun;

              @Override
              public void step(int quality, int steps, int of, double bits, double psnr) {
                if (!begun) {
                  text.printf("%8s %16s %12s %8s%n", "quality", "steps", "bits/pixel", "PSNR");
                  begun = true;
                }
                text.printf(
                    Locale.ROOT,
                    "%8d %16s %12.3f %5.1f dB%n",
                    quality,
                    steps + "/" + of,
                    bits,
                    psnr);
                text.flush();
              }

              @Override
              public void written(Path file) {
                text.println(file);
                text.flush();
              }
            })
        .train(Store.LOCAL);
    return Exit.DONE;
  }
}
