package io.headrace.convert;

import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.convert.target.Packing;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
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
    if (!(options.representation().packing() instanceof Packing.Race race)
        || race.dictionary() == 0) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> blobs = new ArrayList<>();
      int _ =
          FewSamples.each(
              source,
              options,
              count,
              SAMPLES,
              made -> {
                long size = Math.min(MAX_BYTES, made.byteSize());
                MemorySegment copy = arena.allocate(Math.max(1, size)).asSlice(0, size);
                blobs.add(copy.copyFrom(made.asSlice(0, size)));
              });
      if (blobs.isEmpty()) {
        throw new ConfigException(
            "no dictionary can be learned: all of %d samples are damaged"
                .formatted(Math.min(SAMPLES, count)));
      }
      return ZstdDictionary.train(blobs, race.dictionary());
    }
  }
}
