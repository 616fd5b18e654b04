package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.Decoding;
import picocli.CommandLine.Option;

/// Whether pixels are exact or only look it.
final class Precision {
  @Option(
      names = "--fast",
      description =
          "Pixels that look the same and come much faster (the default): JPEGs are decoded"
              + " smaller and in part where the crop allows, and resized before they get colours.")
  private boolean fast;

  @Option(
      names = "--exact",
      description = "Pixels as Pillow and torchvision make them, of images at full size.")
  private boolean exact;

  Precision() {}

  Decoding decoding() {
    if (fast && exact) {
      throw new ConfigException("--fast and --exact: expected one of them");
    }
    return exact ? Decoding.EXACT : Decoding.FAST;
  }
}
