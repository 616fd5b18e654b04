package io.headrace.load.fetch;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.pipeline.Decoding;
import java.io.IOException;
import java.io.UncheckedIOException;

/// How many of a dataset's samples fit into a cache.
///
/// @param samples that fit; NaN if that cannot be told
/// @param estimated whether it rests on the sizes of some samples only
record CacheFit(double samples, boolean estimated) {
  /// {@return what fits into the cache that the options ask for}
  ///
  /// @throws ConfigException if decoded samples are to be kept and would change pixels
  /// @throws UncheckedIOException if the dataset's size cannot be read
  static CacheFit of(LoadSetting setting) {
    double sampleBytes;
    boolean estimated = false;
    if (setting.options().cache().decoded()) {
      checkExact(setting.options());
      DecodedSizes sizes = DecodedSizes.of(setting);
      sampleBytes = sizes.meanBytes();
      estimated = sizes.estimated();
    } else {
      sampleBytes = storedBytes(setting);
    }
    long bytes = setting.options().cache().bytes();
    return new CacheFit((double) bytes / SamplePacking.footprint(sampleBytes, bytes), estimated);
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
