package io.headrace.lab.codecs;

import io.headrace.lab.report.CodecData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A benchmark as its report shows it.
public final class CodecPage {
  private CodecPage() {}

  /// {@return what the report shows}
  ///
  /// @param result of a benchmark
  /// @param path where the files came from
  /// @param machine facts of the machine
  public static CodecData of(BenchResult result, String path, Map<String, String> machine) {
    List<String> notes = new ArrayList<>(result.notes());
    result.refused().forEach(r -> notes.add(r.name() + " was not measured: " + r.reason()));
    return new CodecData(
        title(result.kind()),
        path + ": " + result.content() + seconds(result),
        result.base(),
        unit(result.kind()),
        qualities(result.kind()),
        result.measured().stream().map(m -> row(m, qualities(result.kind()).size())).toList(),
        notes,
        machine);
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
    return result.seconds() == 0
        ? ""
        : String.format(Locale.ROOT, ", %,.0f seconds", result.seconds());
  }

  private static String unit(BenchKind kind) {
    return switch (kind) {
      case IMAGES -> "image";
      case AUDIO -> "sound";
      case STREAMS -> "stream";
      case TENSORS -> "tensor";
    };
  }

  private static List<String> qualities(BenchKind kind) {
    return switch (kind) {
      case IMAGES -> List.of("MS-SSIM", "SSIM", "PSNR, dB");
      case AUDIO -> List.of("SNR, dB");
      case STREAMS -> List.of();
      case TENSORS -> List.of("Largest error");
    };
  }

  private static CodecData.Row row(Measured m, int qualities) {
    List<Double> quality =
        switch (m.quality()) {
          case Quality.Exact _ -> Collections.nCopies(qualities, Double.NaN);
          case Quality.Picture(double psnr, double ssim, double msSsim) ->
              List.of(msSsim, ssim, psnr);
          case Quality.Sound(double snr) -> List.of(snr);
          case Quality.Values(_, double error) -> List.of(error);
        };
    return new CodecData.Row(
        m.name(),
        m.family(),
        m.bytes(),
        m.ratio(),
        m.encodeMegabytesPerSecond(),
        m.decodeMegabytesPerSecond(),
        m.quality() instanceof Quality.Exact,
        quality,
        m.pareto());
  }
}
