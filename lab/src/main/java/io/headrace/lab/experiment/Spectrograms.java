package io.headrace.lab.experiment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Recordings as grey pictures, a folder for each class: log-mel spectrograms of their first
/// second, time to the right, whose 80 dB below the loudest go from black to white.
final class Spectrograms {
  static final int EDGE = 64;

  private static final String STEPS =
      "mono,resample=8000,pad_or_trim=1,log_mel=torchaudio:n_fft=256:hop_length=125:n_mels=64"
          + ":top_db=80:mels_first";

  private Spectrograms() {}

  /// {@return the class of a recording: its folder's, or what its name starts with, up to the first
  ///     underscore}
  private static String classOf(Dataset data, Sample sample) {
    if (sample.label() >= 0 && sample.label() < data.classes().size()) {
      return data.classes().get((int) sample.label());
    }
    String name = Path.of(sample.key()).getFileName().toString();
    int end = name.indexOf('_');
    if (end < 1) {
      throw new ConfigException(
          "%s: no class is known of %s: expected a folder for each, or names such as CLASS_…"
              .formatted(data.root(), sample.key()));
    }
    return name.substring(0, end);
  }

  /// Makes a picture of each recording of a dataset.
  ///
  /// @param encoding without loss
  /// @throws ConfigException if a recording's class is not known
  static void write(Path sounds, Path folder, ImageEncoding encoding) throws IOException {
    try (Dataset data = Datasets.open(sounds);
        var loader =
            new Loader(
                data,
                Pipeline.parse(STEPS),
                LoadOptions.builder()
                    .batchSize(1)
                    .order(OrderSpec.parse("sequential"))
                    .digest(false)
                    .build());
        Epoch epoch = loader.epoch(0);
        Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var encoder = new ImageEncoder();
        Arena arena = Arena.ofConfined();
        var encoded = new Block(MemoryBudget.unbounded())) {
      MemorySegment pixels = null;
      for (long i = 0; i < data.size(); i++) {
        reader.describe(i, sample);
        try (Batch batch = epoch.next()) {
          if (batch == null) {
            throw new IOException(sounds + ": fewer recordings than there were");
          }
          int height = batch.spec().shape().get(1);
          int width = batch.spec().shape().get(2);
          pixels = pixels == null ? arena.allocate((long) height * width) : pixels;
          paint(batch.data(), pixels);
          long bytes = encoder.encode(pixels, width, height, 1, encoding, encoded);
          String name = Path.of(sample.key()).getFileName().toString().replaceAll("\\.\\w+$", "");
          Path file =
              Files.createDirectories(folder.resolve(classOf(data, sample)))
                  .resolve(name + "." + encoding.format().extension());
          byte[] whole = encoded.memory().asSlice(0, bytes).toArray(JAVA_BYTE);
          Files.write(file, whole, StandardOpenOption.CREATE_NEW);
        } catch (DecodeException e) {
          throw new IOException("%s: %s".formatted(sample.key(), e.getMessage()), e);
        }
      }
    }
  }

  /// Makes decibels grey, 80 below the loudest black.
  private static void paint(MemorySegment decibels, MemorySegment pixels) {
    long count = pixels.byteSize();
    float most = Float.NEGATIVE_INFINITY;
    for (long i = 0; i < count; i++) {
      most = Math.max(most, decibels.getAtIndex(JAVA_FLOAT, i));
    }
    for (long i = 0; i < count; i++) {
      float above = decibels.getAtIndex(JAVA_FLOAT, i) - most + 80;
      pixels.set(JAVA_BYTE, i, (byte) Math.clamp(Math.round(255 * above / 80), 0, 255));
    }
  }
}
