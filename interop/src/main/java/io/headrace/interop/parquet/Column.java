package io.headrace.interop.parquet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.LayerKind;
import dev.hardwood.reader.Validity;
import io.headrace.error.DecodeException;
import io.headrace.interop.table.Columns;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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

  /// Whether a row has a list.
  private final boolean list;

  /// From the outermost level on: whether it is of lists, where each ends, which are null.
  private boolean[] repeated = {};

  private int[][] listOffsets = {};
  private Validity[] nulls = {};
  private Validity elements = Validity.NO_NULLS;

  Column(Columns.Leaf leaf, ColumnReader reader) {
    name = leaf.field().getBytes(UTF_8);
    list = leaf.list();
    type = reader.getColumnSchema().type();
    this.reader = reader;
  }

  byte[] name() {
    return name;
  }

  /// Takes the values of the batch that the reader has just read.
  void load() {
    validity = list ? reader.getLayerValidity(0) : reader.getLeafValidity();
    if (list) {
      int layers = reader.getLayerCount();
      repeated = new boolean[layers];
      listOffsets = new int[layers][];
      nulls = new Validity[layers];
      for (int layer = 0; layer < layers; layer++) {
        repeated[layer] = reader.getLayerKind(layer) == LayerKind.REPEATED;
        nulls[layer] = reader.getLayerValidity(layer);
        listOffsets[layer] = repeated[layer] ? reader.getLayerOffsets(layer) : NO_OFFSETS;
      }
      elements = reader.getLeafValidity();
    }
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

  /// {@return whether a value's bytes are used as they are}
  private boolean asIs() {
    return type == PhysicalType.BYTE_ARRAY && !list;
  }

  /// {@return a class number}
  ///
  /// @throws DecodeException if it is not a whole number
  long label(int row) throws DecodeException {
    double value =
        switch (type) {
          case INT32 -> ints[row];
          case BOOLEAN -> booleans[row] ? 1 : 0;
          case FLOAT -> floats[row];
          case DOUBLE -> doubles[row];
          case INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 -> 0;
        };
    if (type == PhysicalType.INT64) {
      return longs[row];
    }
    return Columns.classOf(value, text(row));
  }

  /// {@return bytes that [#copy] takes}
  int length(int row) {
    return asIs() ? offsets[row + 1] - offsets[row] : text(row).getBytes(UTF_8).length;
  }

  /// Copies a value: bytes and texts as they are, numbers as text.
  void copy(int row, MemorySegment into, long at) {
    if (asIs()) {
      MemorySegment.copy(bytes, offsets[row], into, JAVA_BYTE, at, length(row));
    } else {
      byte[] text = text(row).getBytes(UTF_8);
      MemorySegment.copy(text, 0, into, JAVA_BYTE, at, text.length);
    }
  }

  /// {@return a value as text; a list as JSON}
  String text(int row) {
    if (!list) {
      return valueText(row);
    }
    return JsonMapper.shared().writeValueAsString(value(0, row));
  }

  /// {@return what an item of a level holds: a list of the next level's, or a value}
  private @Nullable Object value(int layer, int item) {
    if (layer == repeated.length) {
      return elements.isNull(item) ? null : value(item);
    }
    if (nulls[layer].isNull(item)) {
      return null;
    }
    if (!repeated[layer]) {
      return value(layer + 1, item);
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = listOffsets[layer][item]; i < listOffsets[layer][item + 1]; i++) {
      values.add(value(layer + 1, i));
    }
    return values;
  }

  private Object value(int at) {
    return switch (type) {
      case INT32 -> ints[at];
      case INT64 -> longs[at];
      case FLOAT -> floats[at];
      case DOUBLE -> doubles[at];
      case BOOLEAN -> booleans[at];
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 -> valueText(at);
    };
  }

  private String valueText(int row) {
    return switch (type) {
      case INT32 -> Integer.toString(ints[row]);
      case INT64 -> Long.toString(longs[row]);
      case FLOAT -> Float.toString(floats[row]);
      case DOUBLE -> Double.toString(doubles[row]);
      case BOOLEAN -> Boolean.toString(booleans[row]);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          new String(bytes, offsets[row], offsets[row + 1] - offsets[row], UTF_8);
    };
  }
}
