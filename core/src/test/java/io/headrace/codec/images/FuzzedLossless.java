package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.headrace.codec.lossless.LosslessEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// Streams of our own lossless encoding, to be fuzzed.
final class FuzzedLossless {
  private static final ValueLayout.OfInt U32 =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int HEADER = 24;
  private static final int ENTRY = 12;

  private FuzzedLossless() {}

  /// {@return a grey and a colour picture at each level, and one of 16 bits}
  static List<byte[]> corpus() {
    List<byte[]> streams = new ArrayList<>();
    try (Arena arena = Arena.ofConfined();
        var encoder = new ImageEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      for (LosslessLevel level : LosslessLevel.values()) {
        for (int channels = 1; channels <= 3; channels += 2) {
          MemorySegment pixels = Pictures.offHeap(arena, Pictures.smooth(60, 40, channels));
          var encoding = new LosslessEncoding(level);
          long bytes = encoder.encode(pixels, 60, 40, channels, encoding, out);
          streams.add(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
        }
      }
      MemorySegment deep = Pictures.offHeap(arena, Pictures.smooth(120, 40, 3)); // of 60 columns
      var fast = new LosslessEncoding(LosslessLevel.FAST);
      long bytes = encoder.encode16(deep, 60, 40, fast, out);
      streams.add(out.memory().asSlice(0, bytes).toArray(JAVA_BYTE));
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
    return streams;
  }

  /// {@return a stream of one tile whose checksums are right}
  static byte[] checksums(byte[] stream) {
    byte[] sound = stream.clone();
    int tile = HEADER + ENTRY + Integer.BYTES;
    if (sound.length > tile) {
      MemorySegment bytes = MemorySegment.ofArray(sound);
      bytes.set(U32, HEADER - 4, crc(sound, 0, HEADER - 4));
      bytes.set(U32, HEADER, tile);
      bytes.set(U32, HEADER + 4, sound.length - tile);
      bytes.set(U32, HEADER + 8, crc(sound, tile, sound.length));
      bytes.set(U32, tile - 4, crc(sound, HEADER, tile - 4));
    }
    return sound;
  }

  private static int crc(byte[] bytes, int from, int end) {
    var crc = new CRC32C();
    crc.update(bytes, from, end - from);
    return (int) crc.getValue();
  }
}
