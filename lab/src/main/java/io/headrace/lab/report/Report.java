package io.headrace.lab.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
  public record Section(String title, String text, @Nullable Figure figure, @Nullable Table table) {
    /// {@return the same with a table instead of one that is made of the figure's points}
    ///
    /// @param columns as [Table#of] has them
    public Section with(String columns, List<List<Object>> rows) {
      return with(Table.of(columns, rows, List.of()));
    }

    /// {@return the same with that table}
    public Section with(Table other) {
      return new Section(title, text, figure, other);
    }
  }

  /// {@return a section with a figure, whose table is made of the figure's points}
  ///
  /// @param axes titles of both, with `; ` between, after `log ` where one is logarithmic
  private static Section section(
      Kind kind, String title, String text, String axes, List<Point> points) {
    String[] titles = axes.split("; ", -1);
    var figure = new Figure(kind, Axis.of(titles[0]), Axis.of(titles[1]), points);
    return new Section(title, text, figure, null);
  }

  /// {@return a section with points, each for itself; axes as `x; y`, `log x; log y`}
  public static Section points(String title, String text, String axes, List<Point> points) {
    return section(Kind.POINTS, title, text, axes, points);
  }

  /// {@return a section with lines; axes as for [#points]}
  public static Section lines(String title, String text, String axes, List<Point> points) {
    return section(Kind.LINES, title, text, axes, points);
  }

  /// {@return a section with bars; axes as for [#points]}
  public static Section bars(String title, String text, String axes, List<Point> points) {
    return section(Kind.BARS, title, text, axes, points);
  }

  /// {@return a section with bars one after the other; axes as for [#points]}
  public static Section stacks(String title, String text, String axes, List<Point> points) {
    return section(Kind.STACKS, title, text, axes, points);
  }

  /// {@return a section with a table alone}
  ///
  /// @param columns as [Table#of] has them
  public static Section table(String title, String text, String columns, List<List<Object>> rows) {
    return new Section(title, text, null, Table.of(columns, rows, List.of()));
  }

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
    public Figure {
      points = List.copyOf(points);
    }
  }

  /// One axis.
  ///
  /// @param title with the unit, such as `throughput, samples/s`
  /// @param log whether it is logarithmic
  public record Axis(String title, boolean log) {
    private static final String LOG = "log ";

    /// {@return a linear axis; a logarithmic one if the title begins with `log `}
    public static Axis of(String title) {
      boolean log = title.startsWith(LOG);
      return new Axis(log ? title.substring(LOG.length()) : title, log);
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
    public Table {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
      marked = List.copyOf(marked);
    }

    /// {@return a table, some of whose rows stand out}
    ///
    /// @param columns with `; ` between: the title of texts, `title|unit` of numbers
    public static Table of(String columns, List<List<Object>> rows, List<Integer> marked) {
      return new Table(Stream.of(columns.split("; ", -1)).map(Column::of).toList(), rows, marked);
    }
  }

  /// The head of a column.
  ///
  /// @param title of it
  /// @param unit empty if there is none; `bytes`, `×` and `share` are shown as people write them
  /// @param number whether cells are numbers
  public record Column(String title, String unit, boolean number) {
    /// {@return a column of texts, or of numbers with their unit: `title|unit`}
    static Column of(String head) {
      int bar = head.indexOf('|');
      return bar < 0
          ? new Column(head, "", false)
          : new Column(head.substring(0, bar), head.substring(bar + 1), true);
    }
  }
}
