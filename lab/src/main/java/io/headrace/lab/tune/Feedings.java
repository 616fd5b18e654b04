package io.headrace.lab.tune;

import io.headrace.codec.ImageSize;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Model;
import io.headrace.lab.model.Platform;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.CacheSpec;
import io.headrace.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/// How data of one representation are best loaded, predicted: readers, and what is kept in memory,
/// encoded or decoded.
///
/// @param platform to load on
/// @param memoryBytes that may hold data between epochs
/// @param samples of the whole dataset
record Feedings(Platform platform, long memoryBytes, long samples) {
  /// More readers or a cache must give so much more to be worth it.
  private static final double WORTH = 1.03;

  /// Shares of a cache for decoded samples, where not all fit.
  private static final double[] DIVISIONS = {0.25, 0.5, 0.75, 1};

  private static final int[] READERS = {4, 8, 16, 32, 64};

  /// Off-heap bytes beside a cache.
  private static final long BESIDE = 2L << 30;

  /// A way to load, and the rate to expect of it.
  record Feeding(Trial trial, Costs costs, Prediction prediction) {}

  /// {@return the best way to load a dataset, the cheapest first where several are as fast}
  ///
  /// @param trial of the whole dataset
  Feeding best(Trial trial, Costs costs, Model model) {
    Feeding best = null;
    for (Feeding feeding : all(trial, costs, model)) {
      if (best == null || feeding.prediction().rate() > WORTH * best.prediction().rate()) {
        best = feeding;
      }
    }
    if (best == null) {
      throw new IllegalStateException("no way to load " + trial);
    }
    return best;
  }

  private List<Feeding> all(Trial trial, Costs costs, Model model) {
    List<Feeding> all = new ArrayList<>();
    List<Trial> caches = new ArrayList<>(List.of(trial));
    boolean fits = costs.bytes() * samples <= memoryBytes && platform.inMemory();
    boolean none =
        trial.cache() instanceof CacheSpec.None
            && trial.get(Key.COMPRESSION).equals("none") // streams have no cache
            && !trial.get(Key.ORDER).startsWith("two-region");
    if (none && !fits && samples > 0) {
      caches.add(kept(trial, "minio:" + Math.min(memoryBytes, wholeBytes(costs.bytes()))));
    }
    for (Trial one : caches) {
      all.add(new Feeding(one, costs, model.predict(one, costs, platform, samples)));
      for (int readers : READERS) {
        if (!platform.inMemory() && readers > trial.number(Key.READERS)) {
          Trial more = one.with(Key.READERS, readers);
          all.add(new Feeding(more, costs, model.predict(more, costs, platform, samples)));
        }
      }
    }
    double decoded = decodedBytes(trial);
    if (none
        && trial.get(Key.DECODING).equals("exact")
        && Pipeline.parse(trial.get(Key.STEPS)).givesPicture()
        && samples > 0
        && decoded > 0) {
      if (wholeBytes(decoded) <= memoryBytes) {
        Trial pixels = kept(trial, "minio:" + wholeBytes(decoded) + ":decoded");
        Costs hit = costs.keptDecoded(decoded);
        all.add(new Feeding(pixels, hit, model.predict(pixels, hit, platform, samples)));
      } else {
        for (double share : DIVISIONS) {
          all.add(divided(trial, costs, model, decoded, share));
        }
      }
    }
    return all;
  }

  /// {@return a cache of which a share keeps decoded samples and the rest encoded ones: hits cost
  /// what they do on average}
  private Feeding divided(
      Trial trial, Costs costs, Model model, double decodedBytes, double share) {
    double memory = (double) memoryBytes;
    double all = (double) samples;
    double decoded = Math.min(all, share * memory / decodedBytes);
    double encoded = (1 - share) * memory / Math.max(1, costs.keptBytes());
    encoded = Math.min(all - decoded, encoded);
    Costs hit =
        costs.keptDecoded(decodedBytes).mixed(decoded / Math.max(1e-9, decoded + encoded), costs);
    Trial both = kept(trial, "minio:" + memoryBytes + ":decoded=" + share);
    return new Feeding(both, hit, model.predict(both, hit, platform, samples));
  }

  /// {@return bytes of a cache that has room for all samples of that size}
  private long wholeBytes(double sampleBytes) {
    return (long) (1.05 * samples * (sampleBytes + 256)) + (1 << 20);
  }

  private static Trial kept(Trial trial, String cache) {
    long bytes = CacheSpec.parse(cache).bytes();
    return trial.with(Key.CACHE, cache).with(Key.MEMORY, bytes + bytes / 2 + BESIDE);
  }

  /// {@return bytes of the image that is kept, where the first steps give all the same size; else
  /// 0, since it cannot be told}
  private static double decodedBytes(Trial trial) {
    Pipeline first = trial.pipeline().imagePrefix();
    ImageSize size = first.steps().isEmpty() ? null : first.outputSize();
    return size == null ? 0 : size.rgbBytes();
  }
}
