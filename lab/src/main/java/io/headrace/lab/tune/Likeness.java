package io.headrace.lab.tune;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.quality.Ssim;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.Subset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/// Compares the pixels of converted samples with the original's, by key.
final class Likeness implements AutoCloseable {
  private final ImageDecoder decoder = new ImageDecoder();
  private final Ssim ssim = new Ssim();
  private final Arena arena = Arena.ofConfined();
  private final Block pixels = new Block(MemoryBudget.unbounded());
  private final Map<Long, Picture> originals = new HashMap<>();

  private record Picture(MemorySegment rgb, int width, int height) {}

  /// Decodes at most `limit` samples of the original, spread over it, and keeps them.
  Likeness(Dataset original, int limit) throws IOException {
    each(
        new Subset(original, limit),
        id -> true,
        (id, rgb, info) -> {
          MemorySegment copy = arena.allocate(rgb.byteSize());
          copy.copyFrom(rgb);
          originals.put(id, new Picture(copy, info.width(), info.height()));
        });
  }

  /// {@return the mean SSIM of the samples that both have at the same size; NaN if there are none}
  double of(Dataset converted) throws IOException {
    double[] sum = new double[2];
    each(
        converted,
        originals::containsKey,
        (id, rgb, info) -> {
          Picture original = originals.get(id);
          if (original != null
              && original.width() == info.width()
              && original.height() == info.height()) {
            sum[0] += ssim.measure(original.rgb(), rgb, info.width(), info.height());
            sum[1]++;
          }
        });
    return sum[0] / sum[1];
  }

  @FunctionalInterface
  private interface Look {
    void at(long id, MemorySegment rgb, ImageInfo info);
  }

  private void each(Dataset dataset, LongPredicate wanted, Look look) throws IOException {
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            try {
              more = cursor.next(sample);
              if (more && wanted.test(sample.id())) {
                ImageInfo info = decoder.probe(sample.encoded());
                MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
                decoder.decodeRgb(sample.encoded(), info, rgb);
                look.at(sample.id(), rgb, info);
              }
            } catch (CorruptDataException e) {
              more = cursor.resumable();
            } catch (DecodeException e) {
              more = true; // the loader reports bad samples
            }
          }
        }
      }
    }
  }

  @Override
  public void close() {
    decoder.close();
    pixels.close();
    arena.close();
  }
}
