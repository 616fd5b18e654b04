package io.headrace.load.fetch;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.pipeline.Decoding;
import java.io.IOException;
import java.io.UncheckedIOException;

/// How many of a dataset's samples fit into a cache.
///
/// @param decoded samples that fit into the part for these; NaN if that cannot be told
/// @param encoded samples that fit into the rest
/// @param estimated whether it rests on the sizes of some samples only
record CacheFit(double decoded, double encoded, boolean estimated) {
  /// {@return samples that fit; NaN if that cannot be told}
  double samples() {
    return decoded + encoded;
  }

  /// {@return what fits into the cache that the options ask for}
  ///
  /// @throws ConfigException if decoded samples are to be kept and would change pixels
  /// @throws UncheckedIOException if the dataset's size cannot be read
  static CacheFit of(LoadSetting setting) {
    CacheSpec cache = setting.options().cache();
    double share = cache.decodedShare();
    long bytes = decodedBytes(cache);
    double decoded = 0;
    boolean estimated = false;
    if (share > 0) {
      checkExact(setting.options());
      DecodedSizes sizes = DecodedSizes.of(setting);
      decoded = fit(bytes, sizes.meanBytes());
      estimated = sizes.estimated();
    }
    double encoded = share < 1 ? fit(cache.bytes() - bytes, storedBytes(setting)) : 0;
    return new CacheFit(decoded, encoded, estimated);
  }

  /// {@return bytes of a cache that are for decoded samples}
  static long decodedBytes(CacheSpec cache) {
    return Math.round(cache.decodedShare() * cache.bytes());
  }

  private static double fit(long bytes, double sampleBytes) {
    return bytes / SamplePacking.footprint(sampleBytes, bytes);
  }

  private static double storedBytes(LoadSetting setting) {
    try {
      return (double) setting.dataset().storedBytes() / setting.dataset().size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Fast decoding fits each sample's size to its random crop, and gives no image between steps.
  private static void checkExact(LoadOptions options) {
    if (options.decoding() == Decoding.FAST) {
      throw new ConfigException(
          "cache %s with fast decoding, which depends on the random steps: decode exactly, or keep"
                  .formatted(options.cache().name())
              + " encoded samples");
    }
  }
}
