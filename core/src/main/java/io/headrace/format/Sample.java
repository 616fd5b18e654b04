package io.headrace.format;

import static io.headrace.memory.LittleEndian.U16;

import io.headrace.error.DecodeException;
import io.headrace.error.Location;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One sample as stored: a reusable holder that readers fill and that owns its bytes' memory.
///
/// Filling allocates nothing on the heap except where the block grows. Any thread may use it, one
/// at a time.
public final class Sample implements AutoCloseable {
  /// The label of a sample that has none.
  public static final long NO_LABEL = -1;

  private static final int FIELD_LONGS = 5;
  private static final int LEVEL_LONGS = 5;

  /// Ends a JPEG whose last parts are left out: FF D9, as a little-endian number.
  private static final short END_MARKER = (short) 0xd9ff;

  private final Block block;
  private long storedBytes;
  private long start;
  private long length;
  private long label = NO_LABEL;
  private long labelStart;
  private long labelLength = -1;
  private int labelField = -1;
  private long id;
  private @Nullable String key;
  private long keyStart;
  private int keyLength;
  private String file = "";
  private long record = -1;
  private long offset = -1;
  private long[] fieldPlaces = new long[0];
  private int fields;
  private MemorySegment image = MemorySegment.NULL;
  private MemorySegment other = MemorySegment.NULL;
  private MemorySegment viewed = MemorySegment.NULL;
  private long tilesStart;
  private long tilesLength;
  private int groups = 1;
  private int groupsInAll = 1;
  private long[] ends = new long[0];
  private int parts;
  private MemorySegment elsewhere = MemorySegment.NULL;
  private boolean decoded;
  private long[] levelPlaces = new long[0];
  private int levels;
  private int level;
  private int levelCount;
  private int fullHeight;
  private int fullWidth;

  /// A holder whose bytes lie in `block`, which it closes.
  public Sample(Block block) {
    this.block = block;
  }

  /// Forgets the last sample and says where the next one lies.
  ///
  /// @param file path, as the user gave it
  /// @param record its number in the file, or -1
  /// @param offset bytes from the start of the uncompressed file, or -1
  public void place(String file, long record, long offset) {
    this.file = file;
    this.record = record;
    this.offset = offset;
    label = NO_LABEL;
    labelLength = -1;
    labelField = -1;
    key = null;
    keyLength = 0;
    id = 0;
    start = 0;
    length = 0;
    storedBytes = 0;
    fields = 0;
    tilesLength = 0;
    groups = 1;
    groupsInAll = 1;
    parts = 0;
    elsewhere = MemorySegment.NULL;
    decoded = false;
    levels = 0;
    level = 0;
    levelCount = 0;
  }

  /// Says where it lies, where that is known only after [#place].
  ///
  /// @param offset bytes from the start of the uncompressed file
  public void offset(long offset) {
    this.offset = offset;
  }

  /// {@return memory of at least `bytes` for the reader to fill}
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment ensure(long bytes) throws DecodeException {
    return block.ensure(bytes);
  }

  /// {@return memory of at least `bytes`, keeping what was filled}
  ///
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment ensureKeeping(long bytes) throws DecodeException {
    return block.ensureKeeping(bytes);
  }

  /// {@return the memory itself, for readers that fill it}
  public Block block() {
    return block;
  }

  /// Says which part of the memory is the encoded image.
  public void encoded(long start, long length) {
    this.start = start;
    this.length = length;
  }

  /// Says that the image is not as stored: pixels that a cache kept, as raw images are stored.
  public void decoded() {
    decoded = true;
  }

  /// As [#decoded()], of pixels that lie outside the holder's memory.
  ///
  /// @param pixels to stay what they are until the holder is filled again
  public void decoded(MemorySegment pixels) {
    decoded = true;
    elsewhere = pixels;
    length = pixels.byteSize();
  }

  /// {@return whether the image is pixels that a cache kept}
  public boolean isDecoded() {
    return decoded;
  }

