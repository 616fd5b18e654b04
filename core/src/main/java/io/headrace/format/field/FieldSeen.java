package io.headrace.format.field;

import io.headrace.codec.png.PngDecoder;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the values of one field have been like in the samples looked at so far.
public final class FieldSeen {
  private final Map<FieldValue.Kind, Long> kinds = new EnumMap<>(FieldValue.Kind.class);
  private long largest;
  private @Nullable FieldType type;
  private int @Nullable [] shape;
  private boolean sameShape = true;
  private int @Nullable [] rows;
  private int @Nullable [] otherRows;
  private boolean empty;
  private boolean masks = true;
  private boolean deep;

  /// Nothing seen.
  public FieldSeen() {}

  /// Takes note of a value.
  public void add(FieldValue value) {
    kinds.merge(value.kind(), 1L, Long::sum);
    largest = Math.max(largest, value.bytes().byteSize());
    switch (value.kind()) {
      case EMPTY -> empty = true;
      case TEXT, BYTES -> {}
      case IMAGE -> addImage(value.bytes());
      case NUMBERS -> addNumbers(value);
    }
  }

  private void addImage(MemorySegment image) {
    masks &= PngDecoder.hasNumbers(image);
    deep |= PngDecoder.bits(image) == 16;
  }

  private void addNumbers(FieldValue value) {
    FieldType of = value.type();
    FieldType before = type;
    type = before == null || before == of ? of : joined(before, of);
    int[] extents = value.shape();
    if (shape == null) {
      shape = extents;
    }
    sameShape &= Arrays.equals(shape, extents);
    if (value.count() == 0) {
      empty = true;
      if (extents.length < 2) {
        return; // of no rows nobody knows what they are like
      }
    }
    int[] row = extents.length == 0 ? extents : Arrays.copyOfRange(extents, 1, extents.length);
    if (rows == null) {
      rows = row;
    } else if (!Arrays.equals(rows, row)) {
      otherRows = row;
    }
    long bytes = value.count() * 8;
    largest = Math.max(largest, bytes);
  }

  private static FieldType joined(FieldType one, FieldType other) {
    if (one == FieldType.BOOL || other == FieldType.BOOL) {
      return one == FieldType.BOOL ? other : one;
    }
    if (one.floating() && other.floating()) {
      return one.bytes() > other.bytes() ? one : other;
    }
    return one.floating() || other.floating() ? FieldType.FLOAT64 : FieldType.INT64;
  }

  /// {@return samples that have the field}
  public long count() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }

  /// {@return bytes of the largest value}
  long largest() {
    return largest;
  }

  /// {@return whether there are values, and all that are not empty are of one kind}
  boolean only(FieldValue.Kind kind) {
    return kinds.getOrDefault(kind, 0L) > 0
        && kinds.keySet().stream().allMatch(k -> k == kind || k == FieldValue.Kind.EMPTY);
  }

  boolean has(FieldValue.Kind kind) {
    return kinds.containsKey(kind);
  }

  /// {@return whether all are PNG files of one channel}
  boolean masks() {
    return only(FieldValue.Kind.IMAGE) && masks;
  }

  /// {@return whether an image has 16 bits a sample}
  boolean deep() {
    return deep;
  }

  /// {@return the type that holds all numbers; int64 if there are none}
  FieldType type() {
    FieldType of = type;
    return of == null ? FieldType.INT64 : of;
  }

  /// {@return the extents that all values have, or null if they differ}
  @Nullable List<Integer> shape() {
    int[] extents = shape;
    return extents == null || !sameShape || empty ? null : Arrays.stream(extents).boxed().toList();
  }

  /// {@return extents of a row of any value, or null if these differ too}
  @Nullable List<Integer> rows() {
    int[] extents = rows;
    return otherRows != null
        ? null
        : extents == null ? List.of() : Arrays.stream(extents).boxed().toList();
  }

  /// {@return two shapes of rows that differ, in words}
  String difference() {
    return "[*, %s] and [*, %s]".formatted(words(rows), words(otherRows));
  }

  private static String words(int @Nullable [] extents) {
    return extents == null
        ? ""
        : Arrays.stream(extents).mapToObj(String::valueOf).collect(Collectors.joining(", "));
  }

  /// {@return type and shape in words, such as `text`, `int64 [*]`, `mask` or `float32 [768]`}
  public String described() {
    if (only(FieldValue.Kind.NUMBERS)) {
      List<Integer> extents = shape();
      List<Integer> row = rows();
      if (extents != null) {
        return type().label() + (extents.isEmpty() ? "" : " " + extents);
      }
      return type().label()
          + (row == null
              ? " of several shapes"
              : row.isEmpty() ? " [*]" : " [*, " + words(rows) + "]");
    }
    if (only(FieldValue.Kind.IMAGE)) {
      return masks() ? "mask" : "image";
    }
    if (count() == kinds.getOrDefault(FieldValue.Kind.EMPTY, 0L)) {
      return "empty";
    }
    return has(FieldValue.Kind.BYTES) || has(FieldValue.Kind.IMAGE) ? "bytes" : "text";
  }
}
