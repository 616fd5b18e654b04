package io.headrace.interop.parquet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.Validity;
import java.lang.foreign.MemorySegment;

/// The values of one column in the batch at hand.
final class Column {
  private static final byte[] NO_BYTES = {};
  private static final int[] NO_OFFSETS = {0};

  private final byte[] name;
  private final PhysicalType type;
  private final ColumnReader reader;
  private Validity validity = Validity.NO_NULLS;
  private byte[] bytes = NO_BYTES;
  private int[] offsets = NO_OFFSETS;
  private int[] ints = {};
  private long[] longs = {};
  private float[] floats = {};
  private double[] doubles = {};
  private boolean[] booleans = {};

  Column(ParquetColumns.Leaf leaf, ColumnReader reader) {
    name = leaf.name().getBytes(UTF_8);
    type = leaf.type();
    this.reader = reader;
  }

  byte[] name() {
    return name;
  }

  /// Takes the values of the batch that the reader has just read.
  void load() {
    validity = reader.getLeafValidity();
    switch (type) {
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 -> {
        bytes = reader.getBinaryValues();
        offsets = reader.getBinaryOffsets();
      }
      case INT32 -> ints = reader.getInts();
      case INT64 -> longs = reader.getLongs();
      case FLOAT -> floats = reader.getFloats();
      case DOUBLE -> doubles = reader.getDoubles();
      case BOOLEAN -> booleans = reader.getBooleans();
    }
  }

  boolean isNull(int row) {
    return validity.isNull(row);
  }

  /// {@return a whole number}
  long number(int row) {
    return type == PhysicalType.INT32 ? ints[row] : longs[row];
  }

  /// {@return bytes that [#copy] takes}
  int length(int row) {
    return type == PhysicalType.BYTE_ARRAY ? offsets[row + 1] - offsets[row] : text(row).length();
  }

  /// Copies a value: bytes and texts as they are, numbers as text.
  void copy(int row, MemorySegment into, long at) {
    if (type == PhysicalType.BYTE_ARRAY) {
      MemorySegment.copy(bytes, offsets[row], into, JAVA_BYTE, at, length(row));
    } else {
      byte[] text = text(row).getBytes(US_ASCII);
      MemorySegment.copy(text, 0, into, JAVA_BYTE, at, text.length);
    }
  }

  /// {@return a value as text}
  String text(int row) {
    return switch (type) {
      case INT32, INT64 -> Long.toString(number(row));
      case FLOAT -> Float.toString(floats[row]);
      case DOUBLE -> Double.toString(doubles[row]);
      case BOOLEAN -> Boolean.toString(booleans[row]);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          new String(bytes, offsets[row], offsets[row + 1] - offsets[row], UTF_8);
    };
  }
}
