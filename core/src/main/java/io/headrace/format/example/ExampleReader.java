package io.headrace.format.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds features in a serialised `tf.train.Example` without building any object.
///
/// Reads what protobuf's own parsers read: packed and unpacked lists, unknown fields, messages in
/// pieces, and of a name given twice the last. Lists are looked into only when asked for. Reusable;
/// confined to one thread.
public final class ExampleReader {
  /// Which list a feature has.
  public enum Kind {
    /// None at all.
    NOT_SET,
    /// Byte strings.
    BYTES,
    /// Single-precision numbers.
    FLOATS,
    /// 64-bit whole numbers.
    INT64S
  }

  private static final int FIRST = Wire.tag(1, Wire.LENGTH);
  private static final int SECOND = Wire.tag(2, Wire.LENGTH);
  private static final int THIRD = Wire.tag(3, Wire.LENGTH);

  private final Wire example = new Wire();
  private final Wire features = new Wire();
  private final Wire entry = new Wire();
  private final Wire value = new Wire();
  private final Wire list = new Wire();
  private final Wire[] wires = {example, features, entry, value, list};

  private MemorySegment bytes = MemorySegment.NULL;

  /// Where the message begins in it.
  private long base;

  /// Per feature: where its value and its name lie, its kind, and its first piece of a list.
  private int count;

  private long[] valueStart = new long[16];
  private long[] valueLength = new long[16];
  private long[] nameStart = new long[16];
  private long[] nameLength = new long[16];
  private Kind[] kind = new Kind[16];
  private int[] firstPiece = new int[17];

  /// Pieces of lists, those of one feature next to each other. Nearly always one a feature.
  private int pieces;

  private long[] pieceStart = new long[16];
  private long[] pieceLength = new long[16];

  /// Where the lists of features of a `tf.train.SequenceExample` lie.
  private long listsStart;

  private long listsLength;

  private long sliceStart;
  private long sliceLength;

  /// A reader that has read nothing.
  public ExampleReader() {}

  /// {@return a name to look for, ready made}
  public static MemorySegment name(String name) {
    return MemorySegment.ofArray(name.getBytes(UTF_8));
  }

  /// Takes note of the features of `message`, which must stay in place while they are asked for.
  ///
  /// @throws DecodeException if it is no `tf.train.Example`
  public void read(MemorySegment message) throws DecodeException {
    read(message, 0, message.byteSize());
  }

  /// As [#read(MemorySegment)], for a message that lies in larger memory. Places are told from its
  /// start on.
  public void read(MemorySegment memory, long start, long bytes) throws DecodeException {
    this.bytes = memory;
    base = start;
    count = 0;
    pieces = 0;
    listsLength = 0;
    for (Wire wire : wires) {
      wire.origin(start);
    }
    example.reset(memory, start, bytes);
    while (example.more()) {
      int tag = example.tag();
      if (tag == FIRST) {
        long length = example.length();
        readFeatures(example.position(), length);
        example.pass(length);
      } else if (tag == SECOND) {
        listsLength = example.length();
        listsStart = example.position();
        example.pass(listsLength);
      } else {
        example.skip(tag);
      }
    }
  }

  /// Takes note of one feature without a name: number 0 then has it.
  ///
  /// @param memory where the serialised `tf.train.Feature` lies, from `start` on
  /// @throws DecodeException if it is none
  public void readFeature(MemorySegment memory, long start, long length) throws DecodeException {
    this.bytes = memory;
    base = start;
    count = 0;
    pieces = 0;
    listsLength = 0;
    for (Wire wire : wires) {
      wire.origin(start);
    }
    int row = newRow();
    valueStart[row] = start;
    valueLength[row] = length;
    readValue(row, start, length);
    count = 1;
    firstPiece[1] = pieces;
  }

  private void readFeatures(long start, long length) throws DecodeException {
    features.reset(bytes, start, length);
    while (features.more()) {
      int tag = features.tag();
      if (tag == FIRST) {
        long size = features.length();
        readEntry(features.position(), size);
        features.pass(size);
      } else {
        features.skip(tag);
      }
    }
  }

  private void readEntry(long start, long length) throws DecodeException {
    int row = newRow();
    entry.reset(bytes, start, length);
    while (entry.more()) {
      int tag = entry.tag();
      if (tag == FIRST || tag == SECOND) {
        long size = entry.length();
        if (tag == FIRST) {
          nameStart[row] = entry.position();
          nameLength[row] = size;
        } else {
          valueStart[row] = entry.position();
          valueLength[row] = size;
          readValue(row, entry.position(), size);
        }
        entry.pass(size);
      } else {
        entry.skip(tag);
      }
    }
    count = row + 1;
    firstPiece[count] = pieces;
  }

