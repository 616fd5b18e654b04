package io.headrace.codec.learned;

import io.headrace.error.ConfigException;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The networks that are known, by CompressAI's names.
public enum Architecture {
  /// J. Ballé et al., "Variational Image Compression with a Scale Hyperprior", without the latter.
  BMSHJ2018_FACTORIZED("bmshj2018-factorized", 0),
  /// The same with it.
  BMSHJ2018_HYPERPRIOR("bmshj2018-hyperprior", 1),
  /// D. Minnen et al., "Joint Autoregressive and Hierarchical Priors", without the former.
  MBT2018_MEAN("mbt2018-mean", 2),
  /// The same with it.
  MBT2018("mbt2018", 3),
  /// Z. Cheng et al., "Learned Image Compression with Discretized Gaussian Mixture Likelihoods and
  /// Attention Modules", with one Gaussian and without attention.
  CHENG2020_ANCHOR("cheng2020-anchor", 4),
  /// The same with attention.
  CHENG2020_ATTN("cheng2020-attn", 5);

  private final String label;
  private final int number;

  Architecture(String label, int number) {
    this.label = label;
    this.number = number;
  }

  /// {@return CompressAI's name}
  public String label() {
    return label;
  }

  /// {@return its number in `.ptci` files}
  int number() {
    return number;
  }

  /// {@return the architecture with that number}
  static Architecture numbered(int number) {
    return Arrays.stream(values()).filter(a -> a.number == number).findFirst().orElseThrow();
  }

  /// {@return whether there is a second string, which says how the numbers of the first spread}
  boolean hyper() {
    return this != BMSHJ2018_FACTORIZED;
  }

  /// {@return whether pixels are coded one after the other}
  boolean serial() {
    return compareTo(MBT2018) >= 0;
  }

  /// {@return the architecture of that name}
  ///
  /// @throws ConfigException if there is none
  public static Architecture of(String label) {
    for (Architecture architecture : values()) {
      if (architecture.label.equals(label)) {
        return architecture;
      }
    }
    throw new ConfigException(
        "unknown architecture '%s': expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(Architecture::label)
                    .collect(Collectors.joining(", "))));
  }
}
