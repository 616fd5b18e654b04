package io.headrace.cli.options;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.Decoding;
import picocli.CommandLine.Option;

/// Whether pixels are exact or only look the same.
public final class DecodingOptions {
  @Option(
      names = "--fast",
      description =
          "Pixels that look the same, much faster (the default): JPEGs are decoded"
              + " smaller and in part where the crop allows, and resized before they get colours;"
              + " images of other kinds are within one level of the exact pixels.")
  private boolean fast;

  @Option(
      names = "--exact",
      description = "Pixels as Pillow and torchvision make them, of images at full size.")
  private boolean exact;

  public Decoding decoding() {
    return decoding(false);
  }

  /// @param exactly whether pixels must be exact
  /// @throws ConfigException if that is not what was asked for, or both were
  Decoding decoding(boolean exactly) {
    if (fast && exact) {
      throw new ConfigException("--fast and --exact: expected one of them");
    }
    if (fast && exactly) {
      throw new ConfigException(
          "--fast with a cache of decoded samples: fast decoding depends on the random steps; leave"
              + " --fast out, for decoded samples are exact, or keep encoded ones");
    }
    return exact || exactly ? Decoding.EXACT : Decoding.FAST;
  }
}
