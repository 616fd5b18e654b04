package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.SECTIONS;

import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Makes the codes that every reader knows, out of JPEGs: what `packed-codes.bin` holds.
public final class KnownCodes {
  private static final int LONGEST_DIFFERENCE = 11;
  private static final int USUAL_CLASSES = 8;

  private KnownCodes() {}

  /// {@return the file's bytes: how many sets there are, then each}
  ///
  /// @param sets JPEGs for each set of codes
  public static byte[] of(List<List<MemorySegment>> sets) throws DecodeException {
    var out = new ByteArrayOutputStream();
    out.write(sets.size());
    try (var transcoder = new PackedTranscoder(MemoryBudget.unbounded(), Long.MAX_VALUE >> 8);
        var block = new Block(MemoryBudget.unbounded())) {
      for (List<MemorySegment> jpegs : sets) {
        long[][] sums = new long[SECTIONS][SymbolCode.SYMBOLS];
        for (int section = 0; section < SECTIONS; section++) {
          usual(section % PackedLayout.OF_KIND, sums[section]);
        }
        for (MemorySegment jpeg : jpegs) {
          long _ = transcoder.pack(jpeg, 0, MetadataPolicy.KEEP_ALL, block);
          transcoder.count(sums);
        }
        out.writeBytes(PackedTables.stored(sums));
      }
    }
    return out.toByteArray();
  }

  /// Counts each symbol once that a photograph may well have.
  private static void usual(int section, long[] counts) {
    for (int symbol = 0; symbol < SymbolCode.SYMBOLS; symbol++) {
      int low = symbol & 15;
      int high = symbol >> 4;
      boolean may =
          switch (section) {
            case PackedLayout.DC -> symbol <= LONGEST_DIFFERENCE;
            case PackedLayout.MASK_1 -> true;
            case PackedLayout.WHICH -> symbol < 128;
            case PackedLayout.MASK_2, PackedLayout.MASK_3 -> symbol > 0;
            default -> low > 0 && low <= USUAL_CLASSES && high <= USUAL_CLASSES;
          };
      counts[symbol] = may ? 1 : 0;
    }
  }
}
