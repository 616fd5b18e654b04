package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.times;

import io.headrace.codec.images.ImageCodecs;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchOptions;
import io.headrace.lab.codecs.BenchResult;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.Headers;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.codecs.Quality;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.report.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Paper B, Table IV: codecs, at low, medium and high quality each.
///
/// The paper encodes photos by JPEG and WebP as they are, but by networks only crops of 224 pixels;
/// here both are encoded by all. Its decoding of JPEG and WebP ends after the header, before any
/// pixel; here both times stand side by side. Seconds are those of one thread, for as many bytes of
/// originals as the paper's five classes have, so that its limit of 7,200 s is the same.
final class LearnedCodecs extends Experiment {
  private static final List<String> RANKS = List.of("low", "medium", "high");

  /// Bytes of the photos of five classes of ImageNet.
  private static final double PAPER_BYTES = 703_498_109;

  /// Bytes of ImageNet over those, both in GiB.
  private static final double IMAGENET = 145.7 / (PAPER_BYTES / (1L << 30));

  /// Seconds that lossyless takes to decode all of ImageNet.
  private static final double LOSSYLESS = 2801;

  /// Pictures that are measured, at most.
  private static final int MAX_PICTURES = 64;

  private static final String WHOLE = "whole ";
  private static final String CROP = "crop ";

  LearnedCodecs() {
    super("learned-codecs", "Do learned codecs make photos smaller, and can they be decoded?");
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    Path crops = bench.work("crops");
    if (Bench.missing(crops)) {
      bench.progress().accept("crops of 224 pixels");
      var cropped =
          Representation.of("folder", "none", "png", "keep", "resize_shorter=256,center_crop=224");
      try (Dataset data = Datasets.open(setup.png())) {
        var _ = new Converter(data, ConvertOptions.of(crops, cropped, 1)).run();
      }
    }
    List<String> there =
        TableFour.ROWS.stream()
            .flatMap(codec -> codec.encodings().stream())
            .filter(this::isThere)
            .toList();
    measure(bench, facts, WHOLE, setup.png(), there);
    measure(bench, facts, CROP, crops, there);
    for (String encoding : there) {
      facts.keep(
          "header " + encoding, () -> Headers.seconds(setup.png(), encoding, bench.work("header")));
    }
    return new Data(setup, facts, Map.of());
  }

  /// {@return whether an encoding can be made: its library is there, or its model}
  private boolean isThere(String encoding) {
    try {
      return ImageCodecs.parse(encoding).lossy();
    } catch (ConfigException e) {
      return false;
    }
  }

  /// Measures what is missing.
  ///
  /// @param what of the pictures, the beginning of the facts' names
  private static void measure(
      Bench bench, Facts facts, String what, Path pictures, List<String> encodings)
      throws IOException, InterruptedException {
    List<String> missing =
        encodings.stream().filter(encoding -> !facts.has(what + "decode " + encoding)).toList();
    if (missing.isEmpty()) {
      return;
    }
    Size size = bench.setup().size();
    int limit = size.samples() == 0 ? MAX_PICTURES : Math.min(MAX_PICTURES, size.samples());
    var options =
        new BenchOptions(pictures, BenchKind.IMAGES, missing, limit, size.repeats(), false);
    BenchResult result =
        CodecBench.run(options, line -> bench.progress().accept(what.strip() + " photos: " + line));
    double megabytes = result.plainBytes() / 1e6 / result.items();
    for (Measured made : result.measured()) {
      if (made.encodeMegabytesPerSecond() > 0) {
        String of = made.name();
        double likeness =
            made.quality() instanceof Quality.Picture(_, _, double msSsim) ? msSsim : 1;
        facts.keep(what + "bytes " + of, made.bytes());
        facts.keep(what + "similarity " + of, likeness);
        facts.keep(what + "encode " + of, megabytes / made.encodeMegabytesPerSecond());
        facts.keep(what + "decode " + of, megabytes / made.decodeMegabytesPerSecond());
      }
    }
  }

  /// {@return bytes of the originals over those of an encoding}
  private static double factor(Data data, String what, String encoding) {
    return data.setup().bytes() / data.fact(what + "bytes " + encoding);
  }

  /// {@return seconds for as many bytes of originals as in the paper}
  private static double seconds(Data data, String fact) {
    return data.fact(fact) * PAPER_BYTES / data.setup().bytes();
  }

