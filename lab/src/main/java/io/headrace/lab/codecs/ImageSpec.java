package io.headrace.lab.codecs;

import io.headrace.convert.TargetEncoding;
import java.util.List;
import java.util.stream.Stream;

/// Image encodings at their usual settings.
final class ImageSpec {
  private static final List<String> USUAL =
      List.of(
          "packed",
          "jpeg:95",
          "jpeg:85",
          "jpeg:75",
          "jpeg:50",
          "webp:85",
          "webp:75",
          "webp:50",
          "avif:75",
          "avif:50",
          "learned:small:1",
          "learned:small:2",
          "learned:small:3",
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
  static List<Setting<TargetEncoding>> usual() {
    return Stream.concat(
            Stream.of(Setting.<TargetEncoding>original()),
            USUAL.stream().map(spec -> Setting.of(spec, TargetEncoding::parse)))
        .toList();
  }
}
