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

/// Turns samples into flat bytes and back: all that a loader needs to deliver one and to name it in
/// an error.
/// Fields besides image, key and label are left out, unless they are asked for.
///
/// Layout: record, offset, label (int64 each), number of the file's name or -1, its length, the
/// key's length, fidelity groups read and in all, number of parts whose ends are known, number of
/// levels, 0 if there is but one image, rows and columns of the largest level (int32 each); then
/// for each image its length and that of its tile table, the ends of the parts or the levels'
/// offsets in the file (int64 each), the file's name unless it is numbered, the key, the fields if
/// they are asked for, for each image its tile table and the image. Fields are their number
/// (int32), then for each the bytes of its name, those of its value, 1 if that is a
/// `tf.train.Feature` and else 0 (int32 each), the name and the value. Names of shards are
/// numbered, for they are few. A single image is last, so that further groups can follow it.
/// Thread-safe.
public final class SamplePacking {
  private static final int RECORD = 0;
  private static final int OFFSET = 8;
  private static final int LABEL = 16;
  private static final int FILE = 24;
  private static final int FILE_LENGTH = 28;
  private static final int KEY_LENGTH = 32;
  private static final int GROUPS = 36;
  private static final int GROUPS_IN_ALL = 40;
  private static final int PARTS = 44;
  private static final int LEVELS = 48;
  private static final int FULL_HEIGHT = 52;
  private static final int FULL_WIDTH = 56;

  /// Bytes of the fixed part.
  static final int HEADER = 60;

  /// Bytes before the name and the value of a field.
  private static final int FIELD_HEADER = 12;

  /// Bytes of the lengths of an image.
  private static final int LENGTHS = 16;

  /// Names and key as they come with most datasets, for estimates.
  private static final int NAMES = 48;

  /// Whether a level was packed that lacks the others.
  private volatile boolean loneLevels;

  private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final boolean fields;

  /// A table without names yet, for samples whose fields nobody asks for.
  public SamplePacking() {
    this(false);
  }

  /// @param fields whether fields are kept
  public SamplePacking(boolean fields) {
    this.fields = fields;
  }

