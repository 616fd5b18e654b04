package io.headrace.cli.print;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Columns of text: the first is flushed left, the others right.
public final class Table {
  private final List<String[]> rows = new ArrayList<>();

  public Table(String... heads) {
    rows.add(heads);
  }

  public void row(String... cells) {
    rows.add(cells);
  }

  public void print(PrintWriter out) {
    int[] widths = new int[rows.getFirst().length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
      }
    }
    for (String[] row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String pad = " ".repeat(widths[i] - row[i].codePointCount(0, row[i].length()));
        line.append(i == 0 ? row[i] + pad : "  " + pad + row[i]);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
