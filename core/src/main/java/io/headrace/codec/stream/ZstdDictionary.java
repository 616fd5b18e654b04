package io.headrace.codec.stream;

import static io.headrace.memory.LittleEndian.U32;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.headrace.error.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// What small blobs of a data set have in common, learned once, so that none has to say it again.
/// Immutable; off heap no more than while it is learned.
public final class ZstdDictionary {
  /// RFC 8878, section 5.
  private static final int MAGIC = 0xec30a437;

  private static final long MAX_SAMPLE_BYTES = 1L << 30;

  private final byte[] bytes;
  private final int id;

  private ZstdDictionary(byte[] bytes) {
    this.bytes = bytes;
    id = MemorySegment.ofArray(bytes).get(U32, 4);
  }

  /// {@return a dictionary learned from samples, by `ZDICT_trainFromBuffer`}
  ///
  /// libzstd wants at least a handful of samples, and a hundred times the dictionary's size in all
  /// for a good one. Equal samples give an equal dictionary.
  ///
  /// @param samples plain blobs, 1 GiB at most in all
  /// @param maxBytes of the dictionary, 256 to 2^24; 112,640 is the `zstd` command's default
  /// @throws ConfigException if the samples are too few or have nothing in common
  public static ZstdDictionary train(List<MemorySegment> samples, int maxBytes) {
    CompressionSpec.checkRange("zstd dictionary", "size", maxBytes, 256, 1 << 24);
    long total = samples.stream().mapToLong(MemorySegment::byteSize).sum();
    if (total > MAX_SAMPLE_BYTES) {
      throw new ConfigException(
          "zstd dictionary: samples of %d bytes, at most %d".formatted(total, MAX_SAMPLE_BYTES));
    }
    int[] sizes = new int[samples.size()];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(Math.max(1, total));
      MemorySegment dictionary = arena.allocate(maxBytes);
      long at = 0;
      for (int i = 0; i < sizes.length; i++) {
        MemorySegment sample = samples.get(i);
        sizes[i] = (int) sample.byteSize();
        MemorySegment.copy(sample, 0, all, at, sizes[i]);
        at += sizes[i];
      }
      long size = Zstd.trainFromBufferDirect(all.asByteBuffer(), sizes, dictionary.asByteBuffer());
      if (Zstd.isError(size)) {
        throw untrainable(sizes.length, total, Zstd.getErrorName(size));
      }
      return of(dictionary.asSlice(0, size));
    } catch (ZstdException e) {
      throw untrainable(sizes.length, total, String.valueOf(e.getMessage()));
    }
  }

  private static ConfigException untrainable(int count, long bytes, String why) {
    return new ConfigException(
        "zstd dictionary: cannot be learned from %d samples of %d bytes in all: %s"
            .formatted(count, bytes, why));
  }

  /// {@return the dictionary with these bytes, as [#bytes] or the `zstd` command gave them}
  ///
  /// @throws ConfigException if they are none
  public static ZstdDictionary of(MemorySegment bytes) {
    if (bytes.byteSize() < 8 || bytes.byteSize() > 1 << 24 || bytes.get(U32, 0) != MAGIC) {
      throw new ConfigException(
          "zstd dictionary: %d bytes that are none".formatted(bytes.byteSize()));
    }
    return new ZstdDictionary(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  /// {@return its number, which frames that need it carry}
  public int id() {
    return id;
  }

  /// {@return a copy of its bytes}
  public byte[] bytes() {
    return bytes.clone();
  }

  /// {@return its bytes, not to be changed}
  byte[] shared() {
    return bytes;
  }
}
