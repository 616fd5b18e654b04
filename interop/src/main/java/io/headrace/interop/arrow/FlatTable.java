package io.headrace.interop.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table in a FlatBuffer. Every access is checked against the buffer's end: it throws
/// [IndexOutOfBoundsException] where the buffer is damaged.
///
///     table     int32 back to its vtable, then fields
///     vtable    uint16 its own bytes, uint16 the table's, uint16 for each field from the table's
///               start, 0 for one that is not there
///     others    uint32 from where it stands to a table, a vector (uint32 count, elements) or a
///     text
///
/// @param bytes little-endian
/// @param at of the table
record FlatTable(ByteBuffer bytes, int at) {
  /// {@return the root table of a buffer}
  static FlatTable root(ByteBuffer bytes) {
    return new FlatTable(bytes, target(bytes, 0));
  }

  private static int target(ByteBuffer bytes, int at) {
    int target = at + bytes.getInt(at);
    if (target <= at) {
      throw new IndexOutOfBoundsException("a reference of %d bytes".formatted(bytes.getInt(at)));
    }
    return target;
  }

  /// {@return where a field stands, or 0}
  private int place(int field) {
    int vtable = at - bytes.getInt(at);
    int slot = 4 + 2 * field;
    int offset = slot < bytes.getShort(vtable) ? bytes.getShort(vtable + slot) & 0xffff : 0;
    return offset == 0 ? 0 : at + offset;
  }

  int number8(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.get(place);
  }

  int number16(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getShort(place);
  }

  int number32(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getInt(place);
  }

  long number64(int field, long otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getLong(place);
  }

  /// {@return the table that a field refers to, or null}
  @Nullable FlatTable table(int field) {
    int place = place(field);
    return place == 0 ? null : new FlatTable(bytes, target(bytes, place));
  }

  /// {@return the text of a field; empty if it is not there}
  String text(int field) {
    int place = place(field);
    if (place == 0) {
      return "";
    }
    int start = target(bytes, place);
    byte[] text = new byte[checked(start, 1)];
    bytes.get(start + 4, text);
    return new String(text, UTF_8);
  }

  /// {@return the tables of a vector; none if it is not there}
  List<FlatTable> tables(int field) {
    List<FlatTable> tables = new ArrayList<>();
    int place = place(field);
    if (place != 0) {
      int start = target(bytes, place);
      int count = checked(start, 4);
      for (int i = 0; i < count; i++) {
        tables.add(new FlatTable(bytes, target(bytes, start + 4 + 4 * i)));
      }
    }
    return tables;
  }

  /// {@return the numbers of a vector of structs of two int64; none if it is not there}
  long[] pairs(int field) {
    int place = place(field);
    if (place == 0) {
      return new long[0];
    }
    int start = target(bytes, place);
    long[] numbers = new long[2 * checked(start, 2 * Long.BYTES)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = bytes.getLong(start + 4 + Long.BYTES * i);
    }
    return numbers;
  }

  /// {@return the count of a vector, whose elements are all in the buffer}
  private int checked(int start, int elementBytes) {
    int count = bytes.getInt(start);
    if (count < 0 || count > (bytes.limit() - start - 4) / elementBytes) {
      throw new IndexOutOfBoundsException("a vector of %d elements".formatted(count));
    }
    return count;
  }
}