  /// {@return whether a sample was packed whose groups are not parts of one image, and which lacks
  ///     some. It serves only the fidelity at which it was read}
  public boolean hasLoneLevels() {
    return loneLevels;
  }

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
    int levels = sample.levels();
    if (levels == 0 && sample.parts() == 0 && sample.groupsInAll() > 1 && !loneLevels) {
      loneLevels = true;
    }
    int level = sample.level();
    int images = Math.max(1, levels);
    long bytes = 0;
    for (int i = 0; i < images; i++) {
      take(sample, i, levels);
      bytes += sample.tiles().byteSize() + sample.encodedBytes();
    }
    MemorySegment out = packHead(sample, levels, sample.parts(), bytes, scratch);
    long at = out.byteSize() - bytes;
    for (int i = 0; i < images; i++) {
      take(sample, i, levels);
      MemorySegment image = sample.encoded();
      MemorySegment tiles = sample.tiles();
      setLengths(out, i, image.byteSize(), tiles.byteSize());
      if (levels > 0) {
        setMark(out, levels, i, sample.offset());
      }
      MemorySegment.copy(tiles, 0, out, at, tiles.byteSize());
      at += tiles.byteSize();
      MemorySegment.copy(image, 0, out, at, image.byteSize());
      at += image.byteSize();
    }
    take(sample, level, levels);
    return out;
  }

  /// {@return the sample's bytes with room at their end for another image than its own, in
  ///     `scratch` until that is used again}
  ///
  /// @param imageBytes to leave room for
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment packAround(long imageBytes, Sample sample, Block scratch)
      throws DecodeException {
    MemorySegment out = packHead(sample, 0, 0, imageBytes, scratch);
    setLengths(out, 0, imageBytes, 0);
    return out;
  }

  /// {@return all but the images and their lengths, with room for them}
  ///
  /// @param imageBytes of images and tile tables
  private MemorySegment packHead(
      Sample sample, int levels, int parts, long imageBytes, Block scratch) throws DecodeException {
    Location where = sample.location();
    boolean shard = where.record() >= 0;
    byte[] key = sample.key().getBytes(UTF_8);
    byte[] file = shard ? new byte[0] : where.file().getBytes(UTF_8);
    long marks = HEADER + (long) LENGTHS * Math.max(1, levels);
    long names = marks + (long) (parts + levels) * Long.BYTES;
    long around = names + file.length + key.length;
    long total = around + fieldBytes(sample) + imageBytes;
    MemorySegment out = scratch.ensure(total).asSlice(0, total);
    out.set(JAVA_LONG_UNALIGNED, RECORD, where.record());
    out.set(JAVA_LONG_UNALIGNED, OFFSET, where.offset());
    out.set(JAVA_LONG_UNALIGNED, LABEL, sample.label());
    out.set(JAVA_INT_UNALIGNED, FILE, shard ? number(where.file()) : -1);
    out.set(JAVA_INT_UNALIGNED, FILE_LENGTH, file.length);
    out.set(JAVA_INT_UNALIGNED, KEY_LENGTH, key.length);
    out.set(JAVA_INT_UNALIGNED, GROUPS, sample.groups());
    out.set(JAVA_INT_UNALIGNED, GROUPS_IN_ALL, sample.groupsInAll());
    out.set(JAVA_INT_UNALIGNED, PARTS, parts);
    out.set(JAVA_INT_UNALIGNED, LEVELS, levels);
    out.set(JAVA_INT_UNALIGNED, FULL_HEIGHT, sample.fullHeight());
    out.set(JAVA_INT_UNALIGNED, FULL_WIDTH, sample.fullWidth());
    for (int part = 0; part < parts; part++) {
      setMark(out, levels, part, sample.partEnd(part));
    }
    MemorySegment.copy(file, 0, out, JAVA_BYTE, names, file.length);
    MemorySegment.copy(key, 0, out, JAVA_BYTE, names + file.length, key.length);
    if (fields) {
      packFields(sample, out, around);
    }
    return out;
  }

  private long fieldBytes(Sample sample) {
    if (!fields) {
      return 0;
    }
    long bytes = Integer.BYTES;
    for (int field = 0; field < sample.fields(); field++) {
      bytes +=
          FIELD_HEADER + sample.fieldNameBytes(field).byteSize() + sample.field(field).byteSize();
    }
    return bytes;
  }

  private static void packFields(Sample sample, MemorySegment out, long start) {
    out.set(JAVA_INT_UNALIGNED, start, sample.fields());
    long at = start + Integer.BYTES;
    for (int field = 0; field < sample.fields(); field++) {
      MemorySegment name = sample.fieldNameBytes(field);
      MemorySegment value = sample.field(field);
      out.set(JAVA_INT_UNALIGNED, at, (int) name.byteSize());
      out.set(JAVA_INT_UNALIGNED, at + 4, (int) value.byteSize());
      out.set(JAVA_INT_UNALIGNED, at + 8, sample.isFeature(field) ? 1 : 0);
      at += FIELD_HEADER;
      MemorySegment.copy(name, 0, out, at, name.byteSize());
      at += name.byteSize();
      MemorySegment.copy(value, 0, out, at, value.byteSize());
      at += value.byteSize();
    }
  }

  /// {@return where the fields end}
  private static long unpackFields(MemorySegment in, long start, Sample into) {
    int count = in.get(JAVA_INT_UNALIGNED, start);
    long at = start + Integer.BYTES;
    for (int field = 0; field < count; field++) {
      int name = in.get(JAVA_INT_UNALIGNED, at);
      int value = in.get(JAVA_INT_UNALIGNED, at + 4);
      boolean feature = in.get(JAVA_INT_UNALIGNED, at + 8) != 0;
      at += FIELD_HEADER;
      into.addField(at, name, at + name, value, feature);
      at += name + (long) value;
    }
    return at;
  }

  private static void setLengths(MemorySegment out, int image, long imageBytes, long tileBytes) {
    long at = HEADER + (long) LENGTHS * image;
    out.set(JAVA_LONG_UNALIGNED, at, imageBytes);
    out.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, tileBytes);
  }

  private static void setMark(MemorySegment out, int levels, int number, long value) {
    long marks = HEADER + (long) LENGTHS * Math.max(1, levels);
    out.set(JAVA_LONG_UNALIGNED, marks + (long) number * Long.BYTES, value);
  }

  private static void take(Sample sample, int level, int levels) {
    if (levels > 0) {
      sample.takeLevel(level);
    }
  }

  /// Makes `into`, whose memory begins with a sample's packed bytes, that sample.
  public void unpack(Sample into) {
    MemorySegment in = into.block().memory();
    int levels = in.get(JAVA_INT_UNALIGNED, LEVELS);
    int images = Math.max(1, levels);
    int parts = in.get(JAVA_INT_UNALIGNED, PARTS);
    long marks = HEADER + (long) LENGTHS * images;
    long at = marks + (long) (parts + levels) * Long.BYTES;
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
    into.groups(in.get(JAVA_INT_UNALIGNED, GROUPS), in.get(JAVA_INT_UNALIGNED, GROUPS_IN_ALL));
    for (int part = 0; part < parts; part++) {
      into.addPart(in.get(JAVA_LONG_UNALIGNED, marks + (long) part * Long.BYTES));
    }
    at += keyLength;
    if (fields) {
      at = unpackFields(in, at, into);
    }
    for (int i = 0; i < images; i++) {
      long lengths = HEADER + (long) LENGTHS * i;
      long image = in.get(JAVA_LONG_UNALIGNED, lengths);
      long tiles = in.get(JAVA_LONG_UNALIGNED, lengths + Long.BYTES);
      if (levels > 0) {
        long offset = in.get(JAVA_LONG_UNALIGNED, marks + (long) i * Long.BYTES);
        into.addLevel(at + tiles, image, at, tiles, offset);
      } else {
        into.tiles(at, tiles);
        into.encoded(at + tiles, image);
      }
      at += tiles + image;
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

  /// Makes `into` the sample whose packed bytes are `value`. Its image is pixels, which stay where
  /// they are.
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public void unpackAround(MemorySegment value, Sample into) throws DecodeException {
    long head = value.byteSize() - value.get(JAVA_LONG_UNALIGNED, HEADER);
    MemorySegment.copy(value, 0, into.ensure(head), 0, head);
    unpack(into);
    into.decoded(value.asSlice(head));
  }
}
