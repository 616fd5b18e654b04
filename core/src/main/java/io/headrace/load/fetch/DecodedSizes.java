package io.headrace.load.fetch;

import io.headrace.codec.ImageSize;
import io.headrace.codec.plain.RawCodec;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import java.io.IOException;
import java.io.UncheckedIOException;

/// How large a dataset's samples are once they are decoded.
///
/// @param meanBytes of a sample as a cache keeps it; NaN if none that was looked at could be read
/// @param estimated whether it is the mean of some samples only
public record DecodedSizes(double meanBytes, boolean estimated) {
  /// Samples to look at, evenly spread.
  private static final int MAX = 128;

  /// {@return a pipeline in two parts, between which samples are kept}
  public static Pipeline.Split split(Pipeline pipeline) {
    return pipeline.split(pipeline.imagePrefix().steps().size());
  }

  /// {@return the sizes after the steps before keeping. If these give all images the same size it
  ///     is that one; else headers of at most 128 samples are read}
  ///
  /// @throws UncheckedIOException if the dataset cannot be opened
  static DecodedSizes of(LoadSetting setting) {
    Dataset dataset = setting.dataset();
    MemoryBudget budget = setting.budget();
    Pipeline prefix = split(setting.pipeline()).offline();
    ImageSize same = prefix.outputSize();
    if (same != null) {
      return new DecodedSizes(bytes(same), false);
    }
    long looks = Math.min(MAX, dataset.size());
    long good = 0;
    double sum = 0;
    try (SampleReader reader = dataset.openReader();
        var sample = new Sample(new Block(budget));
        var processor = new SampleProcessor(prefix, budget, setting.options().processing())) {
      for (long i = 0; i < looks; i++) {
        try {
          reader.read(i * dataset.size() / looks, sample);
          sum += bytes(processor.sizeOf(sample.encoded(), sample.tiles()));
          good++;
        } catch (CorruptDataException | DecodeException e) {
          // said when it is due
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new DecodedSizes(sum / good, good < dataset.size());
  }

  private static long bytes(ImageSize size) {
    return RawCodec.headBytes(size.width(), size.height(), 3) + size.rgbBytes();
  }
}
