package io.headrace.convert;

import io.headrace.error.ConfigException;
import java.nio.file.Path;

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
/// @param applyOrientation whether images are brought the right way up, as their EXIF tag says. One
///     that has to be turned is never kept as it is
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
    boolean applyOrientation) {
  /// Checks ranges.
  public ConvertOptions {
    if (shards < 1 || shards > 99_999) {
      throw new ConfigException("shards " + shards + ": expected 1 to 99999");
    }
    if (threads < 1) {
      throw new ConfigException("threads " + threads + ": expected at least 1");
    }
    if (name.isEmpty() || name.contains("/")) {
      throw new ConfigException("name '" + name + "': expected a file name's beginning");
    }
  }

  /// Options under which pixels stay as they are stored.
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
    this(target, name, representation, shards, shuffle, seed, threads, skipBad, memory, false);
  }

  /// {@return the same with another number of shards}
  public ConvertOptions withShards(int number) {
    return new ConvertOptions(
        target,
        name,
        representation,
        number,
        shuffle,
        seed,
        threads,
        skipBad,
        memory,
        applyOrientation);
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
