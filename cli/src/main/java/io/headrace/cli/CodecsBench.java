package io.headrace.cli;

import io.headrace.cli.print.CodecsOutput;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Terminal;
import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchOptions;
import io.headrace.lab.codecs.BenchResult;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.CodecPage;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Measures encodings on your own files: bytes, speed of encoding and of decoding (one core,"
            + " CPU time), quality. A star marks the Pareto front of size, decode speed and"
            + " quality.",
    footer = {
      "",
      "Kinds: images and audio re-encode the files; streams compresses their bytes as a"
          + " whole (or, with --decoded, the pixels or samples); tensors encodes float32:"
          + " log-mel spectrograms of sound, or pixels as fractions.",
      "",
      "Example:  headrace codecs bench photos/train",
      "          headrace codecs bench photos/train --encodings png,webp,jpeg:80",
      "          headrace codecs bench recordings --kind tensors --report tensors.html"
    })
final class CodecsBench implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      description = "A folder of images, sound or other files; one file; or a dataset of images")
  private Path path = Path.of(".");

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "images, audio, streams, tensors; auto tells images from sound (default).")
  private String kind = "auto";

  @Option(
      names = "--encodings",
      paramLabel = "LIST",
      split = ",",
      description =
          "Families such as png,webp, or spellings such as jpeg:80, flac:8, zstd:level=12,"
              + " zfp:accuracy=0.05; all usual ones if not given.")
  private List<String> encodings = List.of();

  @Option(
      names = {"--limit", "--samples"},
      paramLabel = "N",
      description = "Files to take, spread over the folder (${DEFAULT-VALUE}).")
  private int limit = 64;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Timed rounds; medians count (${DEFAULT-VALUE}). 1 is a quick look.")
  private int rounds = 5;

  @Option(
      names = "--decoded",
      description = "Streams: compress decoded pixels or samples, not the files' bytes.")
  private boolean decoded;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write an HTML report with a plot too.")
  private @Nullable Path report;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    BenchKind asked = kind.equalsIgnoreCase("auto") ? null : BenchKind.of(kind);
    var options = new BenchOptions(path, asked, encodings, limit, rounds, decoded);
    var status = new Terminal(err);
    BenchResult result = CodecBench.run(options, status::say);
    status.say("");
    result.notes().forEach(note -> err.println("warning: " + note));
    err.flush();
    if (report != null) {
      Map<String, String> machine = Machine.facts();
      machine.put("Command", command());
      HtmlReport.write(CodecPage.of(result, path.toString(), machine), report);
    }
    if (json) {
      Json.print(out, CodecsOutput.toMap(result));
    } else {
      CodecsOutput.print(out, result);
      if (report != null) {
        out.println();
        out.println("report: " + report);
      }
    }
    out.flush();
    return Exit.DONE;
  }

  private String command() {
    return "headrace " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }
}
