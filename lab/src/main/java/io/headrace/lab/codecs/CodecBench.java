package io.headrace.lab.codecs;

import io.headrace.codec.ImageDecoder;
import io.headrace.codec.ImageEncoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.quality.Psnr;
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
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Encodes and decodes a dataset's images with every setting, by one thread, and keeps the clock.
///
/// Settings take turns, round after round, so that a machine that drifts drifts for all alike; the
/// clock is the thread's CPU time; medians of the rounds count.
public final class CodecBench implements AutoCloseable {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final int QUALITY_IMAGES = 16;

  private final Arena arena = Arena.ofConfined();
  private final ImageDecoder decoder = new ImageDecoder();
  private final ImageEncoder encoder = new ImageEncoder();
  private final Block encoded = new Block(MemoryBudget.unbounded());
  private final Block decoded = new Block(MemoryBudget.unbounded());
  private final List<Picture> pictures = new ArrayList<>();

  /// An image as it was found, and its pixels.
  private record Picture(MemorySegment stored, MemorySegment rgb, int width, int height) {}

  /// One setting's rounds.
  private static final class Trial {
    final Setting setting;
    final List<MemorySegment> images = new ArrayList<>();
    final List<Double> encode = new ArrayList<>();
    final List<Double> decode = new ArrayList<>();
    long bytes;
    double ssim = 1;
    double psnr = Double.POSITIVE_INFINITY;

    Trial(Setting setting) {
      this.setting = setting;
    }
  }

  private CodecBench() {}

  /// {@return what each setting took and gave, in the order given}
  ///
  /// @param samples images to take, spread over the dataset
  /// @param rounds timed rounds, after one that does not count
  /// @param progress told what is being done, one line each
  /// @throws IOException if the dataset cannot be read, or not one image can be decoded
  public static List<Measured> run(
      Dataset dataset, List<Setting> settings, int samples, int rounds, Consumer<String> progress)
      throws IOException {
    try (var bench = new CodecBench()) {
      bench.take(new Subset(dataset, samples));
      List<Trial> trials = settings.stream().map(Trial::new).toList();
      for (Trial trial : trials) {
        progress.accept("encoding to " + trial.setting.name());
        bench.prepare(trial);
      }
      for (int round = 0; round <= rounds; round++) {
        for (Trial trial : trials) {
          progress.accept("round %d of %d: %s".formatted(round, rounds, trial.setting.name()));
          bench.decodeAll(trial, round > 0);
        }
      }
      return bench.conclude(trials);
    } catch (DecodeException e) {
      throw new IOException("an image just encoded cannot be decoded: " + e.getMessage(), e);
    }
  }

  private void take(Dataset dataset) throws IOException {
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset.SampleCursor cursor = dataset.openCursor(0)) {
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          if (more) {
            ImageInfo info = decoder.probe(sample.encoded());
            MemorySegment rgb = arena.allocate(info.rgbBytes(), 64);
            decoder.decodeRgb(sample.encoded(), info, rgb);
            pictures.add(new Picture(copy(sample.encoded()), rgb, info.width(), info.height()));
          }
        } catch (CorruptDataException e) {
          more = cursor.resumable();
        } catch (DecodeException e) {
          more = true; // what cannot be decoded cannot be compared
        }
      }
    }
    if (pictures.isEmpty()) {
      throw new IOException(dataset.root() + ": not one image can be decoded");
    }
  }

  private MemorySegment copy(MemorySegment bytes) {
    return arena.allocate(bytes.byteSize(), 64).copyFrom(bytes);
  }

  /// Encodes all images, once untimed and once timed, and compares the pixels of the first few.
  private void prepare(Trial trial) throws DecodeException {
    ImageEncoding encoding = trial.setting.encoding();
    if (encoding == null) {
      for (Picture picture : pictures) {
        trial.images.add(picture.stored());
        trial.bytes += picture.stored().byteSize();
      }
      return;
    }
    for (int i = 0; i < Math.min(pictures.size(), QUALITY_IMAGES); i++) {
      encode(pictures.get(i), encoding); // warm
    }
    long nanos = 0;
    for (Picture picture : pictures) {
      long start = CLOCK.getCurrentThreadCpuTime();
      long bytes = encode(picture, encoding);
      nanos += CLOCK.getCurrentThreadCpuTime() - start;
      trial.images.add(copy(encoded.memory().asSlice(0, bytes)));
      trial.bytes += bytes;
    }
    trial.encode.add(nanos / 1e9);
    compare(trial);
  }

  private long encode(Picture picture, ImageEncoding encoding) throws DecodeException {
    return encoder.encode(picture.rgb(), picture.width(), picture.height(), 3, encoding, encoded);
  }

  private MemorySegment decode(MemorySegment image) throws DecodeException {
    ImageInfo info = decoder.probe(image);
    MemorySegment rgb = decoded.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(image, info, rgb);
    return rgb;
  }

  private void compare(Trial trial) throws DecodeException {
    var meter = new Ssim();
    int count = Math.min(pictures.size(), QUALITY_IMAGES);
    double ssim = 0;
    double error = 0;
    for (int i = 0; i < count; i++) {
      Picture picture = pictures.get(i);
      MemorySegment rgb = decode(trial.images.get(i));
      if (rgb.mismatch(picture.rgb()) < 0) {
        ssim += 1;
        continue;
      }
      ssim += meter.measure(rgb, picture.rgb(), picture.width(), picture.height());
      error += Math.pow(10, -Psnr.measure(rgb, picture.rgb()) / 10);
    }
    trial.ssim = ssim / count;
    trial.psnr = error == 0 ? Double.POSITIVE_INFINITY : -10 * Math.log10(error / count);
  }

  private void decodeAll(Trial trial, boolean counts) throws DecodeException {
    long start = CLOCK.getCurrentThreadCpuTime();
    for (MemorySegment image : trial.images) {
      decode(image);
    }
    if (counts) {
      trial.decode.add((CLOCK.getCurrentThreadCpuTime() - start) / 1e9);
    }
  }

  private List<Measured> conclude(List<Trial> trials) {
    double pixels = pictures.stream().mapToLong(p -> p.rgb().byteSize()).sum() / 1e6;
    double original = pictures.stream().mapToLong(p -> p.stored().byteSize()).sum();
    int count = pictures.size();
    return Measured.markFront(
        trials.stream()
            .map(
                t ->
                    new Measured(
                        t.setting.name(),
                        (double) t.bytes / count,
                        t.bytes / original,
                        t.encode.isEmpty() ? 0 : pixels / median(t.encode),
                        pixels / median(t.decode),
                        1000 * median(t.decode) / count,
                        t.ssim,
                        t.psnr,
                        false))
            .toList());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  @Override
  public void close() {
    decoder.close();
    encoder.close();
    encoded.close();
    decoded.close();
    arena.close();
  }
}
