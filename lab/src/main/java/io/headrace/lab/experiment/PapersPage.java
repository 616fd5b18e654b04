package io.headrace.lab.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The page on all rows of the papers. Those that a test shows, and those that nothing shows, come
/// from the resource `papers.md`; those that experiments judge are computed.
public final class PapersPage {
  private static final String SLOT = "{{measured}}\n";

  private PapersPage() {}

  /// {@return the page, in Markdown}
  ///
  /// @param machine facts of the machine
  public static String of(List<Finding> findings, Map<String, String> machine) throws IOException {
    String command =
        machine
            .getOrDefault("Command", "headrace evidence")
            .replaceAll("(--data|--sounds) \\S+", "$1 DIR"); // where it ran is nobody's business
    String facts =
        machine.entrySet().stream()
            .filter(fact -> !fact.getKey().equals("Command"))
            .map(fact -> fact.getKey() + " " + fact.getValue())
            .collect(Collectors.joining("; "));
    var measured =
        new StringBuilder("Measured by `%s` on: %s. ".formatted(command, facts))
            .append(Finding.conditions(findings))
            .append("\n\n")
            .append("| ID | the paper says | its number | here | verdict | why | command |\n")
            .append("|---|---|---|---|---|---|---|\n");
    for (Map<String, String> row : EvidencePage.rows(findings)) {
      row.replaceAll((key, text) -> text.replace("|", "\\|").replace("\n", " "));
      row.replaceAll((key, text) -> text.isEmpty() ? "–" : text);
      row.replace("command", "`" + row.get("command") + "`");
      measured.append("| ").append(String.join(" | ", row.values())).append(" |\n");
    }
    if (findings.size() > 1) {
      measured.append('\n').append(Hypotheses.markdown(findings));
    }
    return rows().replace(SLOT, measured);
  }

  /// {@return the page without what was measured}
  public static String rows() throws IOException {
    try (InputStream in = PapersPage.class.getResourceAsStream("papers.md")) {
      if (in == null) {
        throw new AssertionError("resource missing from the jar: papers.md");
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