  /// Says how many fidelity groups the sample has, and how many of them were read.
  ///
  /// @param read at least 1
  /// @param all at least `read`
  public void groups(int read, int all) {
    groups = read;
    groupsInAll = all;
  }

  /// Says where the next of the image's parts ends, each of which is a group: so that what fewer
  /// groups would have given can be made of it.
  ///
  /// @param end from the start of the image, in bytes, without an end marker put after it
  public void addPart(long end) {
    if (parts == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(16, 2 * parts));
    }
    ends[parts++] = end;
  }

  /// {@return fidelity groups that were read}
  public int groups() {
    return groups;
  }

  /// {@return fidelity groups that the sample has}
  public int groupsInAll() {
    return groupsInAll;
  }

  /// {@return groups whose ends are known: those read, or none}
  public int parts() {
    return parts;
  }

  /// {@return where a part ends, from the start of the image, in bytes}
  ///
  /// @param part from 0, below [#parts]
  public long partEnd(int part) {
    return ends[Objects.checkIndex(part, parts)];
  }

  /// {@return whether the sample is what reading it at a fidelity gives, or [#shorten] makes it so}
  ///
  /// @param fidelity groups, at least 1; more than there are mean all
  public boolean serves(int fidelity) {
    int wanted = Math.min(fidelity, groupsInAll);
    return wanted == groups || wanted < parts || levels > 0;
  }

  /// Leaves out what reading at a fidelity would not have read.
  ///
  /// @param fidelity that the sample [#serves]
  public void shorten(int fidelity) {
    int wanted = Math.min(fidelity, groupsInAll);
    if (wanted < groups && levels > 0) {
      takeLevel(wanted - 1); // which is then a picture of its own
      levels = 0;
      levelCount = 0;
      groups = wanted;
    } else if (wanted < groups) {
      length = end(start + partEnd(wanted - 1)) - start;
      groups = wanted;
      parts = wanted;
    }
  }

  /// Puts the marker after a JPEG's bytes that ends them.
  ///
  /// @param at where in the memory
  /// @return where the marker ends
  public long end(long at) {
    block.memory().set(U16, at, END_MARKER);
    return at + Short.BYTES;
  }

  /// Makes room after the image's parts, for those to follow.
  ///
  /// @param bytes that will follow
  /// @return where the first of them goes in the memory
  /// @throws DecodeException if the memory budget does not allow it
  public long follow(long bytes) throws DecodeException {
    long at = start + partEnd(parts - 1);
    block.ensureKeeping(at + bytes);
    return at;
  }

  /// {@return where the encoded image starts in the memory}
  public long start() {
    return start;
  }

  /// Says how many bytes of storage were read to get it.
  public void storedBytes(long bytes) {
    storedBytes = bytes;
  }

  /// {@return bytes of storage that were read to get it}
  public long storedBytes() {
    return storedBytes;
  }

  /// Names the sample by a string.
  public void key(String key) {
    this.key = key;
    id = SampleIds.of(key);
  }

  /// Names the sample by UTF-8 bytes that lie in its memory, after which nothing is allocated.
  public void key(long start, int length) {
    key = null;
    keyStart = start;
    keyLength = length;
    id = SampleIds.of(block.memory(), start, length);
  }

  /// Sets the class number.
  public void label(long label) {
    this.label = label;
    labelLength = -1;
  }

  /// Says that the label is a text in UTF-8, such as `cat`, and where in the memory it lies. An
  /// empty text is no label.
  /// Whoever knows the classes makes a number of it: see [Datasets#open(java.nio.file.Path)].
  public void labelText(long start, long length) {
    label = NO_LABEL;
    labelStart = start;
    labelLength = length;
  }

  /// Says that the label is no single class but a list, such as a one-hot vector: the field added
  /// last.
  public void labelInField() {
    labelField = fields - 1;
  }

  /// {@return the field that has the label, where that is a list; else -1}
  public int labelField() {
    return labelField;
  }

  /// {@return whether the label is a text of which nobody has made a number yet}
  public boolean hasLabelText() {
    return labelLength > 0;
  }

  /// {@return the text that the label is; only if it [#hasLabelText]}
  public String labelText() {
    return SampleIds.utf8(block.memory().asSlice(labelStart, labelLength));
  }

  /// {@return the number of the class that the label's text names, or -1; only if it
  /// [#hasLabelText]}
  long labelIn(ClassNames names) {
    return names.number(block.memory(), labelStart, labelLength);
  }

  /// Says where in the memory another field of the sample lies, such as a caption or the boxes of
  /// an image: kept in conversions, else not looked at.
  ///
  /// @param nameStart of the field's name in UTF-8
  /// @param nameLength of the name, in bytes
  /// @param start of the field's bytes
  /// @param length of these
  /// @param feature whether the bytes are a serialised `tf.train.Feature`
  public void addField(long nameStart, int nameLength, long start, long length, boolean feature) {
    int at = fields * FIELD_LONGS;
    if (at == fieldPlaces.length) {
      fieldPlaces = Arrays.copyOf(fieldPlaces, Math.max(4 * FIELD_LONGS, 2 * at));
    }
    fieldPlaces[at] = nameStart;
    fieldPlaces[at + 1] = nameLength;
    fieldPlaces[at + 2] = start;
    fieldPlaces[at + 3] = length;
    fieldPlaces[at + 4] = feature ? 1 : 0;
    fields++;
  }

  /// {@return number of fields beside image, key and label}
  public int fields() {
    return fields;
  }

  /// {@return the name of a field, such as `json` or `image/object/bbox/xmin`}
  ///
  /// @param field from 0, below [#fields]
  public String fieldName(int field) {
    int at = Objects.checkIndex(field, fields) * FIELD_LONGS;
    return SampleIds.utf8(block.memory().asSlice(fieldPlaces[at], fieldPlaces[at + 1]));
  }

  /// {@return the name of a field in UTF-8, a view valid until the holder is filled again}
  ///
  /// @param field from 0, below [#fields]
  public MemorySegment fieldNameBytes(int field) {
    int at = Objects.checkIndex(field, fields) * FIELD_LONGS;
    return block.memory().asSlice(fieldPlaces[at], fieldPlaces[at + 1]);
  }

  /// {@return the number of the field with a name, or -1}
  ///
  /// @param name in UTF-8
  public int fieldNamed(MemorySegment name) {
    long length = name.byteSize();
    MemorySegment memory = block.memory();
    for (int field = 0; field < fields; field++) {
      long at = fieldPlaces[field * FIELD_LONGS];
      if (fieldPlaces[field * FIELD_LONGS + 1] == length
          && MemorySegment.mismatch(name, 0, length, memory, at, at + length) < 0) {
        return field;
      }
    }
    return -1;
  }

  /// {@return the bytes of a field, a view valid until the holder is filled again}
  ///
  /// @param field from 0, below [#fields]
  public MemorySegment field(int field) {
    int at = Objects.checkIndex(field, fields) * FIELD_LONGS;
    return block.memory().asSlice(fieldPlaces[at + 2], fieldPlaces[at + 3]);
  }

  /// {@return whether the bytes of a field are a serialised `tf.train.Feature`, not a plain value}
  ///
  /// @param field from 0, below [#fields]
  public boolean isFeature(int field) {
    return fieldPlaces[Objects.checkIndex(field, fields) * FIELD_LONGS + 4] != 0;
  }

  /// Says where in the memory the image's tile table lies, as
  /// [io.headrace.codec.jpeg.tiles.TileTable#read] takes it.
  public void tiles(long start, long length) {
    tilesStart = start;
    tilesLength = length;
  }

  /// {@return the image's tile table, empty if it has none: a view until the holder is refilled}
  public MemorySegment tiles() {
    return tilesLength == 0 ? MemorySegment.NULL : block.memory().asSlice(tilesStart, tilesLength);
  }

  /// Says that the image is one of several levels of a larger one: see [LevelChoice].
  ///
  /// @param level its number, from 0
  /// @param count of levels that there are, the last being the image itself
  /// @param fullHeight rows of the image itself, in pixels
  /// @param fullWidth columns of the image itself, in pixels
  public void level(int level, int count, int fullHeight, int fullWidth) {
    this.level = level;
    levelCount = count;
    this.fullHeight = fullHeight;
    this.fullWidth = fullWidth;
  }

  /// Says where the next level lies, the smallest being the first, if all are here.
  ///
  /// @param start of its image, in the memory
  /// @param length of its image, in bytes
  /// @param tilesStart of its tile table, in the memory
  /// @param tilesLength of its tile table, in bytes; 0 for none
  /// @param offset of its bytes in the uncompressed file
  public void addLevel(long start, long length, long tilesStart, long tilesLength, long offset) {
    int at = levels * LEVEL_LONGS;
    if (at == levelPlaces.length) {
      levelPlaces = Arrays.copyOf(levelPlaces, Math.max(4 * LEVEL_LONGS, 2 * at));
    }
    levelPlaces[at] = start;
    levelPlaces[at + 1] = length;
    levelPlaces[at + 2] = tilesStart;
    levelPlaces[at + 3] = tilesLength;
    levelPlaces[at + 4] = offset;
    levels++;
  }

  /// {@return levels that are all here; 0 if there is but one image}
  public int levels() {
    return levels;
  }

  /// Makes one of the levels that are here the encoded image.
  ///
  /// @param number from 0, below [#levels]
  public void takeLevel(int number) {
    int at = Objects.checkIndex(number, levels) * LEVEL_LONGS;
    level = number;
    encoded(levelPlaces[at], levelPlaces[at + 1]);
    tiles(levelPlaces[at + 2], levelPlaces[at + 3]);
    offset = levelPlaces[at + 4];
  }

  /// {@return how often the image was halved: 0 if it is whole, or not known to be a level}
  public int halvings() {
    return levelCount == 0 ? 0 : levelCount - 1 - level;
  }

  /// {@return the number of the level that is the encoded image, from 0; -1 if there are none}
  public int level() {
    return levelCount == 0 ? -1 : level;
  }

  /// {@return rows of the image that this is a level of, in pixels}
  public int fullHeight() {
    return fullHeight;
  }

  /// {@return columns of the image that this is a level of, in pixels}
  public int fullWidth() {
    return fullWidth;
  }

  /// {@return the encoded image, a view valid until the holder is filled again}
  public MemorySegment encoded() {
    if (elsewhere.byteSize() > 0) {
      return elsewhere;
    }
    MemorySegment memory = block.memory();
    if (!viewed.equals(memory)) {
      viewed = memory;
      image = MemorySegment.NULL;
      other = MemorySegment.NULL;
    }
    long address = memory.address() + start;
    if (image.address() != address || image.byteSize() != length) {
      // samples of one size lie where the last one lay, or where the one before lay
      MemorySegment last = image;
      image =
          other.address() == address && other.byteSize() == length
              ? other
              : memory.asSlice(start, length);
      other = last;
    }
    return image;
  }

  /// {@return bytes of the encoded image}
  public long encodedBytes() {
    return length;
  }

  /// {@return the class number, or [#NO_LABEL]}
  public long label() {
    return label;
  }

  /// {@return the 64-bit hash of the key, the same in every container}
  public long id() {
    return id;
  }

  /// {@return the key, such as `cat/0001.jpg`; empty if none was set}
  public String key() {
    String k = key;
    if (k == null) {
      k = SampleIds.utf8(block.memory().asSlice(keyStart, keyLength));
      key = k;
    }
    return k;
  }

  /// {@return bytes from the start of the uncompressed file, or -1}
  public long offset() {
    return offset;
  }

  /// {@return where it lies, for errors and reports}
  public Location location() {
    String k = key();
    return new Location(file, record, k.isEmpty() ? null : k, offset);
  }

  @Override
  public void close() {
    block.close();
  }
}
