package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.codecs.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures image encodings on a dataset's own images: bytes, speed of encoding and decoding",
      "(one core, CPU time), quality. A star marks the Pareto front of size, decode speed and SSIM."
    },
    footer = {"", "Example:  headrace codecs bench photos/train --samples 64"})
final class CodecsBench implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "64",
      description = "Images to take, spread over the dataset (${DEFAULT-VALUE}).")
  private int samples = 64;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Timed rounds; medians count (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  CodecsBench() {}

  @Override
  public Integer call() throws IOException {
    if (samples < 1 || rounds < 1) {
      throw new ConfigException("samples and rounds: expected at least 1 of each");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Dataset dataset = source.open(err)) {
      List<Measured> all =
          CodecBench.run(dataset, Setting.images(), samples, rounds, new Status(err)::say);
      if (json) {
        Json.print(out, all);
      } else {
        print(out, all);
      }
      out.flush();
      return Exit.DONE;
    }
  }

  private static void print(PrintWriter out, List<Measured> all) {
    var table =
        new Table(
            "encoding",
            "bytes/image",
            "ratio",
            "encode MB/s",
            "decode MB/s",
            "decode ms",
            "SSIM",
            "PSNR dB");
    for (Measured m : all) {
      table.row(
          (m.pareto() ? "* " : "  ") + m.name(),
          Units.size(m.bytes()),
          number("%.3f", m.ratio()),
          m.encodeMegabytesPerSecond() == 0 ? "" : number("%,.1f", m.encodeMegabytesPerSecond()),
          number("%,.1f", m.decodeMegabytesPerSecond()),
          number("%.3f", m.decodeMillis()),
          m.ssim() >= 1 ? "1" : number("%.4f", m.ssim()),
          Double.isInfinite(m.psnr()) ? "" : number("%.1f", m.psnr()));
    }
    table.print(out);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
