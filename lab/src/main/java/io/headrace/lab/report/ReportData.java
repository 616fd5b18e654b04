package io.headrace.lab.report;

import java.util.List;
import java.util.Map;

/// Everything a report shows. Rates are samples a second, sizes are bytes.
///
/// @param title headline
/// @param dataset where the samples came from
/// @param samples how many the dataset has
/// @param advice the pick and why, one paragraph
/// @param limits the limits that were given, in the user's words, such as storage: 2 GiB
/// @param machine facts of the machine, such as CPU: 2 × AMD EPYC; the fact
///     of the name Command is shown as what made the report
/// @param rows one a candidate representation, in the order they were tried
/// @param epochs loading before and after conversion
/// @param consumer samples a second the trainer can take, or 0 if not given
public record ReportData(
    String title,
    String dataset,
    long samples,
    String advice,
    Map<String, String> limits,
    Map<String, String> machine,
    List<Row> rows,
    List<EpochRow> epochs,
    double consumer) {
  /// Copies the collections.
  public ReportData {
    rows = List.copyOf(rows);
    epochs = List.copyOf(epochs);
  }

  /// One candidate representation.
  ///
  /// @param name such as `tfrecord zstd, jpeg 75`
  /// @param bytesPerSample stored bytes of one sample
  /// @param totalBytes stored bytes of the whole dataset, extrapolated
  /// @param quality mean SSIM against the original, 1 where pixels are unchanged
  /// @param predicted samples a second the model expects
  /// @param measured samples a second the loader delivered
  /// @param readMillis thread time to read one sample
  /// @param decodeMillis thread time to decode one sample
  /// @param transformMillis thread time to crop, resize and pack one sample
  /// @param bottleneck of the measured rate
  /// @param feasible whether it is within all limits
  /// @param note why it is not feasible, or what else to know; may be empty
  /// @param original whether this is the dataset as it was found
  /// @param picked whether this is the pick
  public record Row(
      String name,
      double bytesPerSample,
      double totalBytes,
      double quality,
      double predicted,
      double measured,
      double readMillis,
      double decodeMillis,
      double transformMillis,
      String bottleneck,
      boolean feasible,
      String note,
      boolean original,
      boolean picked) {}

  /// One epoch that was loaded.
  ///
  /// @param name such as `original, epoch 2`; what starts with `original` is drawn as before
  /// @param samplesPerSecond delivered rate
  /// @param stallShare share of the epoch that the consumer waited, 0 to 1
  /// @param bottleneck of the rate
  public record EpochRow(
      String name, double samplesPerSecond, double stallShare, String bottleneck) {}
}
