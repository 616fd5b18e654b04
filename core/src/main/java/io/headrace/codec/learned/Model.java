package io.headrace.codec.learned;

import io.headrace.error.ConfigException;
import io.headrace.weights.Safetensors;

/// A network with what a sample tells of it. Immutable.
final class Model {
  private final String file;
  private final long digest;
  private final Architecture architecture;
  private final int quality;
  private final boolean msSsim;
  private final Network network;
  private final boolean ptci;

  /// @param file its name, without the suffix
  /// @param digest of the file
  /// @param weights with architecture, quality (1 to 16) and metric (mse or ms-ssim) as metadata
  /// @throws ConfigException if it is no model
  Model(String file, long digest, Safetensors weights) {
    this.file = file;
    this.digest = digest;
    architecture = Architecture.of(weights.metadata().getOrDefault("architecture", ""));
    msSsim = weights.metadata().getOrDefault("metric", "mse").equals("ms-ssim");
    try {
      quality = Integer.parseInt(weights.metadata().getOrDefault("quality", "1"));
    } catch (NumberFormatException e) {
      throw new ConfigException("%s: quality: %s".formatted(weights.name(), e.getMessage()));
    }
    network = new Network(architecture, weights);
    ptci = file.equals(Models.ptci(architecture.number(), code()));
  }

  String file() {
    return file;
  }

  /// {@return the first 8 bytes of the file's SHA-256}
  long digest() {
    return digest;
  }

  Architecture architecture() {
    return architecture;
  }

  /// {@return the second byte of dl2's header: the metric's number, and the quality from 0}
  int code() {
    return ((msSsim ? 0 : 1) << 4) | ((quality - 1) & 15);
  }

  /// {@return whether a `.ptci` file, which tells architecture, metric and quality, leads to it}
  boolean ptci() {
    return ptci;
  }

  Network network() {
    return network;
  }
}
