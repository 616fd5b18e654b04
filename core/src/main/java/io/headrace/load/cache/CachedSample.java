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

/// Samples as flat bytes, and back: what a loader needs to deliver one and to name it in an error.
/// Fields besides image, key and label are left out.
///
/// Layout: record, offset, label (int64 each), number of the file's name or -1, its length, the
/// key's length (int32 each), lengths of image and tile table (int64 each), fidelity groups read
/// and in all, number of parts whose ends are known (int32 each); then these ends (int64 each), the
/// file's name unless it is numbered, key, tile table, image. Names of shards are numbered, for
/// they are few. The image is last, so that further groups can follow it. Thread-safe.
public final class CachedSample {
  private static final int RECORD = 0;
  private static final int OFFSET = 8;
  private static final int LABEL = 16;
  private static final int FILE = 24;
  private static final int FILE_LENGTH = 28;
  private static final int KEY_LENGTH = 32;
  private static final int IMAGE_LENGTH = 36;
  private static final int TILES_LENGTH = 44;
  private static final int GROUPS = 52;
  private static final int GROUPS_IN_ALL = 56;
  private static final int PARTS = 60;

  /// Bytes of the fixed part.
  static final int HEADER = 64;

  /// Names and key as they come with most datasets, for estimates.
  private static final int NAMES = 48;

  /// Whether a sample was packed whose groups are not parts of one image.
  private volatile boolean levels;

  private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> names = new ArrayList<>();

  /// A table without names yet.
  public CachedSample() {}

  /// {@return whether a sample was packed whose groups are not parts of one image}
  public boolean hasLevels() {
    return levels;
  }

  /// {@return what a sample of `imageBytes` takes in a cache of `capacity` bytes, on average}
  public static double footprint(double imageBytes, long capacity) {
    return imageBytes + HEADER + NAMES + PagePool.pageBytes(capacity) / 2.0;
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
    if (sample.parts() == 0 && sample.groupsInAll() > 1 && !levels) {
      levels = true;
    }
    MemorySegment image = sample.encoded();
    MemorySegment out = pack(sample, image.byteSize(), sample.tiles(), sample.parts(), scratch);
    MemorySegment.copy(image, 0, out, out.byteSize() - image.byteSize(), image.byteSize());
    return out;
  }

  /// {@return the sample's bytes with room at their end for another image than its own, in
  ///     `scratch` until that is used again}
  ///
  /// @param imageBytes that there shall be room for
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment packAround(long imageBytes, Sample sample, Block scratch)
      throws DecodeException {
    return pack(sample, imageBytes, MemorySegment.NULL, 0, scratch);
  }

  private MemorySegment pack(
      Sample sample, long imageBytes, MemorySegment tiles, int parts, Block scratch)
      throws DecodeException {
    Location where = sample.location();
    boolean shard = where.record() >= 0;
    byte[] key = sample.key().getBytes(UTF_8);
    byte[] file = shard ? new byte[0] : where.file().getBytes(UTF_8);
    long ends = (long) parts * Long.BYTES;
    long total = HEADER + ends + file.length + key.length + tiles.byteSize() + imageBytes;
    MemorySegment out = scratch.ensure(total).asSlice(0, total);
    out.set(JAVA_LONG_UNALIGNED, RECORD, where.record());
    out.set(JAVA_LONG_UNALIGNED, OFFSET, where.offset());
    out.set(JAVA_LONG_UNALIGNED, LABEL, sample.label());
    out.set(JAVA_INT_UNALIGNED, FILE, shard ? number(where.file()) : -1);
    out.set(JAVA_INT_UNALIGNED, FILE_LENGTH, file.length);
    out.set(JAVA_INT_UNALIGNED, KEY_LENGTH, key.length);
    out.set(JAVA_LONG_UNALIGNED, IMAGE_LENGTH, imageBytes);
    out.set(JAVA_LONG_UNALIGNED, TILES_LENGTH, tiles.byteSize());
    out.set(JAVA_INT_UNALIGNED, GROUPS, sample.groups());
    out.set(JAVA_INT_UNALIGNED, GROUPS_IN_ALL, sample.groupsInAll());
    out.set(JAVA_INT_UNALIGNED, PARTS, parts);
    for (int part = 0; part < parts; part++) {
      out.set(JAVA_LONG_UNALIGNED, HEADER + (long) part * Long.BYTES, sample.partEnd(part));
    }
    long at = HEADER + ends;
    MemorySegment.copy(file, 0, out, JAVA_BYTE, at, file.length);
    at += file.length;
    MemorySegment.copy(key, 0, out, JAVA_BYTE, at, key.length);
    at += key.length;
    MemorySegment.copy(tiles, 0, out, at, tiles.byteSize());
    return out;
  }

  /// Makes `into`, whose memory begins with a sample's packed bytes, that sample.
  public void unpack(Sample into) {
    MemorySegment in = into.block().memory();
    long parts = in.get(JAVA_INT_UNALIGNED, PARTS);
    long at = HEADER + parts * Long.BYTES;
    int number = in.get(JAVA_INT_UNALIGNED, FILE);
    int fileLength = in.get(JAVA_INT_UNALIGNED, FILE_LENGTH);
    String file =
        number >= 0
            ? name(number)
            : new String(in.asSlice(at, fileLength).toArray(JAVA_BYTE), UTF_8);
    into.place(file, in.get(JAVA_LONG_UNALIGNED, RECORD), in.get(JAVA_LONG_UNALIGNED, OFFSET));
    int keyLength = in.get(JAVA_INT_UNALIGNED, KEY_LENGTH);
    at += fileLength;
    if (keyLength > 0) {
      into.key(at, keyLength);
    }
    into.label(in.get(JAVA_LONG_UNALIGNED, LABEL));
    at += keyLength;
    long tiles = in.get(JAVA_LONG_UNALIGNED, TILES_LENGTH);
    into.tiles(at, tiles);
    into.encoded(at + tiles, in.get(JAVA_LONG_UNALIGNED, IMAGE_LENGTH));
    into.groups(in.get(JAVA_INT_UNALIGNED, GROUPS), in.get(JAVA_INT_UNALIGNED, GROUPS_IN_ALL));
    for (int part = 0; part < parts; part++) {
      into.addPart(in.get(JAVA_LONG_UNALIGNED, HEADER + (long) part * Long.BYTES));
    }
  }

  /// Makes `into` the sample whose packed bytes are `value`, whose image are pixels that stay
  /// where they are.
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public void unpackAround(MemorySegment value, Sample into) throws DecodeException {
    long head = value.byteSize() - value.get(JAVA_LONG_UNALIGNED, IMAGE_LENGTH);
    MemorySegment.copy(value, 0, into.ensure(head), 0, head);
    unpack(into);
    into.decoded(value.asSlice(head));
  }
}
