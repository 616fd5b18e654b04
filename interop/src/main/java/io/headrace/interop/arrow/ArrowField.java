package io.headrace.interop.arrow;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.interop.table.Node;
import io.headrace.interop.table.Node.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A column, or a part of one: its type, and where its values stand among the buffers of a batch.
///
/// @param name of it
/// @param type of its values
/// @param width bytes of a value, or of an offset; of [Type#FIXED_LIST] elements
/// @param number its own among all fields of the schema, which count depth first
/// @param buffer number of its first buffer, which says what values are there
/// @param children members of a struct, or the element of a list
record ArrowField(
    String name, Type type, int width, int number, int buffer, List<ArrowField> children) {
  private static final int MAX_DEPTH = 64;

  /// What values are.
  enum Type {
    SIGNED,
    UNSIGNED,
    FLOAT,
    BOOL,
    BYTES,
    TEXT,
    LIST,
    FIXED_LIST,
    STRUCT,
    /// What is passed over.
    OTHER
  }

  /// All columns of a schema.
  ///
  /// @param fields the columns
  /// @param metadata texts by key
  /// @param buffers how many a batch has
  /// @param all how many fields there are, with those below others
  record Schema(List<ArrowField> fields, Map<String, String> metadata, int buffers, int all) {
    /// {@return the columns, for those who choose among them}
    List<Node> nodes() {
      return fields.stream().map(ArrowField::node).toList();
    }

    /// {@return the field with a number, and all that it lies in, from the column on; null if
    ///     there is none}
    @Nullable List<ArrowField> path(int number) {
      for (ArrowField field : fields) {
        List<ArrowField> path = new ArrayList<>();
        if (field.find(number, path)) {
          return path;
        }
      }
      return null;
    }
  }

  private boolean find(int wanted, List<ArrowField> path) {
    path.add(this);
    if (number == wanted) {
      return true;
    }
    for (ArrowField child : children) {
      if (child.find(wanted, path)) {
        return true;
      }
    }
    path.removeLast();
    return false;
  }

  /// {@return the schema that a table of `Schema.fbs` describes}
  ///
  /// @throws DecodeException if it has what is not read
  static Schema schema(FlatTable table) throws DecodeException {
    if (table.number16(0, 0) != 0) {
      throw new DecodeException(Fault.UNSUPPORTED, "big-endian values");
    }
    int[] next = {0, 0};
    List<ArrowField> fields = new ArrayList<>();
    for (FlatTable each : table.tables(1)) {
      fields.add(field(each, next, 0));
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    for (FlatTable each : table.tables(2)) {
      metadata.put(each.text(0), each.text(1));
    }
    return new Schema(List.copyOf(fields), metadata, next[1], next[0]);
  }

  /// @param next the numbers of the next field and buffer
  private static ArrowField field(FlatTable table, int[] next, int depth) throws DecodeException {
    if (depth > MAX_DEPTH) {
      throw new DecodeException(Fault.LIMIT, "columns nested more than %d deep".formatted(depth));
    }
    String name = table.text(0);
    int code = table.number8(2, 0);
    FlatTable about = table.table(3);
    if (about == null) {
      throw new DecodeException(Fault.CORRUPT, "column %s has no type".formatted(name));
    }
    int number = next[0]++;
    int buffer = next[1];
    if (table.table(4) != null) { // numbers of values that a dictionary batch has
      next[1] += 2;
      return new ArrowField(name, Type.OTHER, 0, number, buffer, List.of());
    }
    Type type = Type.OTHER;
    int width = 0;
    int buffers = 2;
    switch (code) {
      case 1 -> buffers = 0; // Null
      case 2 -> {
        type = about.number8(1, 0) == 0 ? Type.UNSIGNED : Type.SIGNED;
        width = about.number32(0, 0) / 8;
        if (Integer.bitCount(width) != 1 || width > Long.BYTES) {
          throw new DecodeException(
              Fault.CORRUPT, "column %s of numbers of %d bytes".formatted(name, width));
        }
      }
      case 3 -> {
        type = Type.FLOAT;
        width = 2 << Math.clamp(about.number16(0, 0), 0, 2);
      }
      case 6 -> type = Type.BOOL;
      case 4, 5, 19, 20 -> { // Binary, Utf8, and with 64-bit offsets
        type = code == 4 || code == 19 ? Type.BYTES : Type.TEXT;
        width = code < 19 ? Integer.BYTES : Long.BYTES;
        buffers = 3;
      }
      case 12, 21 -> {
        type = Type.LIST;
        width = code == 12 ? Integer.BYTES : Long.BYTES;
      }
      case 16 -> {
        type = Type.FIXED_LIST;
        width = about.number32(0, 0);
        buffers = 1;
      }
      case 13 -> {
        type = Type.STRUCT;
        buffers = 1;
      }
      case 7, 8, 9, 10, 11, 15, 17, 18 -> {} // dates, decimals, maps and the like
      default ->
          throw new DecodeException(
              Fault.UNSUPPORTED,
              "column %s is a union, a view or of another type that is not read: %d"
                  .formatted(name, code));
    }
    next[1] += buffers;
    List<ArrowField> children = new ArrayList<>();
    for (FlatTable child : table.tables(5)) {
      children.add(field(child, next, depth + 1));
    }
    boolean list = type == Type.LIST || type == Type.FIXED_LIST;
    if ((list && children.size() != 1) || width < 0) {
      throw new DecodeException(
          Fault.CORRUPT, "column %s is a list of %d parts".formatted(name, children.size()));
    }
    return new ArrowField(name, type, width, number, buffer, List.copyOf(children));
  }

  /// Checks that a batch has so many values of this field, and of those in it.
  ///
  /// @param least how many
  void check(ArrowFile.Batch batch, long least) throws DecodeException {
    long count = batch.count(this);
    long bytes =
        switch (type) {
          case SIGNED, UNSIGNED, FLOAT -> multiply(count, width);
          case BOOL -> Math.ceilDiv(count, Byte.SIZE);
          case BYTES, TEXT, LIST -> count == 0 ? 0 : multiply(count + 1, width);
          case FIXED_LIST, STRUCT, OTHER -> 0;
        };
    boolean values = bytes > 0;
    if (count < least || (values && bytes > batch.bytes(this, 1))) {
      throw new DecodeException(
          Fault.CORRUPT,
          "column %s of %d values where %d are needed, in a buffer of %d bytes"
              .formatted(name, count, least, values ? batch.bytes(this, 1) : 0));
    }
    for (ArrowField child : children) {
      child.check(
          batch,
          switch (type) {
            case STRUCT -> count;
            case FIXED_LIST -> multiply(count, width);
            default -> 0;
          });
    }
  }

  private static long multiply(long count, int width) {
    return Math.multiplyHigh(count, width) == 0 ? count * width : Long.MAX_VALUE;
  }

  private Node node() {
    Kind kind =
        switch (type) {
          case SIGNED, UNSIGNED -> Kind.WHOLE;
          case FLOAT -> Kind.REAL;
          case BOOL -> Kind.BOOLEAN;
          case BYTES -> Kind.BYTES;
          case TEXT -> Kind.TEXT;
          case LIST, FIXED_LIST -> Kind.LIST;
          case STRUCT -> Kind.STRUCT;
          case OTHER -> Kind.OTHER;
        };
    boolean nested = kind == Kind.STRUCT || kind == Kind.LIST;
    List<Node> parts = nested ? children.stream().map(ArrowField::node).toList() : List.of();
    return new Node(name, kind, parts, nested ? -1 : number, type.name());
  }
}
