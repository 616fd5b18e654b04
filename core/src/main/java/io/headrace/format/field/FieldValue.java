package io.headrace.format.field;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.example.ExampleReader;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// The value of one field of one sample, told from its bytes. Reusable; confined to one thread.
///
/// An `.npy` array and a list of a `tf.train.Example` say their type. Text that is nothing but
/// numbers, as JSON writes them, is numbers; other UTF-8 is text; what begins as an image is an
/// image; the rest are bytes. Nothing at all is an empty value of any kind.
public final class FieldValue {
  /// What a value may be.
  public enum Kind {
    /// No bytes.
    EMPTY,
    /// Numbers in a regular shape.
    NUMBERS,
    /// UTF-8.
    TEXT,
    /// An encoded image.
    IMAGE,
    /// Anything else.
    BYTES
  }

  private static final ValueLayout.OfShort I16 = little(ValueLayout.JAVA_SHORT_UNALIGNED);
  private static final ValueLayout.OfInt I32 = little(ValueLayout.JAVA_INT_UNALIGNED);
  private static final ValueLayout.OfLong I64 = little(ValueLayout.JAVA_LONG_UNALIGNED);
  private static final ValueLayout.OfFloat F32 = little(ValueLayout.JAVA_FLOAT_UNALIGNED);
  private static final ValueLayout.OfDouble F64 = little(ValueLayout.JAVA_DOUBLE_UNALIGNED);

  private static final int[] NO_AXES = {};

  /// Where numbers come from.
  private enum Source {
    WRITTEN,
    INT64S,
    FLOATS,
    ARRAY
  }

  private final Numbers written = new Numbers();
  private final ExampleReader example = new ExampleReader();
  private Kind kind = Kind.EMPTY;
  private Source source = Source.WRITTEN;
  private FieldType type = FieldType.UINT8;
  private int[] shape = NO_AXES;
  private long count;
  private long[] int64s = {};
  private float[] floats = {};
  private Npy array = new Npy(FieldType.UINT8, false, false, List.of(), 0);
  private MemorySegment bytes = MemorySegment.NULL;

  /// A value that holds nothing yet.
  public FieldValue() {}

