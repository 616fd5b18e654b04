package io.headrace.lab.report;

import java.util.List;
import java.util.Map;

/// Everything a report on encodings shows. Speeds are one core's, in 10⁶ decoded bytes a second.
///
/// @param title headline
/// @param subtitle what was measured: where the files came from, how many
/// @param base what ratios are of, such as `the files as found`
/// @param unit what one item is, such as `image`
/// @param qualities heads of the columns of [Row#quality]
/// @param rows one an encoding, in the order they were tried
/// @param notes what was left out or refused, and why
/// @param machine facts of the machine; the fact of the name Command is shown as what made the
///     report
public record CodecData(
    String title,
    String subtitle,
    String base,
    String unit,
    List<String> qualities,
    List<Row> rows,
    List<String> notes,
    Map<String, String> machine) {
  /// Copies the collections.
  public CodecData {
    qualities = List.copyOf(qualities);
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
  }

  /// One encoding.
  ///
  /// @param name such as `jpeg:75`
  /// @param family such as `jpeg`, which has one colour
  /// @param bytes of one item, mean
  /// @param ratio of its bytes to those of the base
  /// @param encode speed; 0 where nothing was encoded
  /// @param decode speed
  /// @param lossless whether every bit comes back
  /// @param quality one a column; NaN where it does not apply
  /// @param pareto whether it is on the front
  public record Row(
      String name,
      String family,
      double bytes,
      double ratio,
      double encode,
      double decode,
      boolean lossless,
      List<Double> quality,
      boolean pareto) {}
}
