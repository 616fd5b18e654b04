package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;

import io.headrace.lab.codecs.BenchKind;
import io.headrace.lab.codecs.BenchOptions;
import io.headrace.lab.codecs.BenchResult;
import io.headrace.lab.codecs.CodecBench;
import io.headrace.lab.codecs.Measured;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.trial.Conversion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/// Paper B, Table II: a dataset and its ten lossy variants.
final class Variants extends Experiment {
  static final List<Integer> QUALITIES = List.of(85, 75, 50, 25, 10);
  private static final List<String> CODECS = List.of("jpeg", "webp");
  private static final List<String> VARIANTS =
      Setup.product(CODECS, QUALITIES, (codec, quality) -> codec + ":" + quality);

  /// GiB of ImageNet, by codec and quality; the original has [#ORIGINAL].
  private static final double[][] IMAGENET = {
    {67.5, 51.3, 35.3, 23.6, 14.5}, {56.2, 38.0, 28.4, 19.3, 13.6}
  };

  private static final double ORIGINAL = 145.7;

  /// GiB of Places365 at quality 50, 25, 10, 5, 1, by codec; the original has 109.2.
  private static final double[][] PLACES = {
    {87.4, 52.6, 30.4, 21.8, 17.3}, {57.2, 38.6, 28.0, 22.2, 17.1}
  };

  Variants() {
    super("variants", "How small do JPEG and WebP make a dataset, at five qualities each?");
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    keep(bench, facts, "keep");
    for (String variant : VARIANTS) {
      keep(bench, facts, variant);
    }
    if (!facts.has("encode webp:85")) {
      var options =
          new BenchOptions(
              setup.photos(), BenchKind.IMAGES, List.of("jpeg:85", "webp:85"), 24, 3, false);
      BenchResult result = CodecBench.run(options, line -> {});
      double megabytes = result.plainBytes() / 1e6 / result.items();
      for (Measured made : result.measured()) {
        if (made.encodeMegabytesPerSecond() > 0) {
          facts.keep("encode " + made.name(), megabytes / made.encodeMegabytesPerSecond());
        }
      }
    }
    return new Data(setup, facts, Map.of());
  }

  private static void keep(Bench bench, Facts facts, String encoding)
      throws IOException, InterruptedException {
    if (!facts.has(encoding + " similarity")) {
      Conversion made = bench.runner().prepare(bench.setup().stored(encoding));
      facts.keep(encoding, made.bytesPerSample());
      facts.keep(encoding + " similarity", made.msSsim());
    }
  }

  private static double share(Data data, String encoding) {
    return data.fact(encoding) / data.fact("keep");
  }

  private static DoubleStream shares(Data data, String codec) {
    return QUALITIES.stream().mapToDouble(quality -> share(data, codec + ":" + quality));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("B16", "JPEG and WebP at five qualities: eleven variants", "11", this::eleven),
        new Claim(
            "B17",
            "ImageNet: size falls with quality, to 10 % (JPEG 10), 9 % (WebP 10)",
            "10 %, 9 %",
            this::smaller),
        new Claim(
            "B18",
            "Places365 (quality 75): JPEG 10 takes 28 %, WebP 10 26 %",
            "28 %, 26 %",
            this::places),
        new Claim("B19", "no variant is larger than the original", "", this::none),
        new Claim(
            "B20", "encoding takes time: 116 s for ImageNet at JPEG 85", "0.09 ms", this::seconds),
        new Claim("B21", "WebP is 21 % smaller than JPEG (20.7 % by bytes)", "21 %", this::webp));
  }

  private Verdict eleven(Data data) {
    long made = VARIANTS.stream().filter(variant -> share(data, variant) > 0).count();
    return Verdict.of(made == 10, made + 1 + "", "the original and ten variants were made");
  }

  private Verdict smaller(Data data) {
    boolean falling = true;
    for (int i = 1; i < VARIANTS.size(); i++) {
      falling &=
          i % QUALITIES.size() == 0
              || share(data, VARIANTS.get(i)) <= share(data, VARIANTS.get(i - 1)) + 0.001;
    }
    return Verdict.of(
        falling,
        percent(share(data, "jpeg:10")) + ", " + percent(share(data, "webp:10")),
        "shares of the original's bytes; ImageNet's median quality is 96, so that it shrinks more");
  }

  private Verdict places(Data data) {
    double jpeg = share(data, "jpeg:10");
    double webp = share(data, "webp:10");
    return Verdict.of(
        Math.abs(jpeg - PLACES[0][2] / 109.2) < 0.1 && Math.abs(webp - PLACES[1][2] / 109.2) < 0.1,
        percent(jpeg) + ", " + percent(webp),
        "photos here against Places365, whose files have quality 75");
  }

  private Verdict none(Data data) {
    double most = shares(data, "jpeg").max().orElse(0);
    return Verdict.of(
        most <= 1.001,
        percent(most),
        "largest JPEG variant; a file whose quality is not above the target is kept as it is");
  }

  private Verdict seconds(Data data) {
    double jpeg = data.fact("encode jpeg:85");
    double webp = data.fact("encode webp:85");
    return Verdict.of(
        webp > jpeg,
        format("%.1f ms, %.1f ms", 1000 * jpeg, 1000 * webp),
        "CPU time an image at JPEG 85 and WebP 85; the paper's is wall time of 256 processes");
  }

  private Verdict webp(Data data) {
    double saved = 1 - shares(data, "webp").sum() / shares(data, "jpeg").sum();
    return Verdict.of(saved > 0.1, percent(saved), "by total bytes over the five qualities");
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    rows.add(List.of("original", data.fact("keep"), 1.0, 1.0, 1.0));
    for (int c = 0; c < CODECS.size(); c++) {
      for (int i = 0; i < QUALITIES.size(); i++) {
        int quality = QUALITIES.get(i);
        String encoding = CODECS.get(c) + ":" + quality;
        double ours = share(data, encoding);
        double paper = IMAGENET[c][i] / ORIGINAL;
        points.add(new Point(CODECS.get(c), encoding, quality, 100 * ours));
        points.add(
            new Point(CODECS.get(c), "ImageNet, " + encoding, quality, 100 * paper).asReference());
        rows.add(
            List.of(
                encoding, data.fact(encoding), ours, paper, data.fact(encoding + " similarity")));
      }
    }
    return List.of(
        Report.lines(
                "Table II: the variants",
                "Hollow: ImageNet in the paper.",
                "quality factor; size, % of the original",
                points)
            .with(
                "variant; stored|bytes; of the original|share; of ImageNet|share; MS-SSIM|", rows));
  }
}
