package io.headrace.convert;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Learns a dictionary for the blobs of a conversion, if one is asked for.
final class Dictionaries {
  private static final int SAMPLES = 512;
  private static final long MAX_BYTES = 64 << 10;

  private Dictionaries() {}

  /// {@return a dictionary learned from a few samples of the source if one is wanted, else null;
  /// equal conversions learn equal ones}
  static @Nullable ZstdDictionary learn(Dataset source, ConvertOptions options, long count)
      throws IOException {
    return options.representation().packing() instanceof Packing.Race race
            && race.dictionary() > 0
            && race.compression() instanceof BlobCompression.Zstd
        ? learn(source, options, count, race.dictionary())
        : null;
  }

  /// {@return the container to write}
  ///
  /// @param learned as [#learn(Dataset, ConvertOptions, long)] gave it
  static Container container(Representation to, @Nullable ZstdDictionary learned) {
    if (learned == null
        || !(to.packing() instanceof Packing.Race race)
        || !(race.compression() instanceof BlobCompression.Zstd(int level, _))) {
      return to.container();
    }
    RaceOptions plain = race.options(to.encoding());
    var zstd = new BlobCompression.Zstd(level, learned);
    return new RaceContainer(
        new RaceOptions(plain.scans(), plain.levels(), zstd, plain.blockBytes()));
  }

  private static ZstdDictionary learn(Dataset source, ConvertOptions options, long count, int bytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> blobs = new ArrayList<>();
      int _ =
          FewSamples.each(
              source,
              options,
              count,
              SAMPLES,
              made -> {
                long size = Math.min(MAX_BYTES, made.result().byteSize());
                MemorySegment copy = arena.allocate(Math.max(1, size)).asSlice(0, size);
                blobs.add(copy.copyFrom(made.result().asSlice(0, size)));
              });
      if (blobs.isEmpty()) {
        throw new ConfigException(
            "no dictionary can be learned: all of %d samples are damaged"
                .formatted(Math.min(SAMPLES, count)));
      }
      return ZstdDictionary.train(blobs, bytes);
    }
  }
}
