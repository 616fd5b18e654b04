package io.headrace.format.example;

import static io.headrace.memory.LittleEndian.F32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// A cursor over one protobuf message in memory. It never leaves the message, whatever the lengths
/// in it say. Source: protobuf.dev, "Encoding".
public final class Wire {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  /// Wire type of what has a length before it.
  public static final int LENGTH = 2;
  static final int START_GROUP = 3;
  static final int END_GROUP = 4;
  static final int FIXED32 = 5;

  private MemorySegment bytes = MemorySegment.NULL;
  private long position;
  private long end;
  private long origin;

  /// A cursor over nothing.
  public Wire() {}

  /// {@return the tag of field `number` with that wire type}
  public static int tag(int number, int type) {
    return number << 3 | type;
  }

  /// Says where the record begins that places in errors are counted from.
  void origin(long start) {
    origin = start;
  }

  void reset(MemorySegment bytes, long start, long length) {
    this.bytes = bytes;
    position = start;
    end = start + length;
  }

  boolean more() {
    return position < end;
  }

  long position() {
    return position;
  }

  /// {@return number and type of the field that follows}
  public int tag() throws DecodeException {
    long tag = varint();
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      throw bad("field number %d".formatted(tag >>> 3));
    }
    return (int) tag;
  }

  long varint() throws DecodeException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position >= end) {
        throw bad("a number runs over its end");
      }
      byte b = bytes.get(JAVA_BYTE, position++);
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw bad("a number of more than ten bytes");
  }

  /// {@return the length of what follows, which lies in the message}
  long length() throws DecodeException {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw bad(
          "a field of %s bytes, %d are left"
              .formatted(Long.toUnsignedString(length), end - position));
    }
    return length;
  }

  float fixed32() throws DecodeException {
    pass(Float.BYTES);
    return bytes.get(F32, position - Float.BYTES);
  }

  void pass(long length) throws DecodeException {
    if (length > end - position) {
      throw bad("a field of %d bytes, %d are left".formatted(length, end - position));
    }
    position += length;
  }

  /// Checks that the numbers of a packed list end where the list does.
  void endAt(long until, int tag) throws DecodeException {
    if ((tag & 7) == LENGTH && position != until) {
      throw bad("a list's last number runs over its end");
    }
  }

  /// Passes over the value of the field whose tag was just read.
  void skip(int tag) throws DecodeException {
    int depth = 0;
    int t = tag;
    while (true) {
      switch (t & 7) {
        case VARINT -> {
          long _ = varint();
        }
        case FIXED64 -> pass(Long.BYTES);
        case LENGTH -> pass(length());
        case START_GROUP -> depth++;
        case END_GROUP -> {
          if (--depth < 0) {
            throw bad("the end of a group that did not start");
          }
        }
        case FIXED32 -> pass(Integer.BYTES);
        default -> throw bad("wire type %d".formatted(t & 7));
      }
      if (depth == 0) {
        return;
      }
      t = tag();
    }
  }

  private DecodeException bad(String what) {
    return new DecodeException(
        Fault.MISMATCH,
        "not a tf.train.Example: %s at byte %d of the record".formatted(what, position - origin));
  }
}