  private int newRow() {
    int row = count;
    if (row == kind.length) {
      valueStart = Arrays.copyOf(valueStart, 2 * row);
      valueLength = Arrays.copyOf(valueLength, 2 * row);
      nameStart = Arrays.copyOf(nameStart, 2 * row);
      nameLength = Arrays.copyOf(nameLength, 2 * row);
      kind = Arrays.copyOf(kind, 2 * row);
      firstPiece = Arrays.copyOf(firstPiece, 2 * row + 1);
    }
    valueStart[row] = base;
    valueLength[row] = 0;
    nameStart[row] = base;
    nameLength[row] = 0;
    kind[row] = Kind.NOT_SET;
    firstPiece[row] = pieces;
    return row;
  }

  private void readValue(int row, long start, long length) throws DecodeException {
    value.reset(bytes, start, length);
    while (value.more()) {
      int tag = value.tag();
      Kind found =
          tag == FIRST
              ? Kind.BYTES
              : tag == SECOND ? Kind.FLOATS : tag == THIRD ? Kind.INT64S : Kind.NOT_SET;
      if (found == Kind.NOT_SET) {
        value.skip(tag);
        continue;
      }
      if (found != kind[row]) { // of a oneof the last kind counts
        kind[row] = found;
        pieces = firstPiece[row];
      }
      if (pieces == pieceStart.length) {
        pieceStart = Arrays.copyOf(pieceStart, 2 * pieces);
        pieceLength = Arrays.copyOf(pieceLength, 2 * pieces);
      }
      long size = value.length();
      pieceStart[pieces] = value.position();
      pieceLength[pieces++] = size;
      value.pass(size);
    }
  }

  /// {@return whether the message is a `tf.train.SequenceExample`, with lists of features beside
  /// the features}
  public boolean hasLists() {
    return listsLength > 0;
  }

  /// {@return the names of its lists of features, for errors}
  ///
  /// @throws DecodeException if these are malformed
  public List<String> listNames() throws DecodeException {
    List<String> names = new ArrayList<>();
    features.reset(bytes, listsStart, listsLength);
    while (features.more()) {
      int tag = features.tag();
      if (tag != FIRST) {
        features.skip(tag);
        continue;
      }
      long size = features.length();
      entry.reset(bytes, features.position(), size);
      while (entry.more()) {
        int field = entry.tag();
        if (field == FIRST) {
          long length = entry.length();
          names.add(
              new String(
                  bytes.asSlice(entry.position(), length).toArray(ValueLayout.JAVA_BYTE), UTF_8));
          entry.pass(length);
        } else {
          entry.skip(field);
        }
      }
      features.pass(size);
    }
    return names;
  }

  /// {@return number of features, counting a name once for each time it is given}
  public int count() {
    return count;
  }

  /// {@return number of the feature with that name (see [#name(String)]), or -1}
  public int find(MemorySegment name) {
    long length = name.byteSize();
    for (int row = count - 1; row >= 0; row--) {
      if (isNamed(row, name, length)) {
        return row;
      }
    }
    return -1;
  }

  /// {@return whether a feature has that name; see [#name(String)]}
  public boolean isNamed(int feature, MemorySegment name) {
    return isNamed(feature, name, name.byteSize());
  }

  private boolean isNamed(int row, MemorySegment name, long length) {
    return nameLength[row] == length
        && MemorySegment.mismatch(name, 0, length, bytes, nameStart[row], nameStart[row] + length)
            < 0;
  }

  /// {@return name of a feature, from 0, in the order they lie}
  public String name(int feature) {
    return new String(
        bytes.asSlice(nameStart[feature], nameLength[feature]).toArray(ValueLayout.JAVA_BYTE),
        UTF_8);
  }

  /// {@return where the name of a feature begins, in bytes from the start of the message}
  public long nameStart(int feature) {
    return nameStart[feature] - base;
  }

  /// {@return bytes of the name of a feature}
  public long nameLength(int feature) {
    return nameLength[feature];
  }

  /// {@return where the `tf.train.Feature` message of a feature begins, or its last piece}
  public long valueStart(int feature) {
    return valueStart[feature] - base;
  }

  /// {@return bytes of that message}
  public long valueLength(int feature) {
    return valueLength[feature];
  }

  /// {@return which list a feature has}
  public Kind kind(int feature) {
    return kind[feature];
  }

