package io.headrace.cli;

import io.headrace.cli.options.Source;
import io.headrace.cli.print.Json;
import io.headrace.convert.inspect.Verifier;
import io.headrace.format.Dataset;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = "Checks every record, every image's header, and the manifest.",
    footer = {"", "Example:  headrace verify out/train --deep"})
final class Verify implements Callable<Integer> {
  private static final int FAULTS_SHOWN = 50;

  @Mixin private Source source = new Source();

  @Option(names = "--deep", description = "Decode every image too.")
  private boolean deep;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Dataset dataset = source.open();
        var _ = new Warnings(spec.commandLine().getErr(), dataset)) {
      Verifier.Report report = Verifier.verify(dataset, deep);
      Warnings.ofLabels(spec.commandLine().getErr(), report.samples(), report.unlabelled());
      if (json) {
        Json.print(out, report, dataset);
      } else {
        out.printf(
            Locale.ROOT,
            "%s: %,d samples sound in %d %s, %s, %s%n",
            source.path(),
            report.samples(),
            report.shards(),
            report.shards() == 1 ? "shard" : "shards",
            !report.manifest()
                ? "no manifest to compare with"
                : report.faults().isEmpty() ? "as the manifest says" : "compared with the manifest",
            report.faults().isEmpty() ? "no faults" : report.faults().size() + " faults");
        if (report.packed() > 0) {
          out.printf(
              Locale.ROOT,
              "  %,d of %,d packed JPEGs come back byte for byte, the others with the same"
                  + " pixels%n",
              report.exact(),
              report.packed());
        }
        report.faults().stream().limit(FAULTS_SHOWN).forEach(f -> out.println("  " + f));
        if (report.faults().size() > FAULTS_SHOWN) {
          out.printf("  … and %d more (--json lists all)%n", report.faults().size() - FAULTS_SHOWN);
        }
        out.println("  set digest " + report.setDigest());
      }
      out.flush();
      return report.faults().isEmpty() ? Exit.DONE : Exit.BAD_DATA;
    }
  }
}
