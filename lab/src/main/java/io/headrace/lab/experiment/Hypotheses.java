package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Paper B, Table I: its five hypotheses, and what all verdicts together say of them.
public final class Hypotheses {
  /// One of them.
  ///
  /// @param id its number
  /// @param says it in a few words
  /// @param paper its verdict
  /// @param rows claims that bear it out if they hold
  /// @param against whether these rows speak against it
  private record Hypothesis(
      String id, String says, String paper, List<String> rows, boolean against) {}

  private static final List<Hypothesis> ALL =
      List.of(
          new Hypothesis(
              "H1",
              "smaller files lift the throughput of a data loader",
              "confirmed",
              List.of("B26", "B28", "B29", "B30"),
              false),
          new Hypothesis(
              "H2",
              "lossy compression saves much and costs little accuracy, and wins under budgets",
              "confirmed",
              List.of("B33", "B35", "B38", "B41", "B43"),
              false),
          new Hypothesis(
              "H3",
              "regimens of several qualities beat a single one",
              "declined",
              List.of("B48"),
              true),
          new Hypothesis(
              "H4",
              "compression goes together with other remedies",
              "confirmed",
              List.of("B49", "B51"),
              false),
          new Hypothesis(
              "H5",
              "learned codecs compress more, and are too slow to decode",
              "confirmed",
              List.of("B54", "B58", "B59"),
              false));

  private Hypotheses() {}

  /// {@return each hypothesis as names and values: id, says, paper, verdict, rows}
  public static List<Map<String, String>> rows(List<Finding> findings) {
    Map<String, Verdict.Outcome> outcomes = new LinkedHashMap<>();
    for (Finding finding : findings) {
      List<Claim> claims = finding.experiment().claims();
      for (int i = 0; i < claims.size(); i++) {
        outcomes.put(claims.get(i).id(), finding.verdicts().get(i).outcome());
      }
    }
    List<Map<String, String>> rows = new ArrayList<>();
    for (Hypothesis hypothesis : ALL) {
      List<String> words = new ArrayList<>();
      int hold = 0;
      int fail = 0;
      for (String id : hypothesis.rows()) {
        Verdict.Outcome outcome = outcomes.getOrDefault(id, Verdict.Outcome.OPEN);
        hold += outcome == Verdict.Outcome.HOLDS ? 1 : 0;
        fail += outcome == Verdict.Outcome.FAILS ? 1 : 0;
        words.add(id + " " + outcome.words());
      }
      String verdict =
          hold + fail < hypothesis.rows().size()
              ? "open"
              : fail == 0
                  ? hypothesis.against() ? "declined" : "confirmed"
                  : hold == 0
                      ? hypothesis.against() ? "confirmed" : "declined"
                      : "confirmed in part";
      Map<String, String> row = new LinkedHashMap<>();
      row.put("id", hypothesis.id());
      row.put("says", hypothesis.says());
      row.put("paper", hypothesis.paper());
      row.put("verdict", verdict);
      row.put("rows", String.join(", ", words));
      rows.add(row);
    }
    return rows;
  }

  /// {@return the table, for a report of several experiments}
  static Report.Section section(List<Finding> findings) {
    List<List<Object>> cells = new ArrayList<>();
    for (Map<String, String> row : rows(findings)) {
      cells.add(List.copyOf(row.values()));
    }
    return Report.table(
        "Table I: hypotheses (B15)",
        "Each rests on rows below: confirmed if all hold, declined if none does.",
        "hypothesis; it says; in the paper; here; by the rows",
        cells);
  }

  /// {@return the table in Markdown}
  static String markdown(List<Finding> findings) {
    var text =
        new StringBuilder(
            "| ID | hypothesis | in the paper | here | by the rows |\n|---|---|---|---|---|\n");
    for (Map<String, String> row : rows(findings)) {
      text.append("| B15, ").append(String.join(" | ", row.values())).append(" |\n");
    }
    return text.toString();
  }
}