  /// Looks up a byte string: [#sliceStart] and [#sliceLength] then say where in the message it is.
  ///
  /// @return whether the feature has byte strings and more than `index` of them
  /// @throws DecodeException if the list is malformed
  public boolean bytes(int feature, int index) throws DecodeException {
    if (kind[feature] != Kind.BYTES) {
      return false;
    }
    int seen = 0;
    for (int p = firstPiece[feature]; p < firstPiece[feature + 1]; p++) {
      list.reset(bytes, pieceStart[p], pieceLength[p]);
      while (list.more()) {
        int tag = list.tag();
        if (tag != FIRST) {
          list.skip(tag);
          continue;
        }
        long length = list.length();
        if (seen++ == index) {
          sliceStart = list.position();
          sliceLength = length;
          return true;
        }
        list.pass(length);
      }
    }
    return false;
  }

  /// {@return where the byte string found last begins, in bytes from the start of the message}
  public long sliceStart() {
    return sliceStart - base;
  }

  /// {@return bytes of the byte string found last}
  public long sliceLength() {
    return sliceLength;
  }

  /// {@return the first whole number of a feature, or `otherwise` if it has none}
  ///
  /// @throws DecodeException if the list is malformed
  public long int64(int feature, long otherwise) throws DecodeException {
    if (kind[feature] != Kind.INT64S) {
      return otherwise;
    }
    for (int p = firstPiece[feature]; p < firstPiece[feature + 1]; p++) {
      list.reset(bytes, pieceStart[p], pieceLength[p]);
      while (list.more()) {
        int tag = list.tag();
        if (tag == Wire.tag(1, Wire.VARINT) || (tag == FIRST && list.length() > 0)) {
          return list.varint();
        }
        if (tag != FIRST) {
          list.skip(tag);
        }
      }
    }
    return otherwise;
  }

  /// {@return how many values a feature has, counted up to two}
  ///
  /// @throws DecodeException if the list is malformed
  public int values(int feature) throws DecodeException {
    Kind found = kind[feature];
    int single = found == Kind.FLOATS ? Wire.FIXED32 : Wire.VARINT;
    int seen = 0;
    for (int p = firstPiece[feature]; p < firstPiece[feature + 1] && seen < 2; p++) {
      list.reset(bytes, pieceStart[p], pieceLength[p]);
      while (found != Kind.NOT_SET && seen < 2 && list.more()) {
        int tag = list.tag();
        if (tag == FIRST && found != Kind.BYTES) { // packed
          long until = list.length() + list.position();
          while (seen < 2 && list.position() < until) {
            passNumber(found);
            seen++;
          }
        } else {
          seen += tag == FIRST || (found != Kind.BYTES && tag == Wire.tag(1, single)) ? 1 : 0;
          list.skip(tag);
        }
      }
    }
    return seen;
  }

  private void passNumber(Kind of) throws DecodeException {
    if (of == Kind.FLOATS) {
      list.pass(Float.BYTES);
    } else {
      long _ = list.varint();
    }
  }

  /// {@return all whole numbers of a feature, in a new array}
  ///
  /// @throws DecodeException if the list is malformed
  public long[] int64s(int feature) throws DecodeException {
    long[] values = new long[8];
    int n = 0;
    for (int p = firstPiece[feature]; p < firstPiece[feature + 1]; p++) {
      list.reset(bytes, pieceStart[p], pieceLength[p]);
      while (kind[feature] == Kind.INT64S && list.more()) {
        int tag = list.tag();
        long until = list.position();
        if (tag == FIRST) {
          long length = list.length();
          until = list.position() + length;
        } else if (tag != Wire.tag(1, Wire.VARINT)) {
          list.skip(tag);
          continue;
        } else {
          until++;
        }
        while (list.position() < until) {
          if (n == values.length) {
            values = Arrays.copyOf(values, 2 * n);
          }
          values[n++] = list.varint();
        }
        list.endAt(until, tag);
      }
    }
    return Arrays.copyOf(values, n);
  }

  /// {@return all single-precision numbers of a feature, in a new array}
  ///
  /// @throws DecodeException if the list is malformed
  public float[] floats(int feature) throws DecodeException {
    float[] values = new float[8];
    int n = 0;
    for (int p = firstPiece[feature]; p < firstPiece[feature + 1]; p++) {
      list.reset(bytes, pieceStart[p], pieceLength[p]);
      while (kind[feature] == Kind.FLOATS && list.more()) {
        int tag = list.tag();
        long until = list.position() + Float.BYTES;
        if (tag == FIRST) {
          long length = list.length();
          until = list.position() + length;
        } else if (tag != Wire.tag(1, Wire.FIXED32)) {
          list.skip(tag);
          continue;
        }
        while (list.position() < until) {
          if (n == values.length) {
            values = Arrays.copyOf(values, 2 * n);
          }
          values[n++] = list.fixed32();
        }
        list.endAt(until, tag);
      }
    }
    return Arrays.copyOf(values, n);
  }
}
