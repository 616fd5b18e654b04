package io.headrace.lab.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything a report shows. Numbers that are not known are NaN.
///
/// @param title headline
/// @param subtitle what was measured, on what
/// @param advice what to make of it; may be empty
/// @param cards the most important numbers; may be empty
/// @param sections in order
/// @param machine facts of the machine; the fact of the name Command is shown as what made the
///     report
public record Report(
    String title,
    String subtitle,
    String advice,
    List<Card> cards,
    List<Section> sections,
    Map<String, String> machine) {
  /// Copies the lists.
  public Report {
    cards = List.copyOf(cards);
    sections = List.copyOf(sections);
  }

  /// One important number.
  ///
  /// @param label what it is
  /// @param value with its unit
  /// @param note smaller, below it; may be empty
  public record Card(String label, String value, String note) {}

  /// A figure, a table, or both.
  ///
  /// @param title of it
  /// @param text how to read it; may be empty
  /// @param figure drawn; may be missing
  /// @param table may be missing, and is then made of the figure's points
  public record Section(
      String title, String text, @Nullable Figure figure, @Nullable Table table) {}

  /// How points are drawn.
  public enum Kind {
    /// Each for itself.
    POINTS,
    /// Those of a series joined, from left to right.
    LINES,
    /// A bar each, from 0, in groups of the same label.
    BARS,
    /// As bars, those of a label one after the other.
    STACKS
  }

  /// A plot.
  ///
  /// @param kind of marks
  /// @param x of bars, only its title counts: their labels are what they stand for
  /// @param y upwards; of bars, along them
  /// @param points in order
  public record Figure(Kind kind, Axis x, Axis y, List<Point> points) {
    /// Copies the list.
    public Figure {
      points = List.copyOf(points);
    }
  }

  /// One axis.
  ///
  /// @param title with the unit, such as `throughput, samples/s`
  /// @param log whether it is logarithmic
  public record Axis(String title, boolean log) {
    /// {@return a linear axis}
    public static Axis of(String title) {
      return new Axis(title, false);
    }
  }

  /// One value.
  ///
  /// @param series that it belongs to, which has one colour
  /// @param label what it is called, shown on hover; of bars, what it stands for
  /// @param x across; of bars, not used
  /// @param y upwards
  /// @param low end of its interval; NaN if there is none
  /// @param high end of its interval; NaN if there is none
  /// @param reference whether it is another's number that ours stands beside, or one that does not
  ///     count: drawn hollow
  public record Point(
      String series, String label, double x, double y, double low, double high, boolean reference) {
    /// A value of our own without interval.
    public Point(String series, String label, double x, double y) {
      this(series, label, x, y, Double.NaN, Double.NaN, false);
    }

    /// {@return the same as another's number}
    public Point asReference() {
      return new Point(series, label, x, y, low, high, true);
    }
  }

  /// Rows and columns.
  ///
  /// @param columns heads
  /// @param rows as many cells each: texts, numbers, or truth values
  /// @param marked numbers of rows that stand out
  public record Table(List<Column> columns, List<List<Object>> rows, List<Integer> marked) {
    /// Copies the lists.
    public Table {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
      marked = List.copyOf(marked);
    }
  }

  /// The head of a column.
  ///
  /// @param title of it
  /// @param unit empty if there is none; `bytes`, `×` and `share` are shown as people write them
  /// @param number whether cells are numbers
  public record Column(String title, String unit, boolean number) {
    /// {@return a column of texts}
    public static Column text(String title) {
      return new Column(title, "", false);
    }

    /// {@return a column of numbers}
    public static Column number(String title, String unit) {
      return new Column(title, unit, true);
    }
  }
}