  @SuppressWarnings("unchecked") // a layout in another order is of the same type
  private static <L extends ValueLayout> L little(L layout) {
    return (L) layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /// Becomes the value of a field.
  ///
  /// @param field its number in the sample
  /// @throws DecodeException if its bytes make no sense
  public void read(Sample sample, int field) throws DecodeException {
    if (sample.isFeature(field)) {
      readFeature(sample.field(field));
    } else {
      read(sample.field(field));
    }
  }

  /// Becomes the value that bytes hold.
  ///
  /// @throws DecodeException if they make no sense
  public void read(MemorySegment value) throws DecodeException {
    bytes = value;
    shape = NO_AXES;
    if (value.byteSize() == 0) {
      kind = Kind.EMPTY;
    } else if (Npy.is(value)) {
      array = Npy.read(value);
      numbers(Source.ARRAY, array.type());
      shape = array.shape().stream().mapToInt(Integer::intValue).toArray();
      count = 1;
      for (int extent : shape) {
        count *= extent;
      }
    } else if (Utf8.is(value)) {
      kind = Kind.TEXT;
      if (mayBeNumbers(value.get(JAVA_BYTE, 0)) && written.read(value, 0, value.byteSize())) {
        numbers(Source.WRITTEN, written.type());
        count = written.count();
        shape = new int[written.axes()];
        for (int axis = 0; axis < shape.length; axis++) {
          shape[axis] = written.extent(axis);
        }
      }
    } else {
      kind = ImageFormat.detect(value) == null ? Kind.BYTES : Kind.IMAGE;
    }
  }

  private static boolean mayBeNumbers(byte first) {
    return first <= '9' || first == '[' || first == 't' || first == 'f' || first == 'N';
  }

  private void numbers(Source from, FieldType of) {
    kind = Kind.NUMBERS;
    source = from;
    type = of;
  }

  /// A single value is a number; none, or several, are a list. Several byte strings are text: a
  /// JSON list.
  private void readFeature(MemorySegment feature) throws DecodeException {
    bytes = feature;
    shape = NO_AXES;
    example.readFeature(feature, 0, feature.byteSize());
    switch (example.kind(0)) {
      case NOT_SET -> kind = Kind.EMPTY;
      case INT64S -> {
        int64s = example.int64s(0);
        numbers(Source.INT64S, FieldType.INT64);
        list(int64s.length);
      }
      case FLOATS -> {
        floats = example.floats(0);
        numbers(Source.FLOATS, FieldType.FLOAT32);
        list(floats.length);
      }
      case BYTES -> readStrings(feature);
    }
  }

  private void list(int length) {
    count = length;
    if (length != 1) {
      shape = new int[] {length};
    }
  }

  private void readStrings(MemorySegment feature) throws DecodeException {
    List<Object> texts = new ArrayList<>();
    boolean utf8 = true;
    for (int i = 0; example.bytes(0, i); i++) {
      MemorySegment each = feature.asSlice(example.sliceStart(), example.sliceLength());
      utf8 &= Utf8.is(each);
      texts.add(each.toArray(JAVA_BYTE));
    }
    if (texts.isEmpty()) {
      kind = Kind.EMPTY;
      return;
    }
    boolean plain = utf8;
    texts.replaceAll(
        each ->
            plain
                ? new String((byte[]) each, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString((byte[]) each));
    Object all = plain ? texts : Map.of("base64", texts);
    bytes = MemorySegment.ofArray(JsonMapper.shared().writeValueAsBytes(all));
    kind = Kind.TEXT;
  }

  /// {@return what it is}
  public Kind kind() {
    return kind;
  }

  /// {@return the type of its numbers}
  public FieldType type() {
    return type;
  }

  /// {@return extents of its numbers, outermost first; none for a single number}
  public int[] shape() {
    return shape;
  }

  /// {@return how many numbers it has}
  public long count() {
    return count;
  }

  /// {@return its bytes: text, an image, an array, as they are stored}
  public MemorySegment bytes() {
    return bytes;
  }

  /// Writes its numbers, row-major and little-endian.
  ///
  /// @param as their type then
  /// @param to room for all
  /// @throws DecodeException with [Fault#MISMATCH] if one is not of that type: too large, or with a
  ///     fraction where there may be none
  public void copyTo(FieldType as, MemorySegment to) throws DecodeException {
    if (plain(as)) {
      MemorySegment.copy(bytes, array.start(), to, 0, count * type.bytes());
      return;
    }
    for (long i = 0; i < count; i++) {
      if (as.floating()) {
        put(as, to, i, decimal(i));
      } else {
        put(as, to, i, type.floating() ? whole(as, decimal(i)) : whole(i));
      }
    }
  }

  /// {@return whether elements lie as they are wanted}
  private boolean plain(FieldType as) {
    return source == Source.ARRAY
        && as == type
        && !array.swapped()
        && (!array.columnsFirst() || shape.length < 2);
  }

  private long whole(FieldType as, double value) throws DecodeException {
    if (value != Math.rint(value) || Math.abs(value) > 1L << 53) {
      throw unfit(as, Double.toString(value));
    }
    return (long) value;
  }

  private static DecodeException unfit(FieldType as, String value) {
    return new DecodeException(
        Fault.MISMATCH, "%s is no %s: ask for another type".formatted(value, as.label()));
  }

  private static void put(FieldType as, MemorySegment to, long index, double value) {
    switch (as) {
      case FLOAT16 -> to.setAtIndex(I16, index, Float.floatToFloat16((float) value));
      case FLOAT32 -> to.setAtIndex(F32, index, (float) value);
      default -> to.setAtIndex(F64, index, value);
    }
  }

  private void put(FieldType as, MemorySegment to, long index, long value) throws DecodeException {
    boolean unsigned = type == FieldType.UINT64;
    boolean fits =
        switch (as) {
          case BOOL -> value == 0 || value == 1;
          case UINT8 -> value == (value & 0xff);
          case INT8 -> value == (byte) value;
          case UINT16 -> value == (value & 0xffff);
          case INT16 -> value == (short) value;
          case UINT32 -> value == (value & 0xffff_ffffL);
          case INT32 -> value == (int) value;
          case UINT64 -> unsigned || value >= 0;
          default -> !unsigned || value >= 0;
        };
    if (!fits || (unsigned && value < 0 && as != FieldType.UINT64)) {
      throw unfit(as, unsigned ? Long.toUnsignedString(value) : Long.toString(value));
    }
    switch (as.bytes()) {
      case 1 -> to.set(JAVA_BYTE, index, (byte) value);
      case 2 -> to.setAtIndex(I16, index, (short) value);
      case 4 -> to.setAtIndex(I32, index, (int) value);
      default -> to.setAtIndex(I64, index, value);
    }
  }

  /// {@return where an element of an array lies}
  ///
  /// @param index as if the array were row-major
  private long place(long index) {
    long at = index;
    if (array.columnsFirst()) {
      long rest = index;
      long stride = count;
      at = 0;
      for (int axis = shape.length - 1; axis >= 0; axis--) {
        stride /= shape[axis];
        at += rest % shape[axis] * stride;
        rest /= shape[axis];
      }
    }
    return array.start() + at * type.bytes();
  }

  private long whole(long index) {
    return switch (source) {
      case WRITTEN -> written.whole((int) index);
      case INT64S -> int64s[(int) index];
      case FLOATS -> (long) floats[(int) index];
      case ARRAY -> {
        long raw = raw(index);
        int unused = 64 - 8 * type.bytes();
        boolean signed =
            switch (type) {
              case INT8, INT16, INT32, INT64 -> true;
              default -> false;
            };
        yield signed ? raw << unused >> unused : raw;
      }
    };
  }

  private double decimal(long index) {
    return switch (source) {
      case WRITTEN -> written.decimal((int) index);
      case INT64S -> int64s[(int) index];
      case FLOATS -> floats[(int) index];
      case ARRAY ->
          switch (type) {
            case FLOAT16 -> Float.float16ToFloat((short) raw(index));
            case FLOAT32 -> Float.intBitsToFloat((int) raw(index));
            case FLOAT64 -> Double.longBitsToDouble(raw(index));
            case UINT64 -> {
              long bits = raw(index);
              yield bits >= 0 ? bits : 2.0 * ((bits >>> 1) | (bits & 1));
            }
            default -> whole(index);
          };
    };
  }

  /// {@return the bits of an array's element}
  private long raw(long index) {
    long at = place(index);
    long value = 0;
    for (int i = 0; i < type.bytes(); i++) {
      int from = array.swapped() ? type.bytes() - 1 - i : i;
      value |= (bytes.get(JAVA_BYTE, at + from) & 0xffL) << (8 * i);
    }
    return value;
  }
}
