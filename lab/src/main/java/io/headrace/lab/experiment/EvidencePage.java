package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Card;
import io.headrace.lab.report.Report.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Findings as reports show them.
public final class EvidencePage {
  private EvidencePage() {}

  /// {@return what the report shows: every verdict, then the figures of each experiment}
  ///
  /// @param machine facts of the machine
  public static Report report(List<Finding> findings, Map<String, String> machine) {
    List<Section> sections = new ArrayList<>();
    if (findings.size() > 1) {
      sections.add(Hypotheses.section(findings));
    }
    for (Finding finding : findings) {
      sections.add(verdicts(finding));
      sections.addAll(finding.sections());
    }
    return new Report(
        findings.size() == 1 ? findings.getFirst().experiment().name() : "What the papers claim",
        findings.size() == 1
            ? findings.getFirst().experiment().question()
            : "Each claim, the paper's number, what was measured here, and whether it holds.",
        Finding.conditions(findings),
        cards(findings),
        sections,
        machine);
  }

  private static List<Card> cards(List<Finding> findings) {
    List<Card> cards = new ArrayList<>();
    for (Verdict.Outcome outcome : Verdict.Outcome.values()) {
      long count =
          findings.stream()
              .flatMap(f -> f.verdicts().stream())
              .filter(v -> v.outcome() == outcome)
              .count();
      cards.add(new Card(outcome.words(), String.valueOf(count), count == 1 ? "claim" : "claims"));
    }
    return cards;
  }

  private static Section verdicts(Finding finding) {
    List<Claim> claims = finding.experiment().claims();
    List<List<Object>> rows = new ArrayList<>();
    List<Integer> failing = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Verdict verdict = finding.verdicts().get(i);
      if (verdict.outcome() == Verdict.Outcome.FAILS) {
        failing.add(i);
      }
      rows.add(
          List.of(
              claim.id(),
              claim.says(),
              claim.paper(),
              verdict.measured(),
              verdict.outcome().words(),
              verdict.reason()));
    }
    return new Report.Section(
        finding.experiment().name(),
        finding.experiment().question()
            + (finding.failure().isEmpty() ? "" : " It failed: " + finding.failure()),
        null,
        Report.Table.of("row; the paper says; its number; here; verdict; why", rows, failing));
  }

  /// {@return every verdict as names and values, for machines}
  public static List<Map<String, String>> rows(List<Finding> findings) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (Finding finding : findings) {
      List<Claim> claims = finding.experiment().claims();
      for (int i = 0; i < claims.size(); i++) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("id", claims.get(i).id());
        row.put("says", claims.get(i).says());
        row.put("paper", claims.get(i).paper());
        row.put("measured", finding.verdicts().get(i).measured());
        row.put("verdict", finding.verdicts().get(i).outcome().words());
        row.put("reason", finding.verdicts().get(i).reason());
        row.put("command", "headrace experiment " + finding.experiment().name());
        rows.add(row);
      }
    }
    return rows;
  }
}
