package io.headrace.lab.codecs;

import static io.headrace.lab.report.Words.format;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A benchmark as its report shows it.
public final class CodecPage {
  private CodecPage() {}

  /// {@return what the report shows}
  ///
  /// @param result of a benchmark
  /// @param path where the files came from
  /// @param machine facts of the machine
  public static Report of(BenchResult result, String path, Map<String, String> machine) {
    List<String> notes = new ArrayList<>(result.notes());
    result.refused().forEach(r -> notes.add(r.name() + " was not measured: " + r.reason()));
    List<Report.Section> sections = new ArrayList<>();
    sections.add(
        Report.points(
                "Size against decode speed",
                "Up and to the left is better. Hollow: another encoding is at least as small, as"
                    + " fast to decode and as good.",
                "log bytes as a share of " + result.base() + "; log decode, MB/s of one core",
                result.measured().stream().map(m -> point(result, m)).toList())
            .with(table(result)));
    if (!notes.isEmpty()) {
      sections.add(
          Report.table(
              "Notes", "", "note", notes.stream().map(note -> List.<Object>of(note)).toList()));
    }
    return new Report(
        title(result.kind()),
        path + ": " + result.content() + seconds(result),
        "",
        cards(result),
        sections,
        machine);
  }

  private static Point point(BenchResult result, Measured m) {
    var point = new Point(m.family(), m.name(), m.ratio(), m.decodeMegabytesPerSecond());
    return result.pareto(m) ? point : point.asReference();
  }

  private static Report.Table table(BenchResult result) {
    List<String> qualities = qualities(result.kind());
    String columns =
        "encoding; stored|bytes; of %s|×; encode|MB/s; decode|MB/s; lossless"
                .formatted(result.base())
            + qualities.stream().map(head -> "; " + head + "|").collect(Collectors.joining());
    List<List<Object>> rows = new ArrayList<>();
    List<Integer> front = new ArrayList<>();
    for (Measured m : result.measured()) {
      if (result.pareto(m)) {
        front.add(rows.size());
      }
      List<Object> row =
          new ArrayList<>(
              List.of(
                  m.name(),
                  m.bytes(),
                  m.ratio(),
                  m.encodeMegabytesPerSecond() > 0 ? m.encodeMegabytesPerSecond() : Double.NaN,
                  m.decodeMegabytesPerSecond(),
                  m.quality() instanceof Quality.Exact));
      row.addAll(quality(m, qualities.size()));
      rows.add(row);
    }
    return Report.Table.of(columns, rows, front);
  }

  private static List<Double> quality(Measured m, int count) {
    return switch (m.quality()) {
      case Quality.Exact _ -> Collections.nCopies(count, Double.NaN);
      case Quality.Picture(double psnr, double ssim, double msSsim) -> List.of(msSsim, ssim, psnr);
      case Quality.Sound(double snr) -> List.of(snr);
      case Quality.Values(_, double error) -> List.of(error);
    };
  }

  /// {@return the smallest and the fastest of those that lose nothing}
  private static List<Report.Card> cards(BenchResult result) {
    List<Measured> exact =
        result.measured().stream()
            .filter(m -> m.quality() instanceof Quality.Exact && m.encodeMegabytesPerSecond() > 0)
            .toList();
    List<Report.Card> cards = new ArrayList<>();
    Optional<Measured> smallest = exact.stream().min(Comparator.comparingDouble(Measured::ratio));
    smallest.ifPresent(
        m -> cards.add(new Report.Card("Smallest lossless", format("%.3f×", m.ratio()), m.name())));
    Optional<Measured> fastest =
        exact.stream()
            .filter(m -> m.ratio() < 0.99 * result.plainBytes() / result.baseBytes())
            .max(Comparator.comparingDouble(Measured::decodeMegabytesPerSecond));
    fastest.ifPresent(
        m ->
            cards.add(
                new Report.Card(
                    "Fastest lossless decode",
                    format("%,.0f MB/s", m.decodeMegabytesPerSecond()),
                    m.name())));
    return cards;
  }

  private static String title(BenchKind kind) {
    return switch (kind) {
      case IMAGES -> "Image encodings: size against decode speed";
      case AUDIO -> "Sound encodings: size against decode speed";
      case STREAMS -> "Stream compression: size against decode speed";
      case TENSORS -> "Tensor codecs: size against decode speed";
    };
  }

  private static String seconds(BenchResult result) {
    return result.seconds() == 0 ? "" : format(", %,.0f seconds", result.seconds());
  }

  private static List<String> qualities(BenchKind kind) {
    return switch (kind) {
      case IMAGES -> List.of("MS-SSIM", "SSIM", "PSNR, dB");
      case AUDIO -> List.of("SNR, dB");
      case STREAMS -> List.of();
      case TENSORS -> List.of("Largest error");
    };
  }
}
