package io.headrace.interop.mds;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.field.Npy;
import io.headrace.memory.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column of encoding `ndarray[:TYPE[:SHAPE]]`, which becomes a field as `numpy.save` writes it.
///
///     u8 type               unless the encoding says it
///     u8 4 × axes + width   unless the encoding says the shape; 2^width bytes an extent
///     extents
///     elements              row-major, little-endian
///
/// Source: class `NDArray` of `mds/encodings.py` of mosaicml-streaming.
///
/// @param type of the elements, or null
/// @param shape extents, or null
record ArrayColumn(@Nullable FieldType type, @Nullable List<Integer> shape) {
  private static final String NAME = "ndarray";

  /// {@return the column of an encoding, or null if it is none of arrays}
  static @Nullable ArrayColumn of(String encoding) {
    String[] parts = encoding.split(":", -1);
    if (!parts[0].equals(NAME) || parts.length > 3) {
      return null;
    }
    FieldType type = parts.length > 1 ? FieldType.of(parts[1]) : null;
    if (parts.length > 1 && type == null) {
      return null;
    }
    try {
      return new ArrayColumn(
          type,
          parts.length > 2
              ? Arrays.stream(parts[2].split(",")).map(String::strip).map(Integer::valueOf).toList()
              : null);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static FieldType type(int code) throws DecodeException {
    return switch (code) {
      case 8 -> FieldType.UINT8;
      case 9 -> FieldType.INT8;
      case 16 -> FieldType.UINT16;
      case 17 -> FieldType.INT16;
      case 18 -> FieldType.FLOAT16;
      case 32 -> FieldType.UINT32;
      case 33 -> FieldType.INT32;
      case 34 -> FieldType.FLOAT32;
      case 64 -> FieldType.UINT64;
      case 65 -> FieldType.INT64;
      case 66 -> FieldType.FLOAT64;
      default -> throw corrupt("of type %d".formatted(code));
    };
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "an array " + what);
  }

  /// Writes a value as `.npy`.
  ///
  /// @param into whose memory holds the value
  /// @param start of the value
  /// @param length of it, in bytes
  /// @param to where the memory is free, from there on
  /// @return bytes written
  long write(Sample into, long start, long length, long to) throws DecodeException {
    MemorySegment memory = into.block().memory();
    long end = start + length;
    long at = start;
    FieldType of = type;
    if (of == null) {
      require(at + 1 <= end);
      of = type(memory.get(JAVA_BYTE, at++));
    }
    List<Integer> extents = shape;
    if (extents == null) {
      require(at + 1 <= end);
      int head = memory.get(JAVA_BYTE, at++) & 0xff;
      int width = 1 << (head & 3);
      extents = new ArrayList<>();
      require(at + (long) width * (head >> 2) <= end);
      for (int axis = 0; axis < head >> 2; axis++) {
        extents.add(extent(memory, at, width));
        at += width;
      }
    }
    long bytes = of.bytes();
    for (int extent : extents) {
      bytes = Math.multiplyHigh(bytes, extent) != 0 ? Long.MAX_VALUE : bytes * extent;
    }
    if (bytes != end - at) {
      throw corrupt(
          "%s %s of %d bytes: expected %d".formatted(of.label(), extents, end - at, bytes));
    }
    byte[] head = Npy.head(of, extents);
    MemorySegment room = into.ensureKeeping(to + head.length + bytes);
    MemorySegment.copy(head, 0, room, JAVA_BYTE, to, head.length);
    MemorySegment.copy(room, at, room, to + head.length, bytes);
    return head.length + bytes;
  }

  private static int extent(MemorySegment memory, long at, int width) throws DecodeException {
    long value = 0;
    for (int i = 0; i < width; i++) {
      value |= (memory.get(JAVA_BYTE, at + i) & 0xffL) << (8 * i);
    }
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corrupt("with an extent of " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private static void require(boolean holds) throws DecodeException {
    if (!holds) {
      throw corrupt("that is cut within its head");
    }
  }
}
