package io.headrace.load.plan;

import io.headrace.format.LevelChoice;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.LevelChooser;
import io.headrace.pipeline.Pipeline;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// An epoch's fidelity: how far each sample is read, and what was read so far. Thread-safe.
public final class FidelityCounts {
  private final FidelityMix mix;
  private final Pipeline pipeline;
  private final LoadOptions options;
  private final long epoch;
  private final LongAdder[] samples;
  private final LongAdder[] bytes;

  public FidelityCounts(FidelityMix mix, LoadSetting setting, long epoch) {
    this.mix = mix;
    pipeline = setting.pipeline();
    options = setting.options();
    int groups = setting.dataset().groups();
    this.epoch = epoch;
    samples = adders(groups);
    bytes = adders(groups);
  }

  private static LongAdder[] adders(int groups) {
    var adders = new LongAdder[groups];
    for (int i = 0; i < groups; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /// {@return groups to read of a sample}
  public int draw(long sample, CounterRandom random) {
    return mix.draw(options.seed(), epoch, sample, random);
  }

  /// {@return what chooses levels of pyramids, and bands of packed JPEGs, for one reader; null if
  ///     images are to be read whole}
  public @Nullable LevelChoice levels() {
    if (!choosesLevels(options)) {
      return null;
    }
    var chooser = new LevelChooser(pipeline, options.seed(), epoch);
    return options.fields().isEmpty() ? chooser : chooser.withFields();
  }

  /// {@return whether levels of pyramids are chosen, rather than images read whole}
  ///
  /// They are not chosen where pixels are exact, or where images are turned as a tag says, since
  /// levels have no tag.
  public static boolean choosesLevels(LoadOptions options) {
    return options.decoding() == Decoding.FAST && !options.applyOrientation();
  }

  public void add(int groups, long samplesRead, long bytesRead) {
    int at = Math.min(groups, samples.length) - 1;
    samples[at].add(samplesRead);
    bytes[at].add(bytesRead);
  }

  public List<FidelityReading> readAll() {
    List<FidelityReading> all = new ArrayList<>();
    for (int i = 0; i < samples.length; i++) {
      if (samples[i].sum() > 0) {
        all.add(new FidelityReading(i + 1, samples[i].sum(), bytes[i].sum()));
      }
    }
    return all;
  }
}
