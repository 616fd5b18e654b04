package io.headrace.cli;

import io.headrace.cli.options.Source;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Units;
import io.headrace.error.Printable;
import io.headrace.format.Dataset;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.lab.inspect.SoundInspection;
import io.headrace.lab.inspect.Spread;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description =
        "Says what a dataset is made of: counts, sizes, formats, qualities, broken files.",
    footer = {"", "Example:  headrace inspect photos/train"})
final class Inspect implements Callable<Integer> {
  private static final int BROKEN_SHOWN = 20;
  private static final int FIELDS_SHOWN = 40;

  /// Columns that names of fields take at most, before what these are.
  private static final int NAME_WIDTH = 40;
  private static final int CLASSES_SHOWN = 20;

  /// How many of the largest and of the smallest classes are shown.
  private static final int ENDS_SHOWN = 5;

  @Mixin private Source source = new Source();

  @Option(names = "--deep", description = "Decode every image, not just its header.")
  private boolean deep;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Dataset dataset = source.open();
        var _ = new Warnings(spec.commandLine().getErr(), dataset)) {
      Inspection found = Inspector.inspect(dataset, deep);
      Warnings.ofLabels(spec.commandLine().getErr(), found.samples(), found.unlabelled());
      if (json) {
        Json.print(out, found, dataset);
      } else {
        print(out, found, dataset.classes().size());
        dataset.details().forEach((name, value) -> line(out, name, value));
        out.flush();
      }
      return found.broken().isEmpty() ? Exit.DONE : Exit.BAD_DATA;
    }
  }

  private void print(PrintWriter out, Inspection found, int named) {
    out.printf(
        Locale.ROOT,
        "%s: %,d samples, %s%n",
        source.path(),
        found.samples(),
        Units.size(found.storedBytes()));
    line(out, "formats", counts(found.formats()));
    classes(out, found, named);
    if (found.listLabels() > 0) {
      line(
          out,
          "list labels",
          String.format(
              Locale.ROOT, "%,d, kept as a field: no class, -1 in batches", found.listLabels()));
    }
    if (!found.fields().isEmpty()) {
      line(out, "other fields", counts(found.fields()));
      types(out, found);
    }
    long sounds = found.sounds().samples();
    if (sounds > 0 && found.widths().count() > 0) {
      line(
          out,
          "mixed",
          String.format(Locale.ROOT, "%,d images, %,d sounds", found.widths().count(), sounds));
    }
    if (sounds > 0) {
      sounds(out, found.sounds());
    }
    if (sounds == 0 || found.widths().count() > 0) {
      line(out, "width", spread(found.widths()));
      line(out, "height", spread(found.heights()));
    }
    line(
        out,
        sounds == 0 ? "image bytes" : "bytes",
        "%s to %s, median %s, mean %s"
            .formatted(
                Units.size(found.encodedSizes().min()),
                Units.size(found.encodedSizes().max()),
                Units.size(found.encodedSizes().median()),
                Units.size(found.encodedSizes().mean())));
    if (found.qualities().count() > 0) {
      String unknown =
          found.qualityUnknown() == 0 ? "" : ", " + found.qualityUnknown() + " cannot be told";
      line(out, "JPEG quality", spread(found.qualities()) + unknown);
    }
    if (!found.subsamplings().isEmpty()) {
      line(out, "subsampling", counts(found.subsamplings()));
      line(
          out,
          "of these",
          "%,d progressive, %,d grey, %,d rotated by EXIF"
              .formatted(found.progressive(), found.grey(), found.oriented()));
    }
    line(out, "broken", found.broken().isEmpty() ? "none" : "" + found.broken().size());
    found.broken().stream().limit(BROKEN_SHOWN).forEach(b -> out.println("  " + b));
    if (found.broken().size() > BROKEN_SHOWN) {
      out.printf("  … and %d more (--json lists all)%n", found.broken().size() - BROKEN_SHOWN);
    }
    out.flush();
  }

  /// Says of each field what it is, as `--fields` takes it.
  private static void types(PrintWriter out, Inspection found) {
    int shown = Math.min(FIELDS_SHOWN, found.types().size());
    int width =
        found.types().keySet().stream()
            .limit(shown)
            .mapToInt(name -> Printable.of(name).length())
            .max()
            .orElse(0);
    found.types().entrySet().stream()
        .limit(shown)
        .forEach(
            e -> {
              double share = 100.0 * e.getValue().samples() / Math.max(1, found.samples());
              out.printf(
                  Locale.ROOT,
                  "    %-" + Math.max(1, Math.min(width, NAME_WIDTH)) + "s  %-18s %s%n",
                  Printable.of(e.getKey()),
                  e.getValue().type(),
                  share == 100 ? "in all" : String.format(Locale.ROOT, "in %.1f%%", share));
            });
    if (found.types().size() > shown) {
      out.printf("    … and %d more (--json lists all)%n", found.types().size() - shown);
    }
  }

  private static void sounds(PrintWriter out, SoundInspection found) {
    line(out, "sample rate", byNumber(found.rates(), " Hz"));
    line(out, "channels", byNumber(found.channels(), ""));
    line(out, "bits", counts(found.bits()));
    Spread millis = found.millis();
    line(
        out,
        "seconds",
        String.format(
            Locale.ROOT,
            "%.2f to %.2f, median %.2f, mean %.2f, %,.0f in all",
            millis.min() / 1e3,
            millis.max() / 1e3,
            millis.median() / 1e3,
            millis.mean() / 1e3,
            found.seconds()));
    if (found.odd() > 0) {
      line(out, "odd", String.format(Locale.ROOT, "%,d, decoded all the same", found.odd()));
    }
  }

  private static String byNumber(Map<Long, Long> map, String unit) {
    return map.entrySet().stream()
        .map(e -> String.format(Locale.ROOT, "%d%s: %,d", e.getKey(), unit, e.getValue()))
        .collect(Collectors.joining(", "));
  }

  /// Names all classes if they are few, else the largest and the smallest ones.
  private static void classes(PrintWriter out, Inspection found, int named) {
    Map<String, Long> classes = found.classes();
    long empty = named - classes.keySet().stream().filter(name -> !isNone(name)).count();
    String without =
        empty <= 0 ? "" : String.format(Locale.ROOT, "; %,d more without a sample", empty);
    if (classes.size() <= CLASSES_SHOWN) {
      line(out, "classes", classes.size() + ": " + counts(classes) + without);
      return;
    }
    List<Map.Entry<String, Long>> sorted =
        classes.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .toList();
    long most = sorted.getFirst().getValue();
    long fewest = sorted.getLast().getValue();
    line(
        out,
        "classes",
        String.format(
            Locale.ROOT,
            "%,d (--json lists all): %,d to %,d samples, median %,d, imbalance %.1f to 1%s",
            sorted.size(),
            fewest,
            most,
            sorted.get(sorted.size() / 2).getValue(),
            (double) most / fewest,
            without));
    line(out, "most", counts(sorted.subList(0, ENDS_SHOWN)));
    line(
        out,
        "fewest",
        counts(sorted.subList(sorted.size() - ENDS_SHOWN, sorted.size()).reversed()));
  }

  private static boolean isNone(String name) {
    return name.equals(Inspection.NO_CLASS);
  }

  private static void line(PrintWriter out, String name, String value) {
    out.printf("  %-13s %s%n", name, value);
  }

  private static String counts(Map<String, Long> map) {
    return counts(map.entrySet());
  }

  private static String counts(Collection<Map.Entry<String, Long>> entries) {
    return entries.stream()
        .map(e -> String.format(Locale.ROOT, "%s %,d", Printable.of(e.getKey()), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String spread(Spread spread) {
    return String.format(
        Locale.ROOT,
        "%d to %d, median %d, mean %.1f",
        spread.min(),
        spread.max(),
        spread.median(),
        spread.mean());
  }
}
