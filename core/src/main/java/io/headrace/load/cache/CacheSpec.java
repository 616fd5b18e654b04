package io.headrace.load.cache;

import io.headrace.error.ConfigException;
import io.headrace.spec.Bytes;
import io.headrace.spec.Spec;

/// Which samples to keep in memory between epochs.
public sealed interface CacheSpec {
  /// {@return bytes it may take, off heap}
  long bytes();

  /// {@return the name users type}
  String name();

  /// {@return whether decoded samples are kept: what the first steps of the pipeline give, those
  ///     that are the same in every epoch}
  default boolean decoded() {
    return decodedShare() > 0;
  }

  /// {@return the share of the bytes that is for decoded samples, 0 to 1}
  default double decodedShare() {
    return 0;
  }

  /// No cache: every sample is read every epoch, from the system's page cache if that has it.
  record None() implements CacheSpec {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public String name() {
      return "none";
    }
  }

  /// The samples used last, as in a page cache. If every epoch is shuffled anew, many samples are
  /// evicted before they are asked for again; in sequential reading all are, until the whole
  /// dataset fits.
  record Lru(long bytes, boolean decoded) implements CacheSpec {
    /// Checks the size.
    public Lru {
      check(bytes);
    }

    /// A cache of encoded samples.
    public Lru(long bytes) {
      this(bytes, false);
    }

    @Override
    public double decodedShare() {
      return decoded ? 1 : 0;
    }

    @Override
    public String name() {
      return decoded ? "lru:decoded" : "lru";
    }
  }

  /// A fixed random subset that is never evicted. So the share of hits is the share of the dataset
  /// that fits (Mohan et al., "Analyzing and mitigating data stalls in DNN training", VLDB
  /// 2021, where it is called MinIO).
  ///
  /// A part of the bytes may keep decoded samples and the rest encoded ones, of which more fit, so
  /// that neither processors nor the device wait for the other (Desai et al., "Preparation meets
  /// opportunity: enhancing data preprocessing for ML training with Seneca", FAST 2026, which keeps
  /// augmented samples too).
  ///
  /// @param decodedShare of the bytes, 0 to 1
  record MinIo(long bytes, double decodedShare) implements CacheSpec {
    /// Checks the size.
    public MinIo {
      check(bytes);
      if (!(decodedShare >= 0 && decodedShare <= 1)) {
        throw new ConfigException(
            "share %s of a cache for decoded samples: expected 0 to 1".formatted(decodedShare));
      }
    }

    /// A cache of encoded samples.
    public MinIo(long bytes) {
      this(bytes, 0);
    }

    @Override
    public String name() {
      String share = decodedShare < 1 ? "=" + decodedShare : "";
      return decoded() ? "minio:decoded" + share : "minio";
    }
  }

  /// The shuffle buffers of this epoch and of the next in the same bytes, in the order of
  /// [io.headrace.order.TwoRegion]. The share of hits is that of MinIO, and the same in every
  /// batch. Disks are read in sequence.
  record TwoRegion(long bytes) implements CacheSpec {
    /// Checks the size.
    public TwoRegion {
      check(bytes);
    }

    @Override
    public String name() {
      return "two-region";
    }
  }

  /// Understands `none`, `lru:SIZE[:decoded]`, `minio:SIZE[:decoded[=SHARE]]` and
  /// `two-region:SIZE`.
  ///
  /// @throws ConfigException if it is none of these
  static CacheSpec parse(String text) {
    Spec spec = Spec.colons("cache", text);
    return switch (spec.name()) {
      case "none" -> spec.bare(None::new);
      case "lru" -> spec.end(new Lru(size(spec), spec.takes("decoded")));
      case "minio" -> spec.end(minIo(spec));
      case "two-region" -> {
        var regions = new TwoRegion(size(spec));
        if (spec.takes("decoded")) {
          throw spec.bad(
              "two-region keeps samples as they are stored; lru and minio may keep them decoded");
        }
        yield spec.end(regions);
      }
      default ->
          throw spec.unknown(
              "none, lru:SIZE[:decoded], minio:SIZE[:decoded[=SHARE]] or two-region:SIZE");
    };
  }

  private static MinIo minIo(Spec spec) {
    long bytes = size(spec);
    double share = spec.optionDecimal("decoded", spec.takes("decoded") ? 1 : 0);
    return new MinIo(bytes, share);
  }

  private static long size(Spec spec) {
    String size = spec.next();
    return Bytes.parse(size == null ? "" : size);
  }

  private static void check(long bytes) {
    if (bytes < 1) {
      throw new ConfigException("cache of %d bytes: expected at least 1".formatted(bytes));
    }
  }
}
