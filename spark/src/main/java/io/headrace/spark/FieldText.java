package io.headrace.spark;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.format.field.FieldValue;
import io.headrace.format.field.Npy;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A field of a sample as text that Spark can look into. Confined to one thread.
final class FieldText {
  private static final ValueLayout.OfLong I64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble F64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Numbers that are still written out; a larger array stays bytes.
  private static final long MAX_NUMBERS = 1 << 20;

  private final FieldValue value = new FieldValue();

  /// {@return texts as they are, numbers as JSON; null of anything else}
  @Nullable String of(Sample sample, int field) throws DecodeException {
    value.read(sample, field);
    return switch (value.kind()) {
      case TEXT -> utf8(value.bytes());
      case EMPTY -> "";
      case NUMBERS ->
          sample.isFeature(field) || Npy.is(sample.field(field))
              ? numbers()
              : utf8(sample.field(field)); // as they are written
      case IMAGE, BYTES -> null;
    };
  }

  private static String utf8(MemorySegment bytes) {
    return new String(bytes.toArray(JAVA_BYTE), UTF_8);
  }

  private @Nullable String numbers() throws DecodeException {
    long count = value.count();
    if (count > MAX_NUMBERS || value.type() == FieldType.UINT64) {
      return null;
    }
    boolean floating = value.type().floating();
    MemorySegment all = MemorySegment.ofArray(new byte[(int) count * Long.BYTES]);
    value.copyTo(floating ? FieldType.FLOAT64 : FieldType.INT64, all);
    var text = new StringBuilder();
    write(text, all, floating, 0, 0, count);
    return text.toString();
  }

  /// Writes the part of an array that one element of an outer axis has.
  private void write(
      StringBuilder text, MemorySegment all, boolean floating, int axis, long from, long count) {
    if (axis == value.shape().length) {
      text.append(floating ? decimal(all.getAtIndex(F64, from)) : "" + all.getAtIndex(I64, from));
      return;
    }
    int extent = value.shape()[axis];
    text.append('[');
    // An axis of an empty array may claim any extent.
    for (int i = 0; count > 0 && i < extent; i++) {
      text.append(i == 0 ? "" : ",");
      write(text, all, floating, axis + 1, from + i * (count / extent), count / extent);
    }
    text.append(']');
  }

  /// {@return a number as JSON has it: of 32 bits if it was one; a text if there is none}
  private String decimal(double number) {
    String digits =
        value.type() == FieldType.FLOAT64
            ? Double.toString(number)
            : Float.toString((float) number);
    return Double.isFinite(number) ? digits : '"' + digits + '"';
  }
}
