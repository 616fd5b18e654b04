package io.headrace.cli.print;

import io.headrace.lab.tune.Pick;
import io.headrace.lab.tune.Result;
import io.headrace.lab.tune.Tuning;
import java.io.PrintWriter;
import java.util.Locale;

/// A tuning as the terminal shows it.
public final class TuneOutput {
  private TuneOutput() {}

  public static void print(PrintWriter out, Tuning tuning) {
    var table =
        new Table(
            "representation",
            "bytes/sample",
            "SSIM",
            "read ms",
            "decode ms",
            "rest ms",
            "predicted/s",
            "measured/s",
            "spread",
            "bound by");
    for (Result result : tuning.results()) {
      boolean picked = result.equals(tuning.pick().result());
      table.row(
          (picked ? "* " : "  ") + result.candidate().name(),
          Units.size(result.costs().bytes()),
          result.lossless() ? "1" : String.format(Locale.ROOT, "%.3f", result.quality()),
          millis(result.costs().miss().read()),
          millis(result.costs().miss().decode()),
          millis(result.costs().miss().transform()),
          Units.rate(result.predicted()),
          Units.rate(result.measured()),
          result.rates().size() == 1 ? "?" : Math.round(100 * result.spread()) + " %",
          result.storeBound() ? "storage" : result.bottleneck().label());
    }
    table.print(out);
    out.println();
    out.println(wrap(tuning.pick().advice(), 80));
    if (!tuning.pick().passedOver().isEmpty()) {
      out.println();
      out.println("Measured to be faster, but not picked:");
      for (Pick.PassedOver passed : tuning.pick().passedOver()) {
        out.println(
            "  "
                + wrap(passed.result().candidate().name() + ": " + passed.why(), 76)
                    .replace("\n", "\n    "));
      }
    }
    if (!tuning.untried().isEmpty()) {
      out.println();
      out.println("Not measured:");
      for (Tuning.Untried one : tuning.untried()) {
        out.println("  " + wrap(one.name() + ": " + one.why(), 76).replace("\n", "\n    "));
      }
    }
    out.println();
    out.println("By hand: " + tuning.pick().result().trial().command());
    out.println();
    out.println(wrap(tuning.conditions(), 80));
    out.flush();
  }

  private static String millis(double seconds) {
    return String.format(Locale.ROOT, "%.3f", 1000 * seconds);
  }

  public static String wrap(String text, int columns) {
    var wrapped = new StringBuilder();
    int line = 0;
    for (String word : text.split(" ", -1)) {
      if (line > 0 && line + 1 + word.length() > columns) {
        wrapped.append('\n');
        line = 0;
      } else if (line > 0) {
        wrapped.append(' ');
        line++;
      }
      wrapped.append(word);
      line += word.length();
    }
    return wrapped.toString();
  }
}
