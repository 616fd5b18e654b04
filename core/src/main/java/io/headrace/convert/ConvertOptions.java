package io.headrace.convert;

import io.headrace.convert.encode.Transformer;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.memory.MemoryBudget;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What [Converter] is to write, and where.
///
/// @param target folder that gets the dataset; must be empty, absent, or hold this very
///     conversion unfinished
/// @param name prefix of shard files, such as `train` in `train-00000-of-00008.tfrecord`
/// @param representation how samples are stored
/// @param shards number of files
/// @param shuffle whether samples are written in an order drawn from `seed`, or as they are
/// @param seed of that order
/// @param threads encoding workers
/// @param skipBad whether samples that cannot be converted are left out and listed, or end the
///     conversion
/// @param memory bound on off-heap bytes
/// @param applyOrientation whether images are turned upright, as their EXIF tag says. An image that
///     has to be turned is never kept as it is
/// @param quarantine folder for the bytes of samples that are skipped, or null
/// @param measured about how many of the images encoded again are compared with what they were,
///     spread over the dataset; 0 for none
public record ConvertOptions(
    Path target,
    String name,
    Representation representation,
    int shards,
    boolean shuffle,
    long seed,
    int threads,
    boolean skipBad,
    long memory,
    boolean applyOrientation,
    @Nullable Path quarantine,
    int measured) {
  /// Checks ranges.
  public ConvertOptions {
    if (shards < 1 || shards > 99_999) {
      throw new ConfigException("shards " + shards + ": expected 1 to 99999");
    }
    if (measured < 0) {
      throw new ConfigException("measured " + measured + ": expected 0 or more");
    }
    if (threads < 1) {
      throw new ConfigException("threads " + threads + ": expected at least 1");
    }
    if (name.isEmpty() || name.contains("/")) {
      throw new ConfigException("name '" + name + "': expected a file name's beginning");
    }
  }

  /// Options under which pixels stay as they are stored, without quarantine and measuring.
  public ConvertOptions(
      Path target,
      String name,
      Representation representation,
      int shards,
      boolean shuffle,
      long seed,
      int threads,
      boolean skipBad,
      long memory) {
    this(
        target,
        name,
        representation,
        shards,
        shuffle,
        seed,
        threads,
        skipBad,
        memory,
        false,
        null,
        0);
  }

  /// {@return the same with another number of shards}
  public ConvertOptions withShards(int number) {
    return copy(representation, number, skipBad, quarantine, measured);
  }

  /// {@return the same for a dataset of `count` samples: no shard is without one}
  public ConvertOptions forSamples(long count) {
    return withShards(Math.clamp(count, 1, shards));
  }

  /// {@return the same, but skipped samples are kept in a folder}
  public ConvertOptions withQuarantine(Path folder) {
    return copy(representation, shards, true, folder, measured);
  }

  /// {@return the same, but the likeness of about `images` encoded again is measured}
  public ConvertOptions withMeasured(int images) {
    return copy(representation, shards, skipBad, quarantine, images);
  }

  /// {@return the same in another representation}
  ConvertOptions with(Representation to) {
    return copy(to, shards, skipBad, quarantine, measured);
  }

  /// {@return a transformer of one worker}
  ///
  /// @param count samples of the whole dataset
  /// @param done the steps that were done to the source's samples
  Transformer transformer(long count, MemoryBudget budget, String done) {
    return new Transformer(representation, applyOrientation, measured, count, budget, done);
  }

  /// {@return the position where a shard begins: shards differ by one sample at most}
  ///
  /// @param count samples in all
  long boundary(long count, int shard) {
    return count / shards * shard + Math.min(shard, count % shards);
  }

  private ConvertOptions copy(
      Representation representation,
      int shards,
      boolean skipBad,
      @Nullable Path quarantine,
      int measured) {
    return new ConvertOptions(
        target,
        name,
        representation,
        shards,
        shuffle,
        seed,
        threads,
        skipBad,
        memory,
        applyOrientation,
        quarantine,
        measured);
  }

  /// {@return one plain shard a core's worth, in stored order, failing at bad samples}
  public static ConvertOptions of(Path target, Representation representation, int shards) {
    return new ConvertOptions(
        target,
        "data",
        representation,
        shards,
        false,
        0,
        Runtime.getRuntime().availableProcessors(),
        false,
        1L << 30);
  }
}
