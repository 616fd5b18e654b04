package io.headrace.load.cache;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Location;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// Encoded samples as flat bytes, and back: what a loader needs to deliver one and to name it in
/// an error. Fields besides image, key and label are left out.
///
/// Layout: record, offset, label (int64 each), number of the file's name or -1, its length, the
/// key's length (int32 each), number of images, rows and columns of the largest (int32 each), 0 of
/// which if there is but one; then the file's name unless it is numbered, key, for each image its
/// length and that of its tile table (int64 each), for each the image and its tile table. Names of
/// shards are numbered, for they are few. Thread-safe.
public final class CachedSample {
  private static final int RECORD = 0;
  private static final int OFFSET = 8;
  private static final int LABEL = 16;
  private static final int FILE = 24;
  private static final int FILE_LENGTH = 28;
  private static final int KEY_LENGTH = 32;
  private static final int LEVELS = 36;
  private static final int FULL_HEIGHT = 40;
  private static final int FULL_WIDTH = 44;

  /// Bytes of the fixed part.
  static final int HEADER = 48;

  /// Bytes of the lengths of an image.
  private static final int LENGTHS = 16;

  /// Names and key as they come with most datasets, for estimates.
  private static final int NAMES = 48;

  private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> names = new ArrayList<>();

  /// A table without names yet.
  public CachedSample() {}

  /// {@return what a sample of `encodedBytes` takes in a cache of `capacity` bytes, on average}
  public static double footprint(double encodedBytes, long capacity) {
    return encodedBytes + HEADER + LENGTHS + NAMES + PagePool.pageBytes(capacity) / 2.0;
  }

  private synchronized int number(String file) {
    Integer known = numbers.get(file);
    if (known != null) {
      return known;
    }
    names.add(file);
    numbers.put(file, names.size() - 1);
    return names.size() - 1;
  }

  private synchronized String name(int number) {
    return names.get(number);
  }

  /// {@return the sample's bytes, in `scratch` until that is used again}
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment pack(Sample sample, Block scratch) throws DecodeException {
    Location where = sample.location();
    boolean shard = where.record() >= 0;
    byte[] key = sample.key().getBytes(UTF_8);
    byte[] file = shard ? new byte[0] : where.file().getBytes(UTF_8);
    int levels = sample.levels();
    int level = sample.level();
    int images = Math.max(1, levels);
    long names = (long) HEADER + file.length + key.length;
    long total = names + (long) LENGTHS * images;
    for (int i = 0; i < images; i++) {
      take(sample, i, levels);
      total += sample.encodedBytes() + sample.tiles().byteSize();
    }
    MemorySegment out = scratch.ensure(total).asSlice(0, total);
    out.set(JAVA_LONG_UNALIGNED, RECORD, where.record());
    out.set(JAVA_LONG_UNALIGNED, OFFSET, where.offset());
    out.set(JAVA_LONG_UNALIGNED, LABEL, sample.label());
    out.set(JAVA_INT_UNALIGNED, FILE, shard ? number(where.file()) : -1);
    out.set(JAVA_INT_UNALIGNED, FILE_LENGTH, file.length);
    out.set(JAVA_INT_UNALIGNED, KEY_LENGTH, key.length);
    out.set(JAVA_INT_UNALIGNED, LEVELS, levels);
    out.set(JAVA_INT_UNALIGNED, FULL_HEIGHT, sample.fullHeight());
    out.set(JAVA_INT_UNALIGNED, FULL_WIDTH, sample.fullWidth());
    MemorySegment.copy(file, 0, out, JAVA_BYTE, HEADER, file.length);
    MemorySegment.copy(key, 0, out, JAVA_BYTE, HEADER + (long) file.length, key.length);
    long at = names + (long) LENGTHS * images;
    for (int i = 0; i < images; i++) {
      take(sample, i, levels);
      MemorySegment image = sample.encoded();
      MemorySegment tiles = sample.tiles();
      out.set(JAVA_LONG_UNALIGNED, names + (long) LENGTHS * i, image.byteSize());
      out.set(JAVA_LONG_UNALIGNED, names + (long) LENGTHS * i + 8, tiles.byteSize());
      MemorySegment.copy(image, 0, out, at, image.byteSize());
      at += image.byteSize();
      MemorySegment.copy(tiles, 0, out, at, tiles.byteSize());
      at += tiles.byteSize();
    }
    take(sample, level, levels);
    return out;
  }

  private static void take(Sample sample, int level, int levels) {
    if (levels > 0) {
      sample.takeLevel(level);
    }
  }

  /// Makes `into`, whose memory begins with a sample's packed bytes, that sample.
  public void unpack(Sample into) {
    MemorySegment in = into.block().memory();
    int number = in.get(JAVA_INT_UNALIGNED, FILE);
    int fileLength = in.get(JAVA_INT_UNALIGNED, FILE_LENGTH);
    String file =
        number >= 0
            ? name(number)
            : new String(in.asSlice(HEADER, fileLength).toArray(JAVA_BYTE), UTF_8);
    into.place(file, in.get(JAVA_LONG_UNALIGNED, RECORD), in.get(JAVA_LONG_UNALIGNED, OFFSET));
    int keyLength = in.get(JAVA_INT_UNALIGNED, KEY_LENGTH);
    long at = HEADER + (long) fileLength;
    if (keyLength > 0) {
      into.key(at, keyLength);
    }
    into.label(in.get(JAVA_LONG_UNALIGNED, LABEL));
    long lengths = at + keyLength;
    int levels = in.get(JAVA_INT_UNALIGNED, LEVELS);
    int images = Math.max(1, levels);
    at = lengths + (long) LENGTHS * images;
    for (int i = 0; i < images; i++) {
      long image = in.get(JAVA_LONG_UNALIGNED, lengths + (long) LENGTHS * i);
      long tiles = in.get(JAVA_LONG_UNALIGNED, lengths + (long) LENGTHS * i + 8);
      if (levels > 0) {
        into.addLevel(at, image, at + image, tiles);
      } else {
        into.encoded(at, image);
        into.tiles(at + image, tiles);
      }
      at += image + tiles;
    }
    if (levels > 0) {
      into.level(
          levels - 1,
          levels,
          in.get(JAVA_INT_UNALIGNED, FULL_HEIGHT),
          in.get(JAVA_INT_UNALIGNED, FULL_WIDTH));
      into.takeLevel(levels - 1);
    }
  }
}
