package io.headrace.cli.print;

import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchResult;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.codecs.Quality;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prints what a benchmark of encodings found, for the terminal and for machines.
public final class CodecsOutput {
  private CodecsOutput() {}

  public static void print(PrintWriter out, BenchResult result) {
    out.printf(
        Locale.ROOT,
        "%s: %s%s, %s decoded%n",
        result.kind().label(),
        result.content(),
        result.seconds() > 0 ? String.format(Locale.ROOT, " of %,.1f s", result.seconds()) : "",
        Units.size(result.plainBytes()));
    out.println("ratio of bytes to " + result.base() + "; MB/s of decoded bytes, one core");
    out.println();
    List<String> heads = new ArrayList<>(List.of("encoding", bytesHead(result), "ratio"));
    heads.addAll(List.of("encode MB/s", "decode MB/s"));
    if (result.kind() == BenchKind.AUDIO) {
      heads.addAll(List.of("encode x real time", "decode x real time"));
    }
    heads.addAll(qualityHeads(result.kind()));
    var table = new Table(heads.toArray(String[]::new));
    for (Measured m : result.measured()) {
      List<String> cells = new ArrayList<>();
      cells.add((result.pareto(m) ? "* " : "  ") + m.name());
      cells.add(Units.size(m.bytes()));
      cells.add(number("%.3f", m.ratio()));
      cells.add(rate(m.encodeMegabytesPerSecond()));
      cells.add(rate(m.decodeMegabytesPerSecond()));
      if (result.kind() == BenchKind.AUDIO) {
        cells.add(rate(m.encodeTimesRealTime()));
        cells.add(rate(m.decodeTimesRealTime()));
      }
      cells.addAll(quality(result.kind(), m.quality()));
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
    for (BenchResult.Refused refused : result.refused()) {
      out.println("  " + refused.name() + ": not measured: " + refused.reason());
    }
  }

  private static String bytesHead(BenchResult result) {
    return switch (result.kind()) {
      case IMAGES -> "bytes/image";
      case AUDIO -> "bytes/sound";
      case STREAMS -> "bytes/stream";
      case TENSORS -> "bytes/tensor";
    };
  }

  private static List<String> qualityHeads(BenchKind kind) {
    return switch (kind) {
      case IMAGES -> List.of("PSNR dB", "SSIM", "MS-SSIM");
      case AUDIO -> List.of("SNR dB");
      case STREAMS -> List.of();
      case TENSORS -> List.of("error bound", "max error");
    };
  }

  private static List<String> quality(BenchKind kind, Quality quality) {
    return switch (quality) {
      case Quality.Exact _ -> {
        List<String> cells = new ArrayList<>(qualityHeads(kind));
        cells.replaceAll(_ -> "");
        if (!cells.isEmpty()) {
          cells.set(cells.size() - 1, "lossless");
        }
        yield cells;
      }
      case Quality.Picture(double psnr, double ssim, double msSsim) ->
          List.of(number("%.1f", psnr), number("%.4f", ssim), number("%.4f", msSsim));
      case Quality.Sound(double snr) -> List.of(number("%.1f", snr));
      case Quality.Values(double bound, double error) ->
          List.of(Double.isFinite(bound) ? number("%.2g", bound) : "none", number("%.2g", error));
    };
  }

  private static String rate(double value) {
    return value == 0 ? "" : number(value < 99.95 ? "%,.1f" : "%,.0f", value);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  public static Map<String, Object> toMap(BenchResult result) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("kind", result.kind().label());
    all.put("content", result.content());
    all.put("items", result.items());
    all.put("ratio_of", result.base());
    all.put("base_bytes", result.baseBytes());
    all.put("plain_bytes", result.plainBytes());
    all.put("seconds", finite(result.seconds() == 0 ? Double.NaN : result.seconds()));
    all.put("settings", result.measured().stream().map(m -> toMap(m, result.pareto(m))).toList());
    all.put("refused", result.refused());
    all.put("notes", result.notes());
    return all;
  }

  private static Map<String, Object> toMap(Measured m, boolean pareto) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", m.name());
    map.put("family", m.family());
    map.put("bytes", m.bytes());
    map.put("ratio", m.ratio());
    put(map, "encode_megabytes_per_second", known(m.encodeMegabytesPerSecond()));
    put(map, "decode_megabytes_per_second", m.decodeMegabytesPerSecond());
    put(map, "decode_millis", m.decodeMillis());
    put(map, "encode_times_real_time", known(m.encodeTimesRealTime()));
    put(map, "decode_times_real_time", known(m.decodeTimesRealTime()));
    map.put("lossless", m.quality() instanceof Quality.Exact);
    switch (m.quality()) {
      case Quality.Exact _ -> {}
      case Quality.Picture(double psnr, double ssim, double msSsim) -> {
        put(map, "psnr", psnr);
        put(map, "ssim", ssim);
        put(map, "ms_ssim", msSsim);
      }
      case Quality.Sound(double snr) -> put(map, "snr", snr);
      case Quality.Values(double bound, double error) -> {
        put(map, "error_bound", bound);
        put(map, "max_error", error);
      }
    }
    map.put("pareto", pareto);
    return map;
  }

  private static double known(double value) {
    return value == 0 ? Double.NaN : value;
  }

  /// NaN and infinities become null, since JSON has neither.
  private static void put(Map<String, Object> map, String name, double value) {
    map.put(name, finite(value));
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
