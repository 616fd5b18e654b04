package io.headrace.load;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Datasets of tiny pictures, quick to make and to load.
public final class Tiny {
  /// As quick as loading gets.
  public static final Pipeline PIPELINE = Pipeline.parse("random_resized_crop=4,flip,uint8,hwc");

  private Tiny() {}

  /// Writes `count` pictures of 9 × 7 pixels in three classes.
  public static Path folder(Path to, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path group = Files.createDirectories(to.resolve("class" + 3 * i / Math.max(1, count)));
      Files.write(group.resolve("%05d.ppm".formatted(i)), picture(i));
    }
    return to;
  }

  static byte[] picture(int number) {
    byte[] header = "P6\n9 7\n255\n".getBytes(StandardCharsets.US_ASCII);
    byte[] picture = new byte[header.length + 9 * 7 * 3];
    System.arraycopy(header, 0, picture, 0, header.length);
    for (int i = header.length; i < picture.length; i++) {
      picture[i] = (byte) (number * 31 + i * (1 + number % 7));
    }
    return picture;
  }

  /// Stores a dataset once more.
  static Path convert(Path from, Path to, String packing, String compression, int shards)
      throws IOException {
    return convert(from, to, Representation.of(packing, compression, "keep", "keep"), shards);
  }

  static Path convert(Path from, Path to, Representation stored, int shards) throws IOException {
    try (Dataset dataset = Datasets.open(from)) {
      new Converter(dataset, ConvertOptions.of(to, stored, shards)).run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return to;
  }

  /// Takes batches and closes them.
  ///
  /// @param most batches to take
  /// @return the identities of the samples that count, in order
  public static List<Long> take(Epoch epoch, long most) throws IOException {
    List<Long> ids = new ArrayList<>();
    for (long i = 0; i < most; i++) {
      try (Batch batch = epoch.next()) {
        if (batch == null) {
          break;
        }
        for (int slot = 0; slot < batch.validCount(); slot++) {
          ids.add(batch.id(slot));
        }
      }
    }
    return ids;
  }

  /// Loads an epoch to its end.
  static EpochReport load(Path path, LoadOptions options, long number) throws IOException {
    try (Dataset dataset = Datasets.open(path);
        var loader = new Loader(dataset, PIPELINE, options);
        Epoch epoch = loader.epoch(number)) {
      List<Long> _ = take(epoch, Long.MAX_VALUE);
      return epoch.report();
    }
  }
}