  private static List<TableFour> measured(Data data) {
    return TableFour.ROWS.stream()
        .filter(codec -> !codec.encodings().isEmpty())
        .filter(
            codec ->
                codec.encodings().stream().allMatch(e -> data.facts().has(CROP + "decode " + e)))
        .toList();
  }

  /// {@return the learned codecs that were measured}
  ///
  /// @throws ConfigException if there is none
  private static List<TableFour> learned(Data data) {
    return Data.some(
        measured(data).stream().filter(TableFour::learned).toList(),
        "there is no model of a learned codec");
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("B52", "nine codecs: JPEG, WebP, six learned ones, lossyless", "9", this::nine),
        new Claim("B53", "three qualities of each; the higher, the larger", "27", this::rising),
        new Claim(
            "B54",
            "learned codecs compress more than JPEG and WebP, at low, medium, high",
            "8.3×, 9.4×, 8.0×",
            this::smaller),
        new Claim(
            "B55",
            "codecs with a context model are not decoded within 7,200 s",
            "7200+",
            this::stopped),
        new Claim(
            "B57",
            "single images of full size: factors of a third of those in batches of crops",
            "3.8×",
            this::cropped),
        new Claim(
            "B58",
            "all of ImageNet: lossyless decodes 255× and 175× slower than JPEG and WebP",
            "255×, 175×",
            this::decoded),
        new Claim(
            "B59", "JPEG encodes 10× to 944× as fast as learned codecs", "10–944×", this::encoded));
  }

  private Verdict nine(Data data) {
    List<String> names = measured(data).stream().map(TableFour::name).toList();
    List<String> missing =
        TableFour.ROWS.stream()
            .filter(TableFour::inPaper)
            .map(TableFour::name)
            .filter(n -> !names.contains(n))
            .toList();
    if (missing.isEmpty()) {
      return Verdict.of(true, "9", "all were measured");
    }
    throw new ConfigException(
        String.join(", ", missing)
            + " are not there: lossyless gives no image, and the others' weights are not ours to"
            + " ship");
  }

  private Verdict rising(Data data) {
    List<TableFour> codecs = Data.some(measured(data), "no codec was measured");
    boolean rising = true;
    for (TableFour codec : codecs) {
      for (int i = 1; i < RANKS.size(); i++) {
        double higher = factor(data, WHOLE, codec.encodings().get(i));
        rising &= higher < factor(data, WHOLE, codec.encodings().get(i - 1));
      }
    }
    return Verdict.of(
        rising,
        RANKS.size() * codecs.size() + "",
        "whole photos, by " + String.join(", ", codecs.stream().map(TableFour::name).toList()));
  }

  private Verdict smaller(Data data) {
    List<TableFour> learned = learned(data);
    List<Double> gains = new ArrayList<>();
    List<String> likeness = new ArrayList<>();
    for (int i = 0; i < RANKS.size(); i++) {
      int rank = i;
      ToDoubleFunction<TableFour> factor =
          codec -> factor(data, WHOLE, codec.encodings().get(rank));
      TableFour best = Collections.max(learned, Comparator.comparingDouble(factor));
      double others =
          Math.max(factor.applyAsDouble(TableFour.JPEG), factor.applyAsDouble(TableFour.WEBP));
      gains.add(factor.applyAsDouble(best) / others);
      likeness.add(
          format(
              "%.3f against %.3f",
              data.fact(WHOLE + "similarity " + best.encodings().get(i)),
              data.fact(WHOLE + "similarity " + TableFour.WEBP.encodings().get(i))));
    }
    return Verdict.of(
        gains.stream().allMatch(gain -> gain > 1),
        String.join(", ", gains.stream().map(Words::times).toList()),
        "whole photos, the best learned codec against the better of JPEG and WebP; MS-SSIM "
            + String.join(", ", likeness)
            + " of WebP");
  }

  private Verdict stopped(Data data) {
    double least =
        measured(data).stream()
            .filter(TableFour::stopped)
            .flatMap(codec -> codec.encodings().stream())
            .mapToDouble(encoding -> seconds(data, WHOLE + "decode " + encoding))
            .min()
            .orElseThrow(() -> new ConfigException("there is no model with a context model"));
    return Verdict.of(
        least > TableFour.LIMIT,
        format("%,.0f s", least),
        "the quickest of them, for as many bytes of originals, one thread");
  }

  private Verdict cropped(Data data) {
    List<Double> gains =
        Data.some(measured(data), "no codec was measured").stream()
            .flatMap(codec -> codec.encodings().stream())
            .map(encoding -> factor(data, CROP, encoding) / factor(data, WHOLE, encoding))
            .toList();
    return Verdict.of(
        Collections.min(gains) > 1.5,
        format("%.1f to %.1f×", Collections.min(gains), Collections.max(gains)),
        format(
            "the crop to 224 pixels alone makes factors so much larger, that of JPEG 10 %.1f×",
            gains.getFirst()));
  }

  private Verdict decoded(Data data) {
    List<String> slower = new ArrayList<>();
    List<String> headers = new ArrayList<>();
    boolean all = true;
    for (TableFour codec : List.of(TableFour.JPEG, TableFour.WEBP)) {
      String encoding = codec.encodings().getLast();
      double ratio = LOSSYLESS / (IMAGENET * seconds(data, WHOLE + "decode " + encoding));
      all &= ratio > 10;
      slower.add(times(ratio));
      headers.add(
          format(
              "%.0f", data.fact(WHOLE + "decode " + encoding) / data.fact("header " + encoding)));
    }
    return Verdict.of(
        all,
        String.join(", ", slower),
        "the paper's 2,801 s against pixels of JPEG 85 and WebP 85, one thread here; its 11 and 16"
            + " s read headers; pixels take "
            + String.join(" and ", headers)
            + " times as long");
  }

  private Verdict encoded(Data data) {
    List<Double> slower = new ArrayList<>();
    for (TableFour codec : learned(data)) {
      for (int i = 0; i < RANKS.size(); i++) {
        slower.add(
            data.fact(WHOLE + "encode " + codec.encodings().get(i))
                / data.fact(WHOLE + "encode " + TableFour.JPEG.encodings().get(i)));
      }
    }
    double least = Collections.min(slower);
    return Verdict.of(
        least > 8.4, // the least of the paper's own numbers: 42 s against 5
        format("%,.0f to %,.0f×", least, Collections.max(slower)),
        "whole photos, one thread; the paper has networks on a GPU against 256 processes");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    List<Point> likeness = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (TableFour codec : TableFour.ROWS) {
      boolean there = measured(data).contains(codec);
      for (int i = 0; i < RANKS.size() && (there || codec.inPaper()); i++) {
        double no = Double.NaN;
        List<Double> paper =
            codec.inPaper()
                ? List.of(codec.factor().get(i), codec.encode().get(i), codec.decode().get(i))
                : List.of(no, no, no);
        if (codec.inPaper()) {
          points.add(
              new Point(codec.name(), "paper, " + RANKS.get(i), paper.get(0), paper.get(2))
                  .asReference());
        }
        List<Object> row = new ArrayList<>(List.of(codec.name(), RANKS.get(i)));
        if (there) {
          String encoding = codec.encodings().get(i);
          double factor = factor(data, WHOLE, encoding);
          double similarity = data.fact(WHOLE + "similarity " + encoding);
          double decode = seconds(data, WHOLE + "decode " + encoding);
          points.add(new Point(codec.name(), encoding, factor, decode));
          likeness.add(new Point(codec.name(), encoding, factor, similarity));
          row.addAll(
              List.of(
                  factor,
                  factor(data, CROP, encoding),
                  paper.get(0),
                  similarity,
                  seconds(data, WHOLE + "encode " + encoding),
                  seconds(data, CROP + "encode " + encoding),
                  paper.get(1),
                  seconds(data, "header " + encoding),
                  decode,
                  seconds(data, CROP + "decode " + encoding),
                  paper.get(2)));
        } else {
          row.addAll(
              List.of(no, no, paper.get(0), no, no, no, paper.get(1), no, no, no, paper.get(2)));
        }
        rows.add(row);
      }
    }
    return List.of(
        Report.points(
                "Table IV: codecs at three qualities",
                format(
                    "Hollow: the paper, which reads only headers of JPEG and WebP, encodes only"
                        + " crops by networks, and stops decoding after 7,200 s. Seconds are one"
                        + " thread's for 670 MiB of originals, %,.0f photos of this size.",
                    PAPER_BYTES / data.setup().bytes()),
                "log compression factor; log seconds to decode",
                points)
            .with(
                "codec; quality; factor|×; of crops|×; in the paper|×; MS-SSIM|; encode|s;"
                    + " crops|s; in the paper|s; header|s; decode|s; crops|s; in the paper|s",
                rows),
        Report.lines(
            "How like the original photos are, by factor",
            "Whole photos. Factors compare only where the likeness is the same.",
            "log compression factor; MS-SSIM",
            likeness));
  }
}
