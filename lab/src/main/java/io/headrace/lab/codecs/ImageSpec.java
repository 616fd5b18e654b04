package io.headrace.lab.codecs;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.spec.Spec;
import java.util.List;
import java.util.stream.Stream;

/// The spelling of image encodings, which is that of `convert --encoding`, with `png:LEVEL`
/// besides.
final class ImageSpec {
  private static final List<String> USUAL =
      List.of(
          "jpeg:95",
          "jpeg:85",
          "jpeg:75",
          "jpeg:50",
          "webp:85",
          "webp:75",
          "webp:50",
          "avif:75",
          "avif:50",
          "png:1",
          "png:6",
          "webp-lossless",
          "qoi",
          "lossless:fast",
          "lossless:balanced",
          "lossless:small",
          "lossless:best",
          "bmp",
          "ppm",
          "raw");

  private ImageSpec() {}

  /// {@return every image encoding at its usual settings, the files as they were found first}
  static List<Setting<ImageEncoding>> usual() {
    return Stream.concat(
            Stream.of(Setting.<ImageEncoding>original()),
            USUAL.stream().map(spec -> Setting.of(spec, ImageSpec::parse)))
        .toList();
  }

  static ImageEncoding parse(String text) {
    Spec spec = Spec.commas("image encoding", text);
    return spec.end(
        switch (spec.name()) {
          case "jpeg" -> new ImageEncoding.Jpeg(spec.number("quality", 75));
          case "webp" -> new ImageEncoding.Webp(spec.number("quality", 75));
          case "avif" -> new ImageEncoding.Avif(spec.number("quality", 60));
          case "png" -> new ImageEncoding.Png(spec.number("level", 6));
          case "lossless" -> {
            String level = spec.next();
            yield new ImageEncoding.Lossless(
                level == null
                    ? LosslessLevel.SMALL
                    : Spec.choice("level of lossless", LosslessLevel.values(), level));
          }
          case "webp-lossless" -> new ImageEncoding.WebpLossless();
          case "qoi" -> new ImageEncoding.Qoi();
          case "bmp" -> new ImageEncoding.Bmp();
          case "ppm" -> new ImageEncoding.Pnm();
          case "raw" -> new ImageEncoding.Raw();
          default -> throw spec.unknown(String.join(", ", USUAL));
        });
  }
}
