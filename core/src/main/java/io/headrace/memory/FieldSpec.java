package io.headrace.memory;

import java.util.List;
import java.util.stream.Collectors;

/// One field of the samples in a batch, beside the image tensor, the label and the id.
///
/// @param name as users ask for it
/// @param kind how a batch holds it
/// @param dtype type of the elements; uint8 for text
/// @param shape of a sample's value; where values are ragged, of one of its rows, which are all
///     extents but the first
/// @param room the most bytes that a sample's value may take; exactly those it takes if it is fixed
public record FieldSpec(String name, Kind kind, FieldType dtype, List<Integer> shape, long room) {
  /// How a batch holds a field.
  public enum Kind {
    /// Every value has the same shape: [batch, shape…].
    FIXED,
    /// Values differ in their first extent: all rows after each other, and where each sample's
    /// begin.
    RAGGED,
    /// UTF-8 bytes after each other, and where each sample's begin.
    TEXT
  }

  /// Checks the extents.
  public FieldSpec {
    shape = List.copyOf(shape);
    for (int extent : shape) {
      if (extent < 0) {
        throw new IllegalArgumentException("extent " + extent + " in shape " + shape);
      }
    }
  }

  /// {@return a field whose values all have one shape}
  public static FieldSpec fixed(String name, FieldType dtype, List<Integer> shape) {
    var rows = new FieldSpec(name, Kind.FIXED, dtype, shape, 0);
    return new FieldSpec(name, Kind.FIXED, dtype, shape, rows.rowBytes());
  }

  /// {@return a field of UTF-8 text}
  ///
  /// @param room the most bytes that a text may have
  public static FieldSpec text(String name, long room) {
    return new FieldSpec(name, Kind.TEXT, FieldType.UINT8, List.of(), room);
  }

  /// {@return bytes of a whole value if it is fixed, else of one row}
  public long rowBytes() {
    long bytes = dtype.bytes();
    for (int extent : shape) {
      bytes = Math.multiplyExact(bytes, extent);
    }
    return bytes;
  }

  /// {@return whether values differ in size}
  public boolean ragged() {
    return kind != Kind.FIXED;
  }

  /// {@return type and shape in words: `text`, `float32 [*, 4]` if ragged, `uint8 [224, 224]`}
  public String described() {
    if (kind == Kind.TEXT) {
      return "text";
    }
    String extents = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String first = kind == Kind.RAGGED ? shape.isEmpty() ? "*" : "*, " : "";
    return kind == Kind.FIXED && shape.isEmpty()
        ? dtype.label()
        : "%s [%s%s]".formatted(dtype.label(), first, extents);
  }

  @Override
  public String toString() {
    return name + " " + described();
  }
}
