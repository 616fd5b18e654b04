package io.headrace.cli;

import io.headrace.cli.options.Opening;
import io.headrace.cli.print.Json;
import io.headrace.convert.inspect.Difference;
import io.headrace.error.Printable;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Compares two datasets by their samples' keys: same samples, same bytes, same"
          + " pixels or sounds, same labels? Containers and order do not matter.",
      "Exit code 3 if samples, pixels, sounds or labels differ."
    },
    footer = {"", "Example:  headrace diff photos/train out/train"})
final class Diff implements Callable<Integer> {
  private static final int SHOWN = 10;

  @Parameters(index = "0", paramLabel = "FIRST", description = "A dataset of any kind.")
  private Path first = Path.of(".");

  @Parameters(index = "1", paramLabel = "SECOND", description = "Another.")
  private Path second = Path.of(".");

  @Mixin private Opening opening = new Opening();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    OpenOptions said = opening.options();
    try (Dataset a = open(first, said);
        Dataset b = open(second, said);
        var _ = new Warnings(spec.commandLine().getErr(), a, b)) {
      Difference.Report report = Difference.of(a, b);
      if (json) {
        Json.print(out, report, a, b);
      } else {
        print(out, report, Content.ofFirst(a) == Content.SOUND ? "sounds" : "pixels");
      }
      out.flush();
      return report.same() ? Exit.DONE : Exit.BAD_DATA;
    }
  }

  /// A dataset with a manifest was made from another one: a split or features do not apply to it.
  private static Dataset open(Path path, OpenOptions said) throws IOException {
    return Datasets.open(path, Opening.planned(path, said).withClasses(said.classes()));
  }

  /// @param what is the same where bytes may differ
  private void print(PrintWriter out, Difference.Report report, String what) {
    out.printf(
        Locale.ROOT,
        "%,d samples in both; the same are: %,d bytes, %,d %s, %,d labels%n",
        report.inBoth(),
        report.sameBytes(),
        report.samePixels(),
        what,
        report.sameLabels());
    list(out, "only in " + first, report.onlyFirst());
    list(out, "only in " + second, report.onlySecond());
    list(out, "other " + what, report.otherPixels());
    list(out, "other label", report.otherLabels());
    list(out, "fault", report.faults());
  }

  private static void list(PrintWriter out, String what, List<String> keys) {
    keys.stream().limit(SHOWN).forEach(key -> out.println("  " + what + ": " + Printable.of(key)));
    if (keys.size() > SHOWN) {
      out.printf("  … and %d more (--json lists all)%n", keys.size() - SHOWN);
    }
  }
}
